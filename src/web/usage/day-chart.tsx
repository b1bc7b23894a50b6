import { useEffect, useRef, useState } from "react";
import type uPlot from "uplot";
import { useStore } from "../api/store.ts";
import { locale } from "../i18n/locale.ts";
import { theme } from "../shell/theme.ts";
import type { Stack } from "./usage-days.ts";

const HEIGHT_PX = 240;
const COLOURS = ["--chart-1", "--chart-2", "--chart-3", "--chart-4", "--chart-5"] as const;

interface ChartProps {
  readonly days: readonly string[];
  readonly stacks: readonly Stack[];
  readonly format: (value: number) => string;
  /** Allowed distances between grid lines; if missing, any round numbers. */
  readonly steps?: readonly number[] | undefined;
  /** The hovered day. */
  readonly onDay: (index: number | null) => void;
  /** Called on a click on a day. The table offers the same by keyboard. */
  readonly onPick: (index: number) => void;
  readonly label: string;
}

/** Stacked bars of days. The numbers are in the legend and the table; this is only the chart. */
export function DayChart({ days, stacks, format, steps, onDay, onPick, label }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const latestOnPick = useRef(onPick);
  latestOnPick.current = onPick;
  const currentTheme = useStore(theme);
  const [schemeVersion, setSchemeVersion] = useState(0);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const onSchemeChange = (): void => setSchemeVersion((previous) => previous + 1);
    media.addEventListener("change", onSchemeChange);
    return () => media.removeEventListener("change", onSchemeChange);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours change with the theme
  useEffect(() => {
    const target = container.current;
    if (target === null) return;
    let plot: uPlot | null = null;
    let isDisposed = false;
    const observer = new ResizeObserver(() =>
      plot?.setSize({ width: target.clientWidth, height: HEIGHT_PX }),
    );
    void Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([{ default: Plot }]) => {
      if (isDisposed) return;
      plot = new Plot(
        optionsOf(Plot, target, { days, stacks, format, steps, onDay }),
        dataOf(days, stacks),
        target,
      );
      observer.observe(target);
      const { over, cursor } = plot;
      over.addEventListener("click", () => cursor.idx != null && latestOnPick.current(cursor.idx));
    });
    return () => {
      isDisposed = true;
      observer.disconnect();
      plot?.destroy();
    };
  }, [days, stacks, format, currentTheme, schemeVersion]);
  return (
    <div className="day-chart" ref={container} role="img" aria-label={label} style={{ height: HEIGHT_PX }} />
  );
}

/** The topmost stack first, because the lower ones are painted over it. */
function dataOf(days: readonly string[], stacks: readonly Stack[]): uPlot.AlignedData {
  const seconds = days.map((day) => Date.parse(`${day}T00:00:00`) / 1_000);
  const sums = stacks.map((_, lastIndex) =>
    days.map((_day, index) =>
      stacks.slice(0, lastIndex + 1).reduce((total, { values }) => total + (values[index] ?? 0), 0),
    ),
  );
  return [seconds, ...sums.reverse()];
}

function optionsOf(
  Plot: typeof uPlot,
  target: HTMLElement,
  { days, stacks, format, steps, onDay }: Omit<ChartProps, "label" | "onPick">,
): uPlot.Options {
  const style = getComputedStyle(target);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const font = `12px ${style.fontFamily}`;
  const axis = { stroke: colour("--text-3"), font, ticks: { show: false } };
  const bars = Plot.paths.bars?.({ size: [0.72, 44], radius: [0.12, 0] });
  const HALF_DAY_SECONDS = 43_200;
  return {
    width: target.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: true, range: (_plot, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_plot, seconds) => seconds.map((second) => dayLabel(second, days.length)),
        size: 28,
        incrs: [1, 2, 7, 14, 30].map((step) => step * 86_400),
        space: 56,
      },
      {
        ...axis,
        size: 58,
        ...(steps && { incrs: [...steps] }),
        grid: { stroke: colour("--line"), width: 1 },
        values: (_plot, values) => values.map((value) => (value === 0 ? "" : format(value))),
      },
    ],
    series: [
      {},
      ...stacks
        .map((_, index) => {
          const fill = colour(COLOURS[index % COLOURS.length] ?? "--chart-1");
          return { fill, stroke: fill, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
        })
        .reverse(),
    ],
    hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
  };
}

function dayLabel(seconds: number, days: number): string {
  const date = new Date(seconds * 1_000);
  return date.toLocaleDateString(
    locale().tag,
    days <= 7 ? { weekday: "short", day: "numeric" } : { month: "short", day: "numeric" },
  );
}
