import type { SessionSetup } from "./session-script.ts";
import type { SimulatedSession } from "./simulated-session.ts";

export const OPUS = "claude-opus-5-5";
export const SONNET = "claude-sonnet-5-5";
export const MINUTE_MS = 60_000;

/** One session of the live work: its setup, when its last event was, and what it did. */
export interface Scene {
  readonly setup: Omit<SessionSetup, "pid">;
  readonly agoMs: number;
  readonly work: (session: SimulatedSession, nowMs: number) => void;
}
