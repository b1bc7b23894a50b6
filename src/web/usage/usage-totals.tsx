import type { UsageReport } from "../../serve/usage-contract.ts";
import { microsText } from "../../shown/cost-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { formatCost, formatCount, formatDuration, formatInteger } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { changeText, type PeriodTotals, totalsOf } from "./compare-periods.ts";
import { SourceBadge } from "./source-badge.tsx";

/** The totals of the period, each with its change from the previous period. */
export function UsageTotals({
  report,
  previous,
  range,
}: {
  readonly report: UsageReport;
  readonly previous: PeriodTotals | null;
  readonly range: number;
}) {
  const { usage: strings } = useStrings();
  const { cost, days, pricesOf, sessions } = report;
  const current = totalsOf(days);
  const change = (key: keyof PeriodTotals, format: (value: number) => string) =>
    previous !== null && (
      <Change
        text={changeText(current[key], previous[key])}
        versus={fill(strings.before, { n: range, value: visibleText(format(previous[key])) })}
      />
    );
  return (
    <dl className="figures">
      <div>
        <dt>{strings.cost}</dt>
        <dd>
          <strong>{formatCost(cost)}</strong>
          <SourceBadge source={cost.source} pricesOf={pricesOf} models={cost.unpricedModels} />
          {cost.source !== "unpriced" && cost.unpricedModels.length > 0 && (
            <SourceBadge source="unpriced" pricesOf={pricesOf} models={cost.unpricedModels} />
          )}
          {change("costMicros", microsText)}
        </dd>
      </div>
      <div>
        <dt>{strings.tokens}</dt>
        <dd>
          <strong>{formatCount(current.tokens)}</strong> {change("tokens", formatCount)}
        </dd>
      </div>
      <div>
        <dt>{strings.sessions}</dt>
        <dd>
          <strong>{formatInteger(sessions)}</strong>
        </dd>
      </div>
      <div>
        <dt>{strings.waited}</dt>
        <dd>
          <strong>{formatDuration(current.waitMs)}</strong> {change("waitMs", formatDuration)}
        </dd>
      </div>
    </dl>
  );
}

function Change({ text, versus }: { readonly text: string | null; readonly versus: string }) {
  if (text === null) return null;
  return (
    <span className="change">
      <strong>{text}</strong> <span className="muted">{versus}</span>
    </span>
  );
}
