import type { MemoryRows } from "../store/memory-rows.ts";
import { readTurn, summaryId, toldSummary } from "./make-turn.ts";

/** What is to be forgotten: whole sessions, and facts of others. */
interface ToForget {
  readonly facts: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
}

/**
 * How many summaries go with what is to be forgotten because nothing is left to tell of their turns. Those of whole
 * sessions are not among them.
 */
export async function lostSummaries(rows: MemoryRows, { facts, sessions }: ToForget): Promise<number> {
  const turns = new Map<string, { readonly sessionId: string; readonly promptId: string }>();
  const items = new Set<number>();
  for (const factId of facts) {
    const event = await rows.fact(factId);
    if (event?.promptId == null || sessions.has(event.sessionId)) continue;
    const { sessionId, promptId } = event;
    turns.set(`${sessionId}\n${promptId}`, { sessionId, promptId });
    const { observationId } = await rows.placeOf(factId);
    if (observationId !== null) items.add(observationId);
  }
  let lost = 0;
  for (const { sessionId, promptId } of turns.values()) {
    if ((await rows.items([summaryId(sessionId, promptId)])).length === 0) continue;
    const turn = await readTurn(rows, sessionId, promptId, { facts, items });
    if (toldSummary(turn) === null) lost++;
  }
  return lost;
}
