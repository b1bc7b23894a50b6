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

const BACK = { seen: 0, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type Back = keyof typeof BACK;

/** What happened while the user was away: what waits, what failed, what is done. */
export function AwayPage() {
  const { away: words, app, pages } = useStrings();
  const { query } = useRoute();
  const back: Back = (Object.keys(BACK) as Back[]).find((key) => key === query.get("last")) ?? "seen";
  const path = useMemo(
    () =>
      back === "seen" ? "/api/away" : `/api/away?since=${new Date(Date.now() - BACK[back]).toISOString()}`,
    [back],
  );
  const [asked, again] = useFetch<AwayReport>(path);
  const [trouble, setTrouble] = useState<string | null>(null);
  const report = lastValue(asked);
  const failed = asked.type === "failed" ? asked.error.message : trouble;
  const see = async (atIso: string): Promise<void> => {
    setTrouble(null);
    await send("POST", "/api/away/seen", { atIso }).then(
      () => (back === "seen" ? again() : go("/away", "replace")),
      (error: Error) => setTrouble(error.message),
    );
  };
  return (
    <div className="away-page">
      <header className="page-head">
        <h1>{pages.away}</h1>
        <select
          className="field"
          aria-label={words.lookBack}
          value={back}
          onChange={(event) =>
            go(event.target.value === "seen" ? "/away" : `/away?last=${event.target.value}`, "replace")
          }
        >
          {(Object.keys(BACK) as Back[]).map((key) => (
            <option key={key} value={key}>
              {words.last[key]}
            </option>
          ))}
        </select>
        {report !== null && (
          <div className="end">
            <button
              type="button"
              className="button primary"
              data-key="s"
              onClick={() => void see(report.untilIso)}
            >
              <span aria-hidden="true">✓</span> {words.markSeen}
            </button>
          </div>
        )}
      </header>
      {failed !== null && (
        <p className="trouble" role="alert">
          {fill(app.failed, { why: visibleText(failed) })}
        </p>
      )}
      {report === null ? (
        asked.type === "asking" && <p className="muted">{app.loading}</p>
      ) : (
        <Report report={report} />
      )}
    </div>
  );
}

function Report({ report }: { readonly report: AwayReport }) {
  const { away: words } = useStrings();
  const { needsPerson, finished, lost, failures, filesChanged } = report;
  const sessions = new Map(
    [...needsPerson, ...finished, ...lost].map((session) => [session.sessionId, session]),
  );
  const isQuiet = sessions.size === 0 && failures.length === 0 && filesChanged.length === 0;
  return (
    <>
      <Glance report={report} />
      {isQuiet && <p className="nothing muted">{words.nothing}</p>}
      <Failures failures={failures} sessions={sessions} />
      <Group title={words.lost} tone="bad" sessions={lost} />
      <Group title={words.finished} tone="done" sessions={finished} />
      <ChangedFiles files={filesChanged} />
    </>
  );
}

/** The figures of the absence. What waits is on Now, where it can be answered. */
function Glance({ report }: { readonly report: AwayReport }) {
  const { away: words, unit } = useStrings();
  const now = useNow();
  const { needsPerson, finished, lost, failures, filesChanged, sinceIso, cost } = report;
  const requests = needsPerson.reduce((sum, session) => sum + session.requests.length, 0);
  const more = requestCountSuffix({ sessions: needsPerson.length, requests }, unit.requests);
  const counts = [
    ["bad", failures.length, words.count.failed],
    ["bad", lost.length, words.count.lost],
    ["done", finished.length, words.count.finished],
    ["", filesChanged.length, words.count.files],
    ["", report.failedToolCount, words.count.failedTools],
  ] as const;
  return (
    <>
      <p className="muted since">
        {fill(words.since, { time: formatDateTime(sinceIso) })} · {formatDuration(now - Date.parse(sinceIso))}
      </p>
      <ul className="figures glance">
        {needsPerson.length > 0 && (
          <li>
            <Link href="/" className="ask" data-row>
              <Figure
                value={String(needsPerson.length)}
                name={fill(words.count.waiting + more, { n: needsPerson.length })}
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
            <Figure value={formatCost(cost)} name={words.cost} />
          </li>
        )}
        {report.humanWaitMs > 999 && (
          <li>
            <Figure value={formatDuration(report.humanWaitMs)} name={words.waited} />
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
