import { useMemo, useState } from "react";
import { shortModelName } from "../../agents/model-name.ts";
import type { UsageReport } from "../../serve/usage-contract.ts";
import { microsText } from "../../shown/cost-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { baseName, formatCount, formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { DayChart } from "./day-chart.tsx";
import {
  dayRange,
  formatDayName,
  MEASURES,
  type Measure,
  OTHERS,
  type Stack,
  stacksOf,
} from "./usage-days.ts";
import { DayTable } from "./usage-tables.tsx";

/** The days as a chart, with a legend: for all days, or for the hovered one. */
export function ChartPanel({
  report,
  range,
  by,
  onSplitChange,
  onPickDay,
}: {
  readonly report: UsageReport;
  readonly range: number;
  readonly by: "model" | "project";
  readonly onSplitChange: (by: "model" | "project") => void;
  readonly onPickDay: (day: string) => void;
}) {
  const { usage: strings } = useStrings();
  const [measure, setMeasure] = useState<Measure>("cost");
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const days = useMemo(() => dayRange(range, Date.now()), [range]);
  const stacks = useMemo(() => stacksOf(report, days, measure), [report, days, measure]);
  const format = FORMATS[measure];
  const nameOf = (stack: Stack): string => {
    if (measure === "waits") return strings.waited;
    if (stack.key === OTHERS) return strings.others;
    if (typeof stack.key !== "string") return strings.unknown;
    return visibleText(by === "project" ? baseName(stack.key) : shortModelName(stack.key));
  };
  const amountOf = ({ values, total }: Stack): number =>
    hoveredIndex === null ? total : (values[hoveredIndex] ?? 0);
  const total = stacks.reduce((sum, stack) => sum + amountOf(stack), 0);
  const day = hoveredIndex === null ? undefined : days[hoveredIndex];
  return (
    <section className="chart-panel panel" aria-label={fill(strings.chart, { what: strings[measure] })}>
      <header>
        <SegmentedControl
          label={strings.show}
          options={MEASURES.map((key) => [key, strings[key]] as const)}
          selected={measure}
          onSelect={setMeasure}
        />
        {measure !== "waits" && (
          <SegmentedControl
            label={strings.splitBy}
            options={[
              ["model", strings.model],
              ["project", strings.project],
            ]}
            selected={by}
            onSelect={onSplitChange}
          />
        )}
      </header>
      <div className="picture">
        <DayChart
          days={days}
          stacks={stacks}
          format={format}
          steps={STEPS[measure]}
          onDay={setHoveredIndex}
          onPick={(index) => days[index] !== undefined && onPickDay(days[index])}
          label={fill(strings.chart, { what: strings[measure] })}
        />
        <dl className="legend">
          <div className="total">
            <dt>{day === undefined ? strings.total : formatDayName(day)}</dt>
            <dd>{format(total)}</dd>
          </div>
          {stacks.map((stack, index) => (
            <div key={String(stack.key)} className={`stack-${index + 1}`}>
              <dt className="cut">{nameOf(stack)}</dt>
              <dd>{format(amountOf(stack))}</dd>
            </div>
          ))}
        </dl>
      </div>
      <details>
        <summary>{strings.daysAsTable}</summary>
        <DayTable days={report.days} onPickDay={onPickDay} />
      </details>
    </section>
  );
}

const MINUTE_MS = 60_000;
const CENT_MICROS = 10_000;
/** A grid line every few cents or minutes; any round number for tokens. */
const STEPS: Readonly<Record<Measure, readonly number[] | undefined>> = {
  cost: [1, 10, 100, 1_000, 10_000].flatMap((power) => [1, 2, 5].map((step) => step * power * CENT_MICROS)),
  tokens: undefined,
  waits: [1, 5, 10, 30, 60, 120, 240, 480, 1_440, 2_880].map((minutes) => minutes * MINUTE_MS),
};

const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  cost: microsText,
  tokens: formatCount,
  waits: (ms) => (ms === 0 ? "0" : formatDuration(ms)),
};
