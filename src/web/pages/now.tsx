import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { cards } from "../api/cards.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { FirstRun } from "../parts/first-run.tsx";
import { useFrozenOrder } from "../parts/frozen-order.ts";
import { RequestCard } from "../parts/request-card.tsx";
import { isSample } from "../parts/sample.ts";
import { SessionRow } from "../parts/session-row.tsx";
import { byWait, isOver, isRunning, needsYou } from "../parts/standing.ts";
import { UpdatesPill } from "../parts/updates-pill.tsx";
import { useMedia } from "../parts/use-media.ts";
import { useShown } from "../shell/shown-sessions.ts";
import { useWords } from "../words/words.ts";
import { FinishedList } from "./now-finished.tsx";
import "./now.css";

const WIDE = "(min-width: 1280px)";
const MOST_FINISHED = 20;
const DWELL_MS = 120;
const NowPreview = lazy(async () => ({ default: (await import("./now-preview.tsx")).NowPreview }));

/** Attention first: who waits and for what, then what runs, then what has just ended. */
export function NowPage() {
  const { now, pages } = useWords();
  const { sessions, connection } = useStore(live);
  const waitingCards = useStore(cards);
  const all = [...sessions.values()];
  const waiting = useFrozenOrder(all.filter(needsYou).sort(byWait), sessions, { takesNew: true });
  const running = useFrozenOrder(all.filter(isRunning).sort(byWork), sessions);
  const finished = useFrozenOrder(all.filter(isOver).sort(byEnd).slice(0, MOST_FINISHED), sessions);
  const shown = useMemo(
    () => [...waiting.items, ...running.items, ...finished.items],
    [waiting.items, running.items, finished.items],
  );
  useShown(shown);
  const isWide = useMedia(WIDE);
  const { chosen, choosers } = useChosen();
  const previewed = isWide ? (shown.find(({ sessionId }) => sessionId === chosen) ?? shown[0]) : undefined;
  const cardOf = ({ sessionId, waiting: asked }: SessionSnapshot) => {
    const own = waitingCards.filter((card) => card.sessionId === sessionId);
    return own.find((card) => card.toolUseId !== null && card.toolUseId === asked?.toolUseId) ?? own[0];
  };
  return (
    <div className={`now-page ${previewed === undefined ? "" : "with-preview"}`}>
      <div className="now-lists" {...choosers}>
        <h1 className="sr-only">{pages.now}</h1>
        {connection === "live" && all.every(({ sessionId }) => isSample(sessionId)) && <FirstRun />}
        <section aria-labelledby="needs-you">
          <h2 id="needs-you">{now.needsYou}</h2>
          {waiting.items.length === 0 ? (
            <p className="calm muted">{connection === "connecting" ? "" : now.quiet}</p>
          ) : (
            <div className="requests" {...waiting.holders}>
              {waiting.items.map((session) => (
                <RequestCard key={session.sessionId} session={session} card={cardOf(session)} />
              ))}
            </div>
          )}
          <UpdatesPill updates={waiting.updates} onApply={waiting.apply} />
        </section>
        <section aria-labelledby="running">
          <div className="list-head">
            <h2 id="running">{now.running}</h2>
            <UpdatesPill updates={running.updates} onApply={running.apply} />
          </div>
          <div className="panel rows" {...running.holders}>
            {running.items.map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
            {running.items.length === 0 && <p className="calm muted">{now.nothing}</p>}
          </div>
        </section>
        {finished.items.length > 0 && <FinishedList list={finished} />}
      </div>
      {previewed !== undefined && (
        <Suspense>
          <NowPreview session={previewed} />
        </Suspense>
      )}
    </div>
  );
}

/** The session that was last pointed at for a moment, or has the focus. */
function useChosen() {
  const [chosen, setChosen] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const choose = (target: EventTarget, afterMs: number): void => {
    const id = (target as Element).closest<HTMLElement>("[data-session]")?.dataset["session"];
    clearTimeout(timer.current);
    if (id !== undefined) timer.current = setTimeout(() => setChosen(id), afterMs);
  };
  return {
    chosen,
    choosers: {
      onPointerOver: ({ target }: React.PointerEvent) => choose(target, DWELL_MS),
      onFocus: ({ target }: React.FocusEvent) => choose(target, 0),
    },
  };
}

/** Who works stands above who rests. */
function byWork(a: SessionSnapshot, b: SessionSnapshot): number {
  return rank(a) - rank(b) || (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1);
}

function rank({ state, activityPhase }: SessionSnapshot): number {
  if (state === "idle" || activityPhase === "interactable") return 2;
  return activityPhase === "parked" ? 1 : 0;
}

function byEnd(a: SessionSnapshot, b: SessionSnapshot): number {
  return (a.endedAtIso ?? a.lastEventAtIso) < (b.endedAtIso ?? b.lastEventAtIso) ? 1 : -1;
}
