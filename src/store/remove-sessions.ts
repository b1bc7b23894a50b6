import type { HooklineEvent } from "../event/event.ts";
import type { Log } from "../log/log.ts";
import type { Facts, Removal } from "./facts.ts";

export interface RemoveSessionsOptions {
  readonly log: Pick<Log, "append" | "erase">;
  readonly facts: Facts;
}

/**
 * Removes sessions without events at or after a time (null: none) from log and store. Requires exclusive
 * access and a caught-up store. The request is recorded first, with its time, so that a killed process
 * finishes at its next start. Events from that time on are never erased: if the store has any, the session
 * stays whole; if they arrive meanwhile, the session starts over with them. Returns the removed ids.
 */
export async function removeSessions(
  beforeIso: string | null,
  options: RemoveSessionsOptions,
): Promise<readonly string[]> {
  const { facts, log } = options;
  if (beforeIso !== null)
    for (const sessionId of await facts.sessionsOlderThan(beforeIso))
      await facts.requestRemoval(sessionId, beforeIso);
  const requested = await facts.pendingRemovals();
  const isOld = await findStillOld(requested, facts);
  for (const removal of requested) if (!isOld(removal)) await restoreSession(removal, options);
  const removals = requested.filter(isOld);
  if (removals.length === 0) return [];
  const before = new Map(removals.map((removal) => [removal.sessionId, Date.parse(removal.beforeIso)]));
  await log.erase((line) => (isLineToErase(line, before) ? "" : undefined));
  for (const { sessionId } of removals) await facts.removeSession(sessionId);
  return [...before.keys()];
}

/** Whether a session has no events since its removal time. */
async function findStillOld(
  removals: readonly Removal[],
  facts: Facts,
): Promise<(removal: Removal) => boolean> {
  const old = new Map<string, ReadonlySet<string>>();
  for (const { beforeIso } of removals)
    if (!old.has(beforeIso)) old.set(beforeIso, new Set(await facts.sessionsOlderThan(beforeIso)));
  return ({ sessionId, beforeIso }) => old.get(beforeIso)?.has(sessionId) === true;
}

const APPEND_BATCH_SIZE = 500;

/** The session is active again. A killed process may have erased some of its lines, so append them again. */
async function restoreSession(
  { sessionId, beforeIso }: Removal,
  { facts, log }: RemoveSessionsOptions,
): Promise<void> {
  let batch: HooklineEvent[] = [];
  for await (const event of facts.factsOfSession(sessionId)) {
    if (event.occurredAtIso >= beforeIso) continue;
    batch.push(event);
    if (batch.length < APPEND_BATCH_SIZE) continue;
    await log.append(batch);
    batch = [];
  }
  if (batch.length > 0) await log.append(batch);
  await facts.cancelRemoval(sessionId);
}

/** Whether a line belongs to one of these sessions and predates its removal time. */
function isLineToErase(line: string, before: ReadonlyMap<string, number>): boolean {
  // Cheap check first: most lines are of other sessions, and in ours the id comes before any content.
  const sessionInLine = /"sessionId":"([^"\\]+)"/.exec(line)?.[1];
  if (sessionInLine !== undefined && !before.has(sessionInLine)) return false;
  try {
    const { sessionId, occurredAtIso } = JSON.parse(line) as Partial<HooklineEvent>;
    const untilMs = before.get(sessionId ?? "");
    return untilMs !== undefined && !(Date.parse(occurredAtIso ?? "") >= untilMs);
  } catch {
    return sessionInLine !== undefined;
  }
}
