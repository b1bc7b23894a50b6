import { asObject } from "../../agents/read-json.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { LedgerOptions } from "./call-ledger.ts";

/**
 * By this a session knows that a reaction's command started it: the hook of its start records the variable. Commands
 * are not run for such a session, or an agent started at Stop would be started by its own Stop for ever.
 */
export const OWN_TERMINAL = { name: "TERM_PROGRAM", value: "hookline" } as const;

export type IsOwnSession = (sessionId: string) => Promise<boolean>;

const MOST = 1_000;
/** Its start is among its first. */
const FIRST = 20;

export function createOwnSessions(events: LedgerOptions["events"]): IsOwnSession {
  const known = new Map<string, boolean>();
  return async (sessionId) => {
    const before = known.get(sessionId);
    if (before !== undefined) return before;
    const first = await events({ after: 0, limit: FIRST, sessionId });
    const starts = first.filter(({ event }) => isStart(event));
    const isOwn = starts.some(
      ({ event }) => asObject(event["env"])[OWN_TERMINAL.name] === OWN_TERMINAL.value,
    );
    if (known.size >= MOST) known.clear();
    if (starts.length > 0) known.set(sessionId, isOwn);
    return isOwn;
  };
}

function isStart({ eventType, phase }: HooklineEvent): boolean {
  return eventType === "session.lifecycle" && phase === "started";
}
