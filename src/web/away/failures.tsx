import type { AwayReport, SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { titleOf } from "../components/session-status.ts";
import { formatDay, formatTime } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";

/** Turns that ended with an error, with the original error message. */
export function Failures({
  failures,
  sessions,
}: {
  readonly failures: AwayReport["failures"];
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
}) {
  const { away: strings } = useStrings();
  const watched = useStore(live).sessions;
  if (failures.length === 0) return null;
  return (
    <section>
      <h2 className="bad">
        {strings.failed} <span className="muted">{failures.length}</span>
      </h2>
      <ul className="panel rows failures">
        {failures.map(({ sessionId, atIso, what, message }) => {
          const session = sessions.get(sessionId) ?? watched.get(sessionId);
          return (
            <li key={`${sessionId} ${atIso}`}>
              <Link href={`/s/${encodeURIComponent(sessionId)}`} data-row>
                <time className="muted" dateTime={atIso}>
                  {formatDay(atIso)} {formatTime(atIso).slice(0, 5)}
                </time>
                <span className="title cut">
                  {visibleText(session === undefined ? sessionId.slice(0, 8) : titleOf(session))}
                </span>
                <span className="why cut">
                  ✕ {visibleText(what)}
                  {message !== null && `: ${visibleText(message)}`}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
