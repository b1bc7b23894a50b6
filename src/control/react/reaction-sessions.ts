import { asObject } from "../../agents/read-json.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { LedgerOptions } from "./call-ledger.ts";

/**
 * Identifies a session started by a reaction's command: its start hook records the variable. Commands don't
 * run for such a session; otherwise an agent started at Stop would trigger itself forever.
 */
export const REACTION_TERMINAL = { name: "TERM_PROGRAM", value: "hookline" } as const;

export type IsReactionSession = (sessionId: string) => Promise<boolean>;

const MAX_SESSIONS = 1_000;
/** The session's start is among its first events. */
const MAX_START_EVENTS = 20;

export function createReactionSessionCheck(events: LedgerOptions["events"]): IsReactionSession {
  const cache = new Map<string, boolean>();
  return async (sessionId) => {
    const cached = cache.get(sessionId);
    if (cached !== undefined) return cached;
    const first = await events({ after: 0, limit: MAX_START_EVENTS, sessionId });
    const starts = first.filter(({ event }) => isStart(event));
    const isReactionSession = starts.some(
      ({ event }) => asObject(event["env"])[REACTION_TERMINAL.name] === REACTION_TERMINAL.value,
    );
    if (cache.size >= MAX_SESSIONS) cache.clear();
    if (starts.length > 0) cache.set(sessionId, isReactionSession);
    return isReactionSession;
  };
}

function isStart({ eventType, phase }: HooklineEvent): boolean {
  return eventType === "session.lifecycle" && phase === "started";
}
