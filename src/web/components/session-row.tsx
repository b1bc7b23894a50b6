import { shortModelName } from "../../agents/model-name.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { runDurationMs } from "../../shown/run-duration.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { baseName, formatCost, formatCount, formatDuration, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { SessionMarkIcons } from "./session-marks.tsx";
import { sinceOf, titleOf } from "./session-status.ts";
import { StateBadge } from "./state-badge.tsx";
import { Subagents } from "./subagents.tsx";
import { previewLine } from "./without-markdown.ts";
import "./session-row.css";
import { daemonText } from "../i18n/daemon-text.ts";

/** One session in a list: what and where it is, what it is doing, and its usage. */
export function SessionRow({
  session,
  isNew = false,
}: {
  readonly session: SessionSnapshot;
  /** It ended while the user was away. */
  readonly isNew?: boolean;
}) {
  const now = useNow();
  const strings = useStrings();
  const { model, endedAtIso } = session;
  return (
    <div className="session-item" data-session={session.sessionId}>
      <Link href={`/s/${encodeURIComponent(session.sessionId)}`} className="session-row" data-row>
        <StateBadge session={session} />
        <span className="what">
          <span className="title-line">
            {isNew && (
              <span
                className="new-dot"
                role="img"
                aria-label={strings.now.endedWhileAway}
                title={strings.now.endedWhileAway}
              />
            )}
            <span className="title cut">{titleOf(session).split("\n")[0]}</span>
            <SessionMarkIcons sessionId={session.sessionId} />
          </span>
          <CurrentAction session={session} now={now} />
        </span>
        <span className="where cut muted">
          {visibleText(baseName(session.projectPath))}
          {session.gitBranch !== null && <span> ▸ {visibleText(session.gitBranch)}</span>}
        </span>
        <span className="model cut muted">{visibleText(model === null ? "" : shortModelName(model))}</span>
        {endedAtIso === null ? (
          <ContextMeter session={session} />
        ) : (
          <span className="ran number muted">
            {fill(strings.now.ran, {
              age: formatShortDuration(runDurationMs(session, Date.parse(endedAtIso))),
            })}
          </span>
        )}
        <span className="number muted turns">{fill(strings.unit.turns, { n: session.turnCount })}</span>
        <span className="number cost">{formatCost(session.cost)}</span>
        <span className="number muted ago">{formatShortDuration(now - Date.parse(sinceOf(session)))}</span>
      </Link>
      {endedAtIso === null && <Subagents session={session} now={now} />}
    </div>
  );
}

/** The current skill, tool, input and duration; for an ended session, its last message. */
function CurrentAction({ session, now }: { readonly session: SessionSnapshot; readonly now: number }) {
  const { action, currentSkill, endedAtIso } = session;
  if (endedAtIso !== null || action === null)
    return (
      <span className="doing cut muted">
        {endedAtIso === null || session.lastAssistantMessage === null
          ? firstLineOf(daemonText(session.why))
          : visibleText(previewLine(session.lastAssistantMessage))}
      </span>
    );
  return (
    <span className="doing muted">
      {currentSkill !== null && <span className="skill">/{visibleText(currentSkill)}</span>}
      <span className="cut">
        {action.toolName !== null && <strong>{visibleText(action.toolName)}</strong>}{" "}
        {firstLineOf(action.toolName === null ? daemonText(action.text) : action.text)}
      </span>
      <span className="since">{formatDuration(now - Date.parse(action.sinceIso))}</span>
    </span>
  );
}

function ContextMeter({ session }: { readonly session: SessionSnapshot }) {
  const strings = useStrings();
  const { contextTokens, contextWindow } = session;
  const ratio = contextTokens !== null && contextWindow ? Math.min(1, contextTokens / contextWindow) : null;
  return (
    <span
      className="context"
      title={
        contextTokens === null
          ? undefined
          : `${formatCount(contextTokens)} / ${formatCount(contextWindow ?? 0)}`
      }
    >
      {ratio !== null && (
        <>
          <meter min={0} max={1} high={0.85} value={ratio} aria-label={strings.session.context} />
          <span className="number muted">{Math.round(ratio * 100)}%</span>
        </>
      )}
    </span>
  );
}

function firstLineOf(text: string): string {
  return visibleText(text.trimStart().split("\n", 1)[0] ?? "");
}
