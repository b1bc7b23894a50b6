import { useMemo } from "react";
import type { UsageReport } from "../../serve/usage-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { go, useRoute } from "../shell/router.ts";
import { ChartPanel } from "../usage/chart-panel.tsx";
import { totalsBefore } from "../usage/compare-periods.ts";
import { DayPanel } from "../usage/day-panel.tsx";
import { downloadCsv } from "../usage/usage-csv.ts";
import { dayName, firstDay } from "../usage/usage-days.ts";
import { ModelTable, ProjectTable, ToolTable } from "../usage/usage-tables.tsx";
import { UsageTotals } from "../usage/usage-totals.tsx";
import "../styles/lists.css";
import "../usage/usage.css";

const RANGES = [7, 30, 90] as const;

/** What it cost, what for, and how long it waited. */
export function UsagePage() {
  const { usage: words, pages, app } = useStrings();
  const { query } = useRoute();
  const range = RANGES.find((days) => String(days) === query.get("days")) ?? 30;
  const by = query.get("by") === "project" ? "project" : "model";
  const picked = query.get("day");
  const day = picked !== null && /^\d{4}-\d{2}-\d{2}$/.test(picked) ? picked : null;
  const { since, first, before } = useMemo(() => {
    const start = firstDay(range, Date.now());
    return {
      since: start.toISOString(),
      first: dayName(start),
      before: firstDay(2 * range, Date.now()).toISOString(),
    };
  }, [range]);
  const [asked, again] = useFetch<UsageReport>(`/api/usage?since=${since}&by=${by}`);
  const [earlier] = useFetch<UsageReport>(`/api/usage?since=${before}&by=model`);
  const report = lastValue(asked);
  const change = (part: { days?: number; by?: string; day?: string | null }): void => {
    const wanted = { days: range, by, day, ...part };
    const at = wanted.day === null ? "" : `&day=${wanted.day}`;
    go(`/usage?days=${wanted.days}&by=${wanted.by}${at}`, "replace");
  };
  return (
    <div className="usage-page">
      <header className="page-head">
        <h1>{pages.usage}</h1>
        <div className="end">
          {report !== null && report.days.length > 0 && (
            <button
              type="button"
              className="button"
              onClick={() => downloadCsv(report.days, `hookline-usage-${range}-days.csv`)}
            >
              {words.exportCsv}
            </button>
          )}
          <SegmentedControl
            label={words.range}
            choices={RANGES.map((days) => [days, fill(words.days, { n: days })] as const)}
            chosen={range}
            onChoose={(days) => change({ days, day: null })}
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
          <UsageTotals
            report={report}
            before={totalsBefore(lastValue(earlier)?.days ?? [], first)}
            range={range}
          />
          <ChartPanel
            report={report}
            range={range}
            by={by}
            onBy={(split) => change({ by: split })}
            onPickDay={(picked) => change({ day: picked })}
          />
          {day !== null && (
            <DayPanel
              key={day}
              day={day}
              usage={report.days.find((one) => one.day === day)}
              since={since}
              by={by}
              onClose={() => change({ day: null })}
            />
          )}
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
