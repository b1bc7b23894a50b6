import { shortModelName } from "../../agents/model-name.ts";
import type { DrivenSession } from "../../control/control-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { titleOf } from "../components/session-status.ts";
import { baseName, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { useAllSessions } from "../sessions/all-sessions.ts";
import { Link } from "../shell/link.tsx";
import { DrivenBadge } from "./driven-badge.tsx";
import { drivenCostText } from "./driven-cost.ts";

/** Sessions driven from here, running ones first. */
export function DrivenList({ sessions }: { readonly sessions: readonly DrivenSession[] }) {
  const { steer } = useStrings();
  const now = useNow();
  const watched = useStore(live).sessions;
  const allSessions = useAllSessions().sessions;
  const sorted = [...sessions].sort(
    (a, b) =>
      Number(a.state === "closed") - Number(b.state === "closed") ||
      (a.startedAtIso < b.startedAtIso ? 1 : -1),
  );
  if (sorted.length === 0) return <p className="muted calm">{steer.noneDriven}</p>;
  return (
    <div className="panel rows">
      {sorted.map((session) => {
        const { sessionId, state, cwd, projectPath, startedAtIso, model } = session;
        const snapshot = watched.get(sessionId) ?? allSessions.get(sessionId);
        return (
          <Link
            key={sessionId}
            href={`/steer/${encodeURIComponent(sessionId)}`}
            className="driven-row"
            data-row
          >
            <DrivenBadge state={state} />
            <span className="title cut">
              {visibleText(snapshot === undefined ? sessionId.slice(0, 8) : titleOf(snapshot))}
            </span>
            <span className="muted cut where" title={visibleText(cwd)}>
              {visibleText(baseName(projectPath ?? cwd))}
            </span>
            <span className="muted cut model">
              {visibleText(model === null ? "" : shortModelName(model))}
            </span>
            <span className="number">{drivenCostText(session, snapshot)}</span>
            <span className="number muted ago">
              {fill(steer.started, { age: formatShortDuration(now - Date.parse(startedAtIso)) })}
            </span>
          </Link>
        );
      })}
    </div>
  );
}
