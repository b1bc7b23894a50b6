import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { isSampleSession } from "../../event/sample.ts";
import { isEmptySession } from "../../monitor/empty-session.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { isSessionOver } from "../../shown/session-groups.ts";
import { live } from "../api/live.ts";
import { useReportViewing } from "../api/report-viewing.ts";
import { isLost, useRequests } from "../api/requests.ts";
import { useStore } from "../api/store.ts";
import { FirstRun } from "../components/first-run.tsx";
import { useFrozenOrder } from "../components/frozen-order.ts";
import { RecordingNotes } from "../components/recording-notes.tsx";
import { RequestList } from "../components/request-list.tsx";
import { SessionRow } from "../components/session-row.tsx";
import { isRunning } from "../components/session-status.ts";
import { UpdatesPill } from "../components/updates-pill.tsx";
import { useMedia } from "../components/use-media.ts";
import { useStrings } from "../i18n/strings.ts";
import { useShownSessions } from "../shell/shown-sessions.ts";
import { FinishedList } from "./now-finished.tsx";
import "./now.css";

const WIDE = "(min-width: 1280px)";
const MAX_FINISHED = 20;
const HOVER_MS = 120;
/** A pointer at rest for this long is not about to click. */
const REST_MS = 3_000;
const NowPreview = lazy(async () => ({ default: (await import("./now-preview.tsx")).NowPreview }));

/** Pending requests first, then running sessions, then recently ended ones. */
export function NowPage() {
  const { now, pages } = useStrings();
  const { sessions, connection } = useStore(live);
  const requests = useRequests();
  const waiting = requests.filter((request) => !isLost(request)).length;
  const all = [...sessions.values()];
  const find = (id: string): SessionSnapshot | undefined => sessions.get(id);
  const running = useFrozenOrder(all.filter(isRunning).sort(byActivity), { keyOf, find, restMs: REST_MS });
  const ended = all
    .filter((session) => isSessionOver(session) && !isEmptySession(session))
    .sort(byEnd)
    .slice(0, MAX_FINISHED);
  const finished = useFrozenOrder(ended, { keyOf, find, restMs: REST_MS });
  const shown = useMemo(() => {
    const waiting = new Set(requests.flatMap(({ session }) => session ?? []));
    return [...waiting, ...running.items, ...finished.items];
  }, [requests, running.items, finished.items]);
  useReportViewing(
    null,
    requests.map(({ key }) => key),
  );
  useShownSessions(shown);
  const isWide = useMedia(WIDE);
  const { hoveredId, hoverHandlers } = useHoveredSession();
  const previewSession = isWide
    ? (shown.find(({ sessionId }) => sessionId === hoveredId) ?? shown[0])
    : undefined;
  return (
    <div className={`now-page ${previewSession === undefined ? "" : "with-preview"}`}>
      <div className="now-lists" {...hoverHandlers}>
        <h1 className="sr-only">{pages.now}</h1>
        {connection === "live" && all.every(({ sessionId }) => isSampleSession(sessionId)) && <FirstRun />}
        <RecordingNotes />
        <section aria-labelledby="needs-you">
          <h2 id="needs-you">
            {now.needsYou} {waiting > 0 && <span className="count">{waiting}</span>}
          </h2>
          <RequestList
            requests={requests}
            empty={<p className="calm muted">{connection === "connecting" ? "" : now.allClear}</p>}
          />
        </section>
        <section aria-labelledby="running">
          <div className="list-head">
            <h2 id="running">{now.running}</h2>
            <UpdatesPill updates={running.updates} onApply={running.apply} />
          </div>
          <div className="panel rows" {...running.handlers}>
            {running.items.map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
            {running.items.length === 0 && <p className="calm muted">{now.nothing}</p>}
          </div>
        </section>
        {finished.items.length > 0 && <FinishedList list={finished} />}
      </div>
      {previewSession !== undefined && (
        <Suspense>
          <NowPreview session={previewSession} />
        </Suspense>
      )}
    </div>
  );
}

/** The session that was last hovered for a moment, or has the focus. */
function useHoveredSession() {
  const [hoveredId, setHoveredId] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hover = (target: EventTarget, delayMs: number): void => {
    const id = (target as Element).closest<HTMLElement>("[data-session]")?.dataset["session"];
    clearTimeout(timer.current);
    if (id !== undefined) timer.current = setTimeout(() => setHoveredId(id), delayMs);
  };
  return {
    hoveredId,
    hoverHandlers: {
      onPointerOver: ({ target }: React.PointerEvent) => hover(target, HOVER_MS),
      onFocus: ({ target }: React.FocusEvent) => hover(target, 0),
    },
  };
}

function keyOf({ sessionId }: SessionSnapshot): string {
  return sessionId;
}

/** Working sessions above idle ones. */
function byActivity(a: SessionSnapshot, b: SessionSnapshot): number {
  return rank(a) - rank(b) || (a.lastEventAtIso < b.lastEventAtIso ? 1 : -1);
}

function rank({ state, activityPhase }: SessionSnapshot): number {
  if (state === "idle" || activityPhase === "interactable") return 2;
  return activityPhase === "parked" ? 1 : 0;
}

function byEnd(a: SessionSnapshot, b: SessionSnapshot): number {
  return (a.endedAtIso ?? a.lastEventAtIso) < (b.endedAtIso ?? b.lastEventAtIso) ? 1 : -1;
}
