import { useMemo, useState } from "react";
import type { AwayReport, SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { useNow } from "../api/clock.ts";
import { lastValue, useFetch } from "../api/use-fetch.ts";
import { ChangedFiles } from "../away/changed-files.tsx";
import { Failures } from "../away/failures.tsx";
import { SessionRow } from "../components/session-row.tsx";
import { formatCost, formatDateTime, formatDuration } from "../i18n/format.ts";
import { requestCountSuffix } from "../i18n/request-count-suffix.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { go, useRoute } from "../shell/router.ts";
import "../styles/lists.css";
import "../away/away.css";

const LOOK_BACK_MS = { seen: 0, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type LookBack = keyof typeof LOOK_BACK_MS;

/** What happened while the user was away: pending requests, failures, finished sessions. */
export function AwayPage() {
  const { away: strings, app, pages } = useStrings();
  const { query } = useRoute();
  const lookBack: LookBack =
    (Object.keys(LOOK_BACK_MS) as LookBack[]).find((key) => key === query.get("last")) ?? "seen";
  const path = useMemo(
    () =>
      lookBack === "seen"
        ? "/api/away"
        : `/api/away?since=${new Date(Date.now() - LOOK_BACK_MS[lookBack]).toISOString()}`,
    [lookBack],
  );
  const [response, refetch] = useFetch<AwayReport>(path);
  const [error, setError] = useState<string | null>(null);
  const report = lastValue(response);
  const failed = response.type === "failed" ? response.error.message : error;
  const markSeen = async (atIso: string): Promise<void> => {
    setError(null);
    await send("POST", "/api/away/seen", { atIso }).then(
      () => (lookBack === "seen" ? refetch() : go("/away", "replace")),
      (error: Error) => setError(error.message),
    );
  };
  return (
    <div className="away-page">
      <header className="page-head">
        <h1>{pages.away}</h1>
        <select
          className="field"
          aria-label={strings.lookBack}
          value={lookBack}
          onChange={(event) =>
            go(event.target.value === "seen" ? "/away" : `/away?last=${event.target.value}`, "replace")
          }
        >
          {(Object.keys(LOOK_BACK_MS) as LookBack[]).map((key) => (
            <option key={key} value={key}>
              {strings.last[key]}
            </option>
          ))}
        </select>
        {report !== null && (
          <div className="end">
            <button
              type="button"
              className="button primary"
              data-key="s"
              onClick={() => void markSeen(report.untilIso)}
            >
              <span aria-hidden="true">✓</span> {strings.markSeen}
            </button>
          </div>
        )}
      </header>
      {failed !== null && (
        <p className="error-text" role="alert">
          {fill(app.failed, { why: visibleText(failed) })}
        </p>
      )}
      {report === null ? (
        response.type === "loading" && <p className="muted">{app.loading}</p>
      ) : (
        <ReportView report={report} />
      )}
    </div>
  );
}

function ReportView({ report }: { readonly report: AwayReport }) {
  const { away: strings } = useStrings();
  const { needsPerson, finished, lost, failures, filesChanged } = report;
  const sessions = new Map(
    [...needsPerson, ...finished, ...lost].map((session) => [session.sessionId, session]),
  );
  const isQuiet = sessions.size === 0 && failures.length === 0 && filesChanged.length === 0;
  return (
    <>
      <Figures report={report} />
      {isQuiet && <p className="nothing muted">{strings.nothing}</p>}
      <Failures failures={failures} sessions={sessions} />
      <Group title={strings.lost} tone="bad" sessions={lost} />
      <Group title={strings.finished} tone="done" sessions={finished} />
      <ChangedFiles files={filesChanged} />
    </>
  );
}

/** The figures for the time away. Pending requests are on the Now page, where they can be answered. */
function Figures({ report }: { readonly report: AwayReport }) {
  const { away: strings, unit } = useStrings();
  const now = useNow();
  const { needsPerson, finished, lost, failures, filesChanged, sinceIso, cost } = report;
  const requests = needsPerson.reduce((sum, session) => sum + session.requests.length, 0);
  const requestSuffix = requestCountSuffix({ sessions: needsPerson.length, requests }, unit.requests);
  const counts = [
    ["bad", failures.length, strings.count.failed],
    ["bad", lost.length, strings.count.lost],
    ["done", finished.length, strings.count.finished],
    ["", filesChanged.length, strings.count.files],
    ["", report.failedToolCount, strings.count.failedTools],
  ] as const;
  return (
    <>
      <p className="muted since">
        {fill(strings.since, { time: formatDateTime(sinceIso) })} ·{" "}
        {formatDuration(now - Date.parse(sinceIso))}
      </p>
      <ul className="figures glance">
        {needsPerson.length > 0 && (
          <li>
            <Link href="/" className="ask" data-row>
              <Figure
                value={String(needsPerson.length)}
                name={fill(strings.count.waiting + requestSuffix, { n: needsPerson.length })}
              />
            </Link>
          </li>
        )}
        {counts.map(
          ([tone, n, name]) =>
            n > 0 && (
              <li key={name} className={tone}>
                <Figure value={String(n)} name={fill(name, { n })} />
              </li>
            ),
        )}
        {cost.micros !== null && cost.micros > 0 && (
          <li>
            <Figure value={formatCost(cost)} name={strings.cost} />
          </li>
        )}
        {report.humanWaitMs > 999 && (
          <li>
            <Figure value={formatDuration(report.humanWaitMs)} name={strings.waited} />
          </li>
        )}
      </ul>
    </>
  );
}

function Figure({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <>
      <strong>{value}</strong> <span className="name">{name}</span>
    </>
  );
}

function Group({
  title,
  tone,
  sessions,
}: {
  readonly title: string;
  readonly tone: string;
  readonly sessions: readonly SessionSnapshot[];
}) {
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2 className={tone}>
        {title} <span className="muted">{sessions.length}</span>
      </h2>
      <div className="panel rows">
        {sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </div>
    </section>
  );
}
