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
const FIRST_EVENTS = 20;

export function createReactionSessionCheck(events: LedgerOptions["events"]): IsReactionSession {
  const known = new Map<string, boolean>();
  return async (sessionId) => {
    const before = known.get(sessionId);
    if (before !== undefined) return before;
    const first = await events({ after: 0, limit: FIRST_EVENTS, sessionId });
    const starts = first.filter(({ event }) => isStart(event));
    const isOwn = starts.some(
      ({ event }) => asObject(event["env"])[REACTION_TERMINAL.name] === REACTION_TERMINAL.value,
    );
    if (known.size >= MAX_SESSIONS) known.clear();
    if (starts.length > 0) known.set(sessionId, isOwn);
    return isOwn;
  };
}

function isStart({ eventType, phase }: HooklineEvent): boolean {
  return eventType === "session.lifecycle" && phase === "started";
}
