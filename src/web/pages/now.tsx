import type { SessionSnapshot } from "../../serve/contract.ts";
import { cards } from "../api/cards.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { FirstRun, isSample } from "../parts/first-run.tsx";
import { useFrozenOrder } from "../parts/frozen-order.ts";
import { RequestCard } from "../parts/request-card.tsx";
import { SessionRow } from "../parts/session-row.tsx";
import { isRunning, needsYou } from "../parts/standing.ts";
import { useWords } from "../words/words.ts";
import "./now.css";

const MOST_FINISHED = 20;

/** Attention first: who waits and for what, then what runs, then what has just ended. */
export function NowPage() {
  const { now } = useWords();
  const { sessions, connection } = useStore(live);
  const waitingCards = useStore(cards);
  const all = [...sessions.values()];
  const waiting = all
    .filter(needsYou)
    .sort(by(({ waiting: asked, sinceIso }) => asked?.sinceIso ?? sinceIso));
  const running = useFrozenOrder(
    all.filter(isRunning).sort((a, b) => rank(a) - rank(b) || (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1)),
  );
  const finished = all
    .filter(({ state }) => state === "completed" || state === "lost")
    .sort((a, b) => ((a.endedAtIso ?? "") < (b.endedAtIso ?? "") ? 1 : -1))
    .slice(0, MOST_FINISHED);
  const cardOf = ({ sessionId, waiting: asked }: SessionSnapshot) => {
    const own = waitingCards.filter((card) => card.sessionId === sessionId);
    return own.find((card) => card.toolUseId !== null && card.toolUseId === asked?.toolUseId) ?? own[0];
  };
  return (
    <div className="now-page">
      <h1 className="sr-only">{useWords().pages.now}</h1>
      {connection === "live" && all.every(({ sessionId }) => isSample(sessionId)) && <FirstRun />}
      <section aria-labelledby="needs-you">
        <h2 id="needs-you">{now.needsYou}</h2>
        {waiting.length === 0 ? (
          <p className="calm muted">{connection === "connecting" ? "" : now.quiet}</p>
        ) : (
          <div className="requests">
            {waiting.map((session) => (
              <RequestCard key={session.sessionId} session={session} card={cardOf(session)} />
            ))}
          </div>
        )}
      </section>
      <section aria-labelledby="running">
        <h2 id="running">{now.running}</h2>
        <div className="panel rows" {...running.holders}>
          {running.items.map((session) => (
            <SessionRow key={session.sessionId} session={session} />
          ))}
          {running.items.length === 0 && <p className="calm muted">{now.nothing}</p>}
        </div>
      </section>
      {finished.length > 0 && (
        <section aria-labelledby="finished">
          <h2 id="finished">{now.finished}</h2>
          <div className="panel rows">
            {finished.map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function by(time: (session: SessionSnapshot) => string) {
  return (a: SessionSnapshot, b: SessionSnapshot): number => (time(a) < time(b) ? -1 : 1);
}

/** Who works stands above who rests. */
function rank({ state, activityPhase }: SessionSnapshot): number {
  if (state === "idle" || activityPhase === "interactable") return 2;
  return activityPhase === "parked" ? 1 : 0;
}
