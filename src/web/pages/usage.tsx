import { useMemo } from "react";
import type { UsageReport } from "../../serve/usage-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useAnswer } from "../api/use-answer.ts";
import { Choice } from "../parts/choice.tsx";
import { go, usePlace } from "../shell/router.ts";
import { ChartPanel } from "../usage/chart-panel.tsx";
import { SourceBadge } from "../usage/source-badge.tsx";
import { firstDay, sum, tokenSum } from "../usage/usage-days.ts";
import { ModelTable, ProjectTable, ToolTable } from "../usage/usage-tables.tsx";
import { age, count, money, whole } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import "../look/lists.css";
import "../usage/usage.css";

const RANGES = [7, 30, 90] as const;

/** What it cost, where it went, and what it waited for. */
export function UsagePage() {
  const { usage: words, pages, app } = useWords();
  const { query } = usePlace();
  const range = RANGES.find((days) => String(days) === query.get("days")) ?? 30;
  const by = query.get("by") === "project" ? "project" : "model";
  const since = useMemo(() => firstDay(range, Date.now()).toISOString(), [range]);
  const [asked, again] = useAnswer<UsageReport>(`/api/usage?since=${since}&by=${by}`);
  const report = lastValue(asked);
  const change = (days: number, split: string): void => go(`/usage?days=${days}&by=${split}`, "replace");
  return (
    <div className="usage-page">
      <header className="page-head">
        <h1>{pages.usage}</h1>
        <div className="end">
          <Choice
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
            {app.again}
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

/** One line, to be read in a glance. */
function Totals({ report }: { readonly report: UsageReport }) {
  const { usage: words } = useWords();
  const { cost, days, pricesOf } = report;
  return (
    <p className="totals">
      <strong>{money(cost)}</strong>
      <SourceBadge source={cost.source} pricesOf={pricesOf} models={cost.unpricedModels} />
      {cost.source !== "unpriced" && cost.unpricedModels.length > 0 && (
        <SourceBadge source="unpriced" pricesOf={pricesOf} models={cost.unpricedModels} />
      )}
      <span>
        <strong>{count(sum(days.map(({ tokens }) => tokenSum(tokens))))}</strong> {words.tokenUnit}
      </span>
      <span>{fill(words.inAll, { n: whole(report.sessions) })}</span>
      <span>
        {words.waited} <strong>{age(sum(days.map(({ waitMs }) => waitMs)))}</strong>
      </span>
    </p>
  );
}
