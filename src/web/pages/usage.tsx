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

/** Cost, tokens and waiting time, by day, project, model and tool. */
export function UsagePage() {
  const { usage: strings, pages, app } = useStrings();
  const { query } = useRoute();
  const range = RANGES.find((days) => String(days) === query.get("days")) ?? 30;
  const by = query.get("by") === "project" ? "project" : "model";
  const dayParam = query.get("day");
  const day = dayParam !== null && /^\d{4}-\d{2}-\d{2}$/.test(dayParam) ? dayParam : null;
  const { since, firstShownDay, previousSince } = useMemo(() => {
    const start = firstDay(range, Date.now());
    return {
      since: start.toISOString(),
      firstShownDay: dayName(start),
      previousSince: firstDay(2 * range, Date.now()).toISOString(),
    };
  }, [range]);
  const [response, refetch] = useFetch<UsageReport>(`/api/usage?since=${since}&by=${by}`);
  const [previousResponse] = useFetch<UsageReport>(`/api/usage?since=${previousSince}&by=model`);
  const report = lastValue(response);
  const update = (changes: { days?: number; by?: string; day?: string | null }): void => {
    const next = { days: range, by, day, ...changes };
    const dayQuery = next.day === null ? "" : `&day=${next.day}`;
    go(`/usage?days=${next.days}&by=${next.by}${dayQuery}`, "replace");
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
              {strings.exportCsv}
            </button>
          )}
          <SegmentedControl
            label={strings.range}
            options={RANGES.map((days) => [days, fill(strings.days, { n: days })] as const)}
            selected={range}
            onSelect={(days) => update({ days, day: null })}
          />
        </div>
      </header>
      {response.type === "failed" && (
        <p className="error-text" role="alert">
          {fill(app.failed, { why: visibleText(response.error.message) })}{" "}
          <button type="button" className="button small" onClick={refetch}>
            {app.tryAgain}
          </button>
        </p>
      )}
      {report === null ? (
        response.type === "loading" && <p className="muted">{app.loading}</p>
      ) : report.days.length === 0 ? (
        <p className="nothing muted">{fill(strings.nothing, { n: range })}</p>
      ) : (
        <>
          <UsageTotals
            report={report}
            previous={totalsBefore(lastValue(previousResponse)?.days ?? [], firstShownDay)}
            range={range}
          />
          <ChartPanel
            report={report}
            range={range}
            by={by}
            onSplitChange={(value) => update({ by: value })}
            onPickDay={(picked) => update({ day: picked })}
          />
          {day !== null && (
            <DayPanel
              key={day}
              day={day}
              usage={report.days.find((usageDay) => usageDay.day === day)}
              since={since}
              by={by}
              onClose={() => update({ day: null })}
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
