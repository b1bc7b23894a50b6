import type { HooklineEvent } from "../event/event.ts";
import type { Log } from "../log/log.ts";
import type { Facts, Removal } from "./facts.ts";

export interface RemoveSessionsOptions {
  readonly log: Pick<Log, "append" | "erase">;
  readonly facts: Facts;
}

/**
 * Removes sessions that told nothing at or after a time (null: none) from log and store together. Only while the store
 * is still and level with the log. What is asked for is written down first, with its time, so that a process killed
 * midway finishes the work at its next start. What a session tells from that time on is never erased: if the store has
 * some of it, the session stays whole; if it comes meanwhile, the session begins anew with it. Gives the removed.
 */
export async function removeSessions(
  beforeIso: string | null,
  options: RemoveSessionsOptions,
): Promise<readonly string[]> {
  const { facts, log } = options;
  if (beforeIso !== null)
    for (const sessionId of await facts.sessionsOlderThan(beforeIso))
      await facts.askRemoval(sessionId, beforeIso);
  const asked = await facts.removals();
  const isOld = await stillOld(asked, facts);
  for (const removal of asked) if (!isOld(removal)) await keepWhole(removal, options);
  const removals = asked.filter(isOld);
  if (removals.length === 0) return [];
  const before = new Map(removals.map((removal) => [removal.sessionId, Date.parse(removal.beforeIso)]));
  await log.erase((line) => (isMeant(line, before) ? "" : undefined));
  for (const { sessionId } of removals) await facts.removeSession(sessionId);
  return [...before.keys()];
}

/** Whether a session has told nothing since the time up to which it is to be removed. */
async function stillOld(removals: readonly Removal[], facts: Facts): Promise<(removal: Removal) => boolean> {
  const old = new Map<string, ReadonlySet<string>>();
  for (const { beforeIso } of removals)
    if (!old.has(beforeIso)) old.set(beforeIso, new Set(await facts.sessionsOlderThan(beforeIso)));
  return ({ sessionId, beforeIso }) => old.get(beforeIso)?.has(sessionId) === true;
}

const AT_ONCE = 500;

/** It has come back. A process that was killed may have erased some of its lines: the log gets them again. */
async function keepWhole(
  { sessionId, beforeIso }: Removal,
  { facts, log }: RemoveSessionsOptions,
): Promise<void> {
  let part: HooklineEvent[] = [];
  for await (const event of facts.factsOfSession(sessionId)) {
    if (event.occurredAtIso >= beforeIso) continue;
    part.push(event);
    if (part.length < AT_ONCE) continue;
    await log.append(part);
    part = [];
  }
  if (part.length > 0) await log.append(part);
  await facts.dropRemoval(sessionId);
}

/** Whether a line is of one of these sessions, from before the time that stands beside it. */
function isMeant(line: string, before: ReadonlyMap<string, number>): boolean {
  // Cheap look first: most lines are of other sessions, and in ours the id stands before any content.
  const own = /"sessionId":"([^"\\]+)"/.exec(line)?.[1];
  if (own !== undefined && !before.has(own)) return false;
  try {
    const { sessionId, occurredAtIso } = JSON.parse(line) as Partial<HooklineEvent>;
    const untilMs = before.get(sessionId ?? "");
    return untilMs !== undefined && !(Date.parse(occurredAtIso ?? "") >= untilMs);
  } catch {
    return true;
  }
}
