import type { SessionSnapshot, StreamPatch, StreamReset } from "../../serve/contract.ts";
import { openSharedStream } from "./shared-stream.ts";
import { createStore } from "./store.ts";

/** Every watched session as the daemon reports it, and whether the data is still current. */
export interface Live {
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  readonly connection: "connecting" | "live" | "lost";
  /** When the last message arrived. */
  readonly lastMessageAtMs: number;
}

/** Incremented when cards change or the stream resets, to trigger a refetch. */
export const cardsVersion = createStore(0);

/** Incremented when the stream resets. A card missing after a reset may have ended in any way. */
export const streamResets = createStore(0);

export const live = createStore<Live>({ sessions: new Map(), connection: "connecting", lastMessageAtMs: 0 });

/** The daemon sends a heartbeat every 15 s; after this much silence, the connection counts as lost. */
const STALE_AFTER_MS = 35_000;
const CHECK_MS = 5_000;
const EVENT_NAMES = ["reset", "patch", "cards", "beat"];

/** Follows `/api/stream`. The browser resumes from the last event id; after an error we reconnect. */
export function followSessions(): () => void {
  let connectedAtMs = Date.now();
  let frame = 0;
  let pending: Map<string, SessionSnapshot> | null = null;

  const update = (change: Partial<Live>): void =>
    live.set({ ...live.get(), connection: "live", lastMessageAtMs: Date.now(), ...change });
  /** Batches the patches of a frame into one render. */
  const flush = (): void => {
    frame = 0;
    if (pending === null) return;
    const sessions = pending;
    pending = null;
    update({ sessions });
  };
  const change = (apply: (sessions: Map<string, SessionSnapshot>) => void): void => {
    pending ??= new Map(live.get().sessions);
    apply(pending);
    if (frame === 0) frame = requestAnimationFrame(flush);
    // Hidden pages get no animation frames.
    if (document.hidden) flush();
  };
  const onEvent = (type: string, data: string): void => {
    if (type === "lost") live.set({ ...live.get(), connection: "lost" });
    else if (type === "reset") {
      const { sessions } = JSON.parse(data) as StreamReset;
      pending = null;
      update({ sessions: new Map(sessions.map((session) => [session.sessionId, session])) });
      streamResets.set(streamResets.get() + 1);
      cardsVersion.set(cardsVersion.get() + 1);
    } else if (type === "patch") {
      const { sessionId, set } = JSON.parse(data) as StreamPatch;
      change((sessions) =>
        sessions.set(sessionId, { ...(sessions.get(sessionId) as SessionSnapshot), ...set }),
      );
    } else if (type === "cards") cardsVersion.set(cardsVersion.get() + 1);
    else update({});
  };
  const snapshot = (): { type: string; data: string } | null => {
    if (live.get().connection !== "live") return null;
    const sessions = [...(pending ?? live.get().sessions).values()];
    return { type: "reset", data: JSON.stringify({ sessions }) };
  };
  let stream = openSharedStream("/api/stream", EVENT_NAMES, { onEvent, snapshot });

  // A hung daemon keeps its connections open.
  const checkStale = (): void => {
    if (document.hidden || Date.now() - Math.max(connectedAtMs, live.get().lastMessageAtMs) < STALE_AFTER_MS)
      return;
    connectedAtMs = Date.now();
    live.set({ ...live.get(), connection: "lost" });
    stream.reconnect();
  };
  const staleTimer = setInterval(checkStale, CHECK_MS);
  document.addEventListener("visibilitychange", checkStale);
  // A page in the back/forward cache must not keep its connection.
  const onHide = (): void => stream.close();
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) stream = openSharedStream("/api/stream", EVENT_NAMES, { onEvent, snapshot });
  };
  addEventListener("pagehide", onHide);
  addEventListener("pageshow", onShow);
  return () => {
    removeEventListener("pagehide", onHide);
    removeEventListener("pageshow", onShow);
    document.removeEventListener("visibilitychange", checkStale);
    clearInterval(staleTimer);
    cancelAnimationFrame(frame);
    stream.close();
  };
}
