import type { Desk } from "./session-script.ts";
import type { Teller } from "./teller.ts";

export const OPUS = "claude-opus-5-5";
export const SONNET = "claude-sonnet-5-5";
export const MINUTE = 60_000;

/** One session of the live work: whose it is, when its last event was, and what it did. */
export interface Scene {
  readonly desk: Omit<Desk, "pid">;
  readonly agoMs: number;
  readonly work: (one: Teller, nowMs: number) => void;
}
