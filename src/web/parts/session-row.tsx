import type { SessionSnapshot } from "../../serve/contract.ts";
import { useNow } from "../api/clock.ts";
import { Link } from "../shell/link.tsx";
import { age, baseName, count, money, shortAge } from "../words/amounts.ts";
import { useWords } from "../words/words.ts";
import { visible } from "./code-text.tsx";
import { titleOf } from "./standing.ts";
import { StateMark } from "./state-mark.tsx";
import "./session-row.css";

/** One session in a list: what it is, where, what it does now, and what it has used. */
export function SessionRow({ session }: { readonly session: SessionSnapshot }) {
  const now = useNow();
  const words = useWords();
  const { action, contextTokens, contextWindow, model, subagents, endedAtIso } = session;
  const running = subagents.filter(({ isRunning }) => isRunning).length;
  const since = action?.sinceIso ?? session.sinceIso;
  const share = contextTokens !== null && contextWindow ? Math.min(1, contextTokens / contextWindow) : null;
  const doing =
    endedAtIso !== null
      ? (session.lastAssistantMessage ?? session.why)
      : action !== null
        ? `${action.toolName === null ? "" : `${action.toolName}  `}${action.text}`
        : session.why;
  return (
    <Link href={`/s/${session.sessionId}`} className="session-row" data-row>
      <StateMark session={session} />
      <span className="what">
        <span className="title cut">{visible(titleOf(session))}</span>
        <span className="doing cut muted">{visible(doing.split("\n")[0] ?? "")}</span>
      </span>
      <span className="where cut muted">
        {baseName(session.projectPath)}
        {session.gitBranch !== null && <span> ▸ {session.gitBranch}</span>}
      </span>
      <span className="agents muted">{running > 0 && `+${running}`}</span>
      <span className="model cut muted">{model?.replace(/^claude-/, "").replace(/-\d.*$/, "") ?? ""}</span>
      <span
        className="context"
        title={contextTokens === null ? undefined : `${count(contextTokens)} / ${count(contextWindow ?? 0)}`}
      >
        {share !== null && (
          <>
            <meter min={0} max={1} high={0.85} value={share} aria-label="context" />
            <span className="number muted">{Math.round(share * 100)}%</span>
          </>
        )}
      </span>
      <span className="number muted turns">{words.unit.turns.replace("{n}", String(session.turnCount))}</span>
      <span className="number cost">{money(session.cost)}</span>
      <span className="number muted ago">
        {endedAtIso === null ? age(now - Date.parse(since)) : shortAge(now - Date.parse(endedAtIso))}
      </span>
    </Link>
  );
}
