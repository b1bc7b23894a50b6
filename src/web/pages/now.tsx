import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { isSampleSession } from "../../event/sample.ts";
import { isEmptySession } from "../../monitor/empty-session.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { isOver } from "../../shown/session-groups.ts";
import { live } from "../api/live.ts";
import { isLost, useRequests } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { useViewing } from "../api/viewer.ts";
import { FirstRun } from "../parts/first-run.tsx";
import { useFrozenOrder } from "../parts/frozen-order.ts";
import { RecordingNotes } from "../parts/recording-notes.tsx";
import { RequestList } from "../parts/request-list.tsx";
import { SessionRow } from "../parts/session-row.tsx";
import { isRunning } from "../parts/standing.ts";
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
  const requests = useRequests();
  const waiting = requests.filter((request) => !isLost(request)).length;
  const all = [...sessions.values()];
  const find = (id: string): SessionSnapshot | undefined => sessions.get(id);
  const running = useFrozenOrder(all.filter(isRunning).sort(byWork), { keyOf, find });
  const ended = all
    .filter((session) => isOver(session) && !isEmptySession(session))
    .sort(byEnd)
    .slice(0, MOST_FINISHED);
  const finished = useFrozenOrder(ended, { keyOf, find });
  const shown = useMemo(() => {
    const waiting = new Set(requests.flatMap(({ session }) => session ?? []));
    return [...waiting, ...running.items, ...finished.items];
  }, [requests, running.items, finished.items]);
  useViewing(
    null,
    requests.map(({ key }) => key),
  );
  useShown(shown);
  const isWide = useMedia(WIDE);
  const { chosen, choosers } = useChosen();
  const previewed = isWide ? (shown.find(({ sessionId }) => sessionId === chosen) ?? shown[0]) : undefined;
  return (
    <div className={`now-page ${previewed === undefined ? "" : "with-preview"}`}>
      <div className="now-lists" {...choosers}>
        <h1 className="sr-only">{pages.now}</h1>
        {connection === "live" && all.every(({ sessionId }) => isSampleSession(sessionId)) && <FirstRun />}
        <RecordingNotes />
        <section aria-labelledby="needs-you">
          <h2 id="needs-you">
            {now.needsYou} {waiting > 0 && <span className="count">{waiting}</span>}
          </h2>
          <RequestList
            requests={requests}
            empty={<p className="calm muted">{connection === "connecting" ? "" : now.quiet}</p>}
          />
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

function keyOf({ sessionId }: SessionSnapshot): string {
  return sessionId;
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
