import type { SessionSnapshot, StreamPatch, StreamReset } from "../../serve/contract.ts";
import { createStore } from "./store.ts";

/** Every watched session as the daemon shows it now, and whether what is shown is still true. */
export interface Live {
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  readonly connection: "connecting" | "live" | "lost";
  /** When the last word came. */
  readonly heardAtMs: number;
}

/** How often the daemon said that cards changed, or began anew: each time they are to be asked for. */
export const cardsTold = createStore(0);

export const live = createStore<Live>({ sessions: new Map(), connection: "connecting", heardAtMs: 0 });

/** The daemon says every 15 s that it lives: who hears nothing for so long is not connected. */
const QUIET_MS = 35_000;
const LOOK_MS = 5_000;
const FIRST_AGAIN_MS = 500;
const LAST_AGAIN_MS = 8_000;

/** Follows `/api/stream`; the browser resumes with the last id by itself, and after an error we begin anew. */
export function followSessions(): () => void {
  let source: EventSource | null = null;
  let againMs = FIRST_AGAIN_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAtMs = 0;
  let frame = 0;
  let pending: Map<string, SessionSnapshot> | null = null;

  const heard = (change: Partial<Live>): void =>
    live.set({ ...live.get(), connection: "live", heardAtMs: Date.now(), ...change });
  /** Patches of one moment are one drawing. */
  const flush = (): void => {
    frame = 0;
    if (pending === null) return;
    const sessions = pending;
    pending = null;
    heard({ sessions });
  };
  const change = (act: (sessions: Map<string, SessionSnapshot>) => void): void => {
    pending ??= new Map(live.get().sessions);
    act(pending);
    if (frame === 0) frame = requestAnimationFrame(flush);
    // A hidden page draws no frames.
    if (document.hidden) flush();
  };

  const open = (): void => {
    source?.close();
    askedAtMs = Date.now();
    source = new EventSource("/api/stream", { withCredentials: true });
    source.addEventListener("reset", (event) => {
      againMs = FIRST_AGAIN_MS;
      const { sessions } = JSON.parse((event as MessageEvent<string>).data) as StreamReset;
      pending = null;
      heard({ sessions: new Map(sessions.map((session) => [session.sessionId, session])) });
      cardsTold.set(cardsTold.get() + 1);
    });
    source.addEventListener("cards", () => cardsTold.set(cardsTold.get() + 1));
    source.addEventListener("patch", (event) => {
      const { sessionId, set } = JSON.parse((event as MessageEvent<string>).data) as StreamPatch;
      change((sessions) =>
        sessions.set(sessionId, { ...(sessions.get(sessionId) as SessionSnapshot), ...set }),
      );
    });
    for (const word of ["open", "beat"]) source.addEventListener(word, () => heard({}));
    source.addEventListener("error", () => {
      live.set({ ...live.get(), connection: "lost" });
      if (source?.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, againMs);
      againMs = Math.min(LAST_AGAIN_MS, againMs * 2);
    });
  };
  open();
  // A daemon that hangs closes no connection.
  const look = (): void => {
    if (document.hidden || Date.now() - Math.max(askedAtMs, live.get().heardAtMs) < QUIET_MS) return;
    live.set({ ...live.get(), connection: "lost" });
    open();
  };
  const looking = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    clearInterval(looking);
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    source?.close();
  };
}
