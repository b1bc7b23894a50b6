import { modelName } from "../../agents/model-name.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { ranMs } from "../../shown/ran.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { Link } from "../shell/link.tsx";
import { age, baseName, count, money, shortAge } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { SessionSigns } from "./session-marks.tsx";
import { sinceOf, titleOf } from "./standing.ts";
import { StateMark } from "./state-mark.tsx";
import { Subagents } from "./subagents.tsx";
import { previewLine } from "./without-markdown.ts";
import "./session-row.css";

/** One session in a list: what it is, where, what it does now, and what it has used. */
export function SessionRow({
  session,
  isNew = false,
}: {
  readonly session: SessionSnapshot;
  /** It ended while nobody looked. */
  readonly isNew?: boolean;
}) {
  const now = useNow();
  const words = useWords();
  const { model, endedAtIso } = session;
  return (
    <div className="session-item" data-session={session.sessionId}>
      <Link href={`/s/${encodeURIComponent(session.sessionId)}`} className="session-row" data-row>
        <StateMark session={session} />
        <span className="what">
          <span className="title-line">
            {isNew && (
              <span className="new-dot" role="img" aria-label={words.now.isNew} title={words.now.isNew} />
            )}
            <span className="title cut">{titleOf(session).split("\n")[0]}</span>
            <SessionSigns sessionId={session.sessionId} />
          </span>
          <Doing session={session} now={now} />
        </span>
        <span className="where cut muted">
          {visibleText(baseName(session.projectPath))}
          {session.gitBranch !== null && <span> ▸ {visibleText(session.gitBranch)}</span>}
        </span>
        <span className="model cut muted">{visibleText(model === null ? "" : modelName(model))}</span>
        {endedAtIso === null ? (
          <Context session={session} />
        ) : (
          <span className="ran number muted">
            {fill(words.now.ran, {
              age: shortAge(ranMs(session, Date.parse(endedAtIso))),
            })}
          </span>
        )}
        <span className="number muted turns">{fill(words.unit.turns, { n: session.turnCount })}</span>
        <span className="number cost">{money(session.cost)}</span>
        <span className="number muted ago">{shortAge(now - Date.parse(sinceOf(session)))}</span>
      </Link>
      {endedAtIso === null && <Subagents session={session} now={now} />}
    </div>
  );
}

/** The skill, the tool, what it is given, and for how long by now; of what is over, its last words. */
function Doing({ session, now }: { readonly session: SessionSnapshot; readonly now: number }) {
  const { action, currentSkill, endedAtIso } = session;
  if (endedAtIso !== null || action === null)
    return (
      <span className="doing cut muted">
        {endedAtIso === null || session.lastAssistantMessage === null
          ? lineOf(session.why)
          : visibleText(previewLine(session.lastAssistantMessage))}
      </span>
    );
  return (
    <span className="doing muted">
      {currentSkill !== null && <span className="skill">/{visibleText(currentSkill)}</span>}
      <span className="cut">
        {action.toolName !== null && <strong>{visibleText(action.toolName)}</strong>} {lineOf(action.text)}
      </span>
      <span className="since">{age(now - Date.parse(action.sinceIso))}</span>
    </span>
  );
}

function Context({ session }: { readonly session: SessionSnapshot }) {
  const words = useWords();
  const { contextTokens, contextWindow } = session;
  const share = contextTokens !== null && contextWindow ? Math.min(1, contextTokens / contextWindow) : null;
  return (
    <span
      className="context"
      title={contextTokens === null ? undefined : `${count(contextTokens)} / ${count(contextWindow ?? 0)}`}
    >
      {share !== null && (
        <>
          <meter min={0} max={1} high={0.85} value={share} aria-label={words.session.context} />
          <span className="number muted">{Math.round(share * 100)}%</span>
        </>
      )}
    </span>
  );
}

function lineOf(text: string): string {
  return visibleText(text.trimStart().split("\n", 1)[0] ?? "");
}
