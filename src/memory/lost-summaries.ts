import type { MemoryRows } from "../store/memory-rows.ts";
import { readTurn, summariseRemaining, summaryId } from "./build-turn-items.ts";

/** What is to be forgotten: whole sessions, and facts and items of others. */
interface ForgetScope {
  readonly facts: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

/**
 * Counts the summaries that disappear because nothing is left of their turns. Excludes those of whole
 * sessions and those that are themselves to be forgotten.
 */
export async function countLostSummaries(rows: MemoryRows, scope: ForgetScope): Promise<number> {
  const { facts, sessions } = scope;
  const turns = new Map<string, { readonly sessionId: string; readonly promptId: string }>();
  const items = new Set<number>();
  for (const factId of facts) {
    const event = await rows.fact(factId);
    if (event?.promptId == null || sessions.has(event.sessionId)) continue;
    const { sessionId, promptId } = event;
    turns.set(`${sessionId}\n${promptId}`, { sessionId, promptId });
    const { observationId } = await rows.observationRefOf(factId);
    if (observationId !== null) items.add(observationId);
  }
  let lost = 0;
  for (const { sessionId, promptId } of turns.values()) {
    const id = summaryId(sessionId, promptId);
    if (scope.items.has(id) || (await rows.items([id])).length === 0) continue;
    const turn = await readTurn(rows, sessionId, promptId, { facts, items });
    if (summariseRemaining(turn) === null) lost++;
  }
  return lost;
}
