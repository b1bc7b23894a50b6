import { useLayoutEffect, useRef, useState } from "react";
import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { useStore } from "../api/store.ts";
import { CopyButton } from "../session/copy-button.tsx";
import { resumeCommand } from "../session/resume-command.ts";
import { Link } from "../shell/link.tsx";
import { approves } from "../shell/use-aside.ts";
import { age, baseName } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { AnswerCard } from "./answer-card.tsx";
import { isLong, RequestText } from "./request-text.tsx";
import { SessionSigns } from "./session-marks.tsx";
import { titleOf } from "./standing.ts";
import { StateMark } from "./state-mark.tsx";
import { useSeen } from "./use-seen.ts";
import "./request-card.css";

/** When so little is left of the time in which it can be answered from here, that is told. */
const SOON_MS = 60_000;

/** One session that waits: what it asks in its exact words, and the answers that can be given from here. */
export function RequestCard({
  session,
  card,
  isOnOwnPage = false,
}: {
  readonly session: SessionSnapshot;
  readonly card: Card | undefined;
  readonly isOnOwnPage?: boolean;
}) {
  const words = useWords();
  const now = useNow();
  const canApprove = useStore(approves);
  const article = useRef<HTMLElement>(null);
  const { waiting } = session;
  const href = `/s/${encodeURIComponent(session.sessionId)}`;
  const request = `${waiting?.requestId} ${card?.id}`;
  /** The agent is told, and has said nothing yet. */
  const [answered, setAnswered] = useState<string | null>(null);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const isOpen = unfolded === request;
  const isWhole = waiting === null || waiting.kind === "question" || isOpen || !isLong(waiting.text);
  const isSeen = useSeen(article, `${request} ${isWhole}`);
  const heightPx = useHeight(article, session.needsPerson);
  if (!session.needsPerson) return <Settled session={session} heightPx={heightPx} />;
  const since = waiting?.sinceIso ?? session.sinceIso;
  const resume = resumeCommand(session);
  const leftMs = card?.untilIso == null || card.status !== "pending" ? null : Date.parse(card.untilIso) - now;
  return (
    <article
      ref={article}
      className="request-card panel"
      data-row
      data-session={session.sessionId}
      data-href={isOnOwnPage ? undefined : href}
      data-answerable={isSeen && isWhole ? "yes" : "no"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys answer the card that has the focus
      tabIndex={0}
      aria-label={`${words.now.needsYou}: ${titleOf(session)}`}
    >
      <header>
        <StateMark session={session} />
        {!isOnOwnPage && (
          <Link href={href} className="title cut">
            {titleOf(session)}
          </Link>
        )}
        <SessionSigns sessionId={session.sessionId} />
        <span className="muted where cut">
          {visibleText(baseName(session.projectPath))}
          {session.gitBranch !== null && ` ▸ ${visibleText(session.gitBranch)}`}
        </span>
        {!isOnOwnPage && (
          <span className="ways">
            {resume !== null && (
              <CopyButton text={resume} label={words.now.copyResume} className="button bare small" />
            )}
            <Link href={href} className="button bare small">
              {words.keys.open}
            </Link>
          </span>
        )}
        <span className="waits">{fill(words.now.waits, { age: age(now - Date.parse(since)) })}</span>
      </header>
      {waiting !== null && waiting.kind !== "question" && (
        <RequestText text={waiting.text} isOpen={isOpen} onOpen={() => setUnfolded(request)} />
      )}
      {waiting === null && <p className="why">{visibleText(session.why)}</p>}
      {card?.reason != null && <p className="muted why">{visibleText(card.reason)}</p>}
      {card === undefined ? (
        waiting?.kind === "question" && <Questions session={session} />
      ) : (
        <AnswerCard key={card.id} card={card} onAnswered={() => setAnswered(waiting?.requestId ?? null)} />
      )}
      {session.alsoWaiting > 0 && <p className="muted">{fill(words.now.also, { n: session.alsoWaiting })}</p>}
      {card === undefined && waiting !== null && (
        <p className="muted hint">
          {answered === waiting.requestId ? (
            words.card.answered
          ) : (
            <>
              {words.card.terminalOnly}{" "}
              {canApprove === false && <span className="mono">{words.card.terminalHint}</span>}
            </>
          )}
        </p>
      )}
      {leftMs !== null && leftMs < SOON_MS && (
        <p className="muted hint">{fill(words.card.until, { age: age(leftMs) })}</p>
      )}
    </article>
  );
}

/** Its place stays while somebody points at the list: what is below must not slip under their hand. */
function Settled({ session, heightPx }: { readonly session: SessionSnapshot; readonly heightPx: number }) {
  const words = useWords();
  return (
    <article className="request-card panel settled" style={{ minHeight: heightPx }}>
      <header>
        <StateMark session={session} />
        <Link href={`/s/${encodeURIComponent(session.sessionId)}`} className="title cut">
          {titleOf(session)}
        </Link>
        <span className="muted">{words.now.settled}</span>
      </header>
    </article>
  );
}

function useHeight(element: React.RefObject<HTMLElement | null>, isMeasured: boolean): number {
  const height = useRef(0);
  useLayoutEffect(() => {
    if (isMeasured && element.current !== null) height.current = element.current.offsetHeight;
  });
  return height.current;
}

function Questions({ session }: { readonly session: SessionSnapshot }) {
  return (
    <ul className="questions">
      {session.waiting?.questions.map(({ question, options }) => (
        <li key={question}>
          <strong>{visibleText(question)}</strong>
          <span className="muted"> {options.map(({ label }) => visibleText(label)).join(" · ")}</span>
        </li>
      ))}
    </ul>
  );
}
