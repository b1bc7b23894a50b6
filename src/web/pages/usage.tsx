import { useMemo } from "react";
import type { UsageReport } from "../../serve/usage-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { formatCost, formatCount, formatDuration, formatInteger } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { go, useRoute } from "../shell/router.ts";
import { ChartPanel } from "../usage/chart-panel.tsx";
import { SourceBadge } from "../usage/source-badge.tsx";
import { firstDay, sum, tokenSum } from "../usage/usage-days.ts";
import { ModelTable, ProjectTable, ToolTable } from "../usage/usage-tables.tsx";
import "../styles/lists.css";
import "../usage/usage.css";

const RANGES = [7, 30, 90] as const;

/** What it cost, what for, and how long it waited. */
export function UsagePage() {
  const { usage: words, pages, app } = useStrings();
  const { query } = useRoute();
  const range = RANGES.find((days) => String(days) === query.get("days")) ?? 30;
  const by = query.get("by") === "project" ? "project" : "model";
  const since = useMemo(() => firstDay(range, Date.now()).toISOString(), [range]);
  const [asked, again] = useFetch<UsageReport>(`/api/usage?since=${since}&by=${by}`);
  const report = lastValue(asked);
  const change = (days: number, split: string): void => go(`/usage?days=${days}&by=${split}`, "replace");
  return (
    <div className="usage-page">
      <header className="page-head">
        <h1>{pages.usage}</h1>
        <div className="end">
          <SegmentedControl
            label={words.range}
            choices={RANGES.map((days) => [days, fill(words.days, { n: days })] as const)}
            chosen={range}
            onChoose={(days) => change(days, by)}
          />
        </div>
      </header>
      {asked.type === "failed" && (
        <p className="trouble" role="alert">
          {fill(app.failed, { why: visibleText(asked.error.message) })}{" "}
          <button type="button" className="button small" onClick={again}>
            {app.tryAgain}
          </button>
        </p>
      )}
      {report === null ? (
        asked.type === "asking" && <p className="muted">{app.loading}</p>
      ) : report.days.length === 0 ? (
        <p className="nothing muted">{fill(words.nothing, { n: range })}</p>
      ) : (
        <>
          <Totals report={report} />
          <ChartPanel report={report} range={range} by={by} onBy={(split) => change(range, split)} />
          <div className="tables">
            <ProjectTable projects={report.projects} />
            <div className="tables-beside">
              <ModelTable models={report.models} pricesOf={report.pricesOf} />
              <ToolTable tools={report.tools} />
            </div>
          </div>
        </>
      )}
    </div>
  );
}

/** A one-line summary. */
function Totals({ report }: { readonly report: UsageReport }) {
  const { usage: words } = useStrings();
  const { cost, days, pricesOf } = report;
  return (
    <p className="totals">
      <strong>{formatCost(cost)}</strong>
      <SourceBadge source={cost.source} pricesOf={pricesOf} models={cost.unpricedModels} />
      {cost.source !== "unpriced" && cost.unpricedModels.length > 0 && (
        <SourceBadge source="unpriced" pricesOf={pricesOf} models={cost.unpricedModels} />
      )}
      <span>
        <strong>{formatCount(sum(days.map(({ tokens }) => tokenSum(tokens))))}</strong> {words.tokenUnit}
      </span>
      <span>{fill(words.inSessions, { n: formatInteger(report.sessions) })}</span>
      <span>
        {words.waited} <strong>{formatDuration(sum(days.map(({ waitMs }) => waitMs)))}</strong>
      </span>
    </p>
  );
}
