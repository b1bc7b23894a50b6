import type { SessionSnapshot, StreamPatch, StreamReset } from "../../serve/contract.ts";
import { shareStream } from "./share-stream.ts";
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

/** How often the stream began anew. Cards that are missing after that say nothing about how they ended. */
export const resets = createStore(0);

export const live = createStore<Live>({ sessions: new Map(), connection: "connecting", heardAtMs: 0 });

/** The daemon says every 15 s that it lives: who hears nothing for so long is not connected. */
const QUIET_MS = 35_000;
const LOOK_MS = 5_000;
const WORDS = ["reset", "patch", "cards", "beat"];

/** Follows `/api/stream`; the browser resumes with the last id by itself, and after an error we begin anew. */
export function followSessions(): () => void {
  let askedAtMs = Date.now();
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
  const hear = (word: string, data: string): void => {
    if (word === "lost") live.set({ ...live.get(), connection: "lost" });
    else if (word === "reset") {
      const { sessions } = JSON.parse(data) as StreamReset;
      pending = null;
      heard({ sessions: new Map(sessions.map((session) => [session.sessionId, session])) });
      resets.set(resets.get() + 1);
      cardsTold.set(cardsTold.get() + 1);
    } else if (word === "patch") {
      const { sessionId, set } = JSON.parse(data) as StreamPatch;
      change((sessions) =>
        sessions.set(sessionId, { ...(sessions.get(sessionId) as SessionSnapshot), ...set }),
      );
    } else if (word === "cards") cardsTold.set(cardsTold.get() + 1);
    else heard({});
  };
  const known = (): { word: string; data: string } | null => {
    if (live.get().connection !== "live") return null;
    const sessions = [...(pending ?? live.get().sessions).values()];
    return { word: "reset", data: JSON.stringify({ sessions }) };
  };
  let stream = shareStream("/api/stream", WORDS, { hear, known });

  // A daemon that hangs closes no connection.
  const look = (): void => {
    if (document.hidden || Date.now() - Math.max(askedAtMs, live.get().heardAtMs) < QUIET_MS) return;
    askedAtMs = Date.now();
    live.set({ ...live.get(), connection: "lost" });
    stream.again();
  };
  const looking = setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
  // A page that the browser keeps for the way back must not keep its connection.
  const leave = (): void => stream.close();
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) stream = shareStream("/api/stream", WORDS, { hear, known });
  };
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);
  return () => {
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", comeBack);
    document.removeEventListener("visibilitychange", look);
    clearInterval(looking);
    cancelAnimationFrame(frame);
    stream.close();
  };
}
