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
  onBy,
  onPickDay,
}: {
  readonly report: UsageReport;
  readonly range: number;
  readonly by: "model" | "project";
  readonly onBy: (by: "model" | "project") => void;
  readonly onPickDay: (day: string) => void;
}) {
  const { usage: words } = useStrings();
  const [measure, setMeasure] = useState<Measure>("cost");
  const [at, setAt] = useState<number | null>(null);
  const days = useMemo(() => dayRange(range, Date.now()), [range]);
  const stacks = useMemo(() => stacksOf(report, days, measure), [report, days, measure]);
  const format = FORMATS[measure];
  const name = (stack: Stack): string => {
    if (measure === "waits") return words.waited;
    if (stack.key === OTHERS) return words.others;
    if (typeof stack.key !== "string") return words.unknown;
    return visibleText(by === "project" ? baseName(stack.key) : shortModelName(stack.key));
  };
  const value = ({ values, total }: Stack): number => (at === null ? total : (values[at] ?? 0));
  const whole = stacks.reduce((sum, stack) => sum + value(stack), 0);
  const day = at === null ? undefined : days[at];
  return (
    <section className="chart-panel panel" aria-label={fill(words.chart, { what: words[measure] })}>
      <header>
        <SegmentedControl
          label={words.show}
          choices={MEASURES.map((key) => [key, words[key]] as const)}
          chosen={measure}
          onChoose={setMeasure}
        />
        {measure !== "waits" && (
          <SegmentedControl
            label={words.splitBy}
            choices={[
              ["model", words.model],
              ["project", words.project],
            ]}
            chosen={by}
            onChoose={onBy}
          />
        )}
      </header>
      <div className="picture">
        <DayChart
          days={days}
          stacks={stacks}
          format={format}
          steps={STEPS[measure]}
          onDay={setAt}
          onPick={(index) => days[index] !== undefined && onPickDay(days[index])}
          label={fill(words.chart, { what: words[measure] })}
        />
        <dl className="legend">
          <div className="whole">
            <dt>{day === undefined ? words.total : formatDayName(day)}</dt>
            <dd>{format(whole)}</dd>
          </div>
          {stacks.map((stack, index) => (
            <div key={String(stack.key)} className={`stack-${index + 1}`}>
              <dt className="cut">{name(stack)}</dt>
              <dd>{format(value(stack))}</dd>
            </div>
          ))}
        </dl>
      </div>
      <details>
        <summary>{words.daysAsTable}</summary>
        <DayTable days={report.days} onPickDay={onPickDay} />
      </details>
    </section>
  );
}

const MINUTE_MS = 60_000;
const CENT_MICROS = 10_000;
/** A grid line every few cents or minutes; any round number for tokens. */
const STEPS: Readonly<Record<Measure, readonly number[] | undefined>> = {
  cost: [1, 10, 100, 1_000, 10_000].flatMap((ten) => [1, 2, 5].map((step) => step * ten * CENT_MICROS)),
  tokens: undefined,
  waits: [1, 5, 10, 30, 60, 120, 240, 480, 1_440, 2_880].map((minutes) => minutes * MINUTE_MS),
};

const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  cost: microsText,
  tokens: formatCount,
  waits: (ms) => (ms === 0 ? "0" : formatDuration(ms)),
};
