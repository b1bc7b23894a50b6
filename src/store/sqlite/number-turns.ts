import { type HooklineEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { type NumberedCall, numberCalls } from "../number-calls.ts";
import type { Database, Row } from "./database.ts";

/** The places of calls in their turns, known before a batch is written: a row is written with its place. */
export interface TurnNumbers {
  /** The place of a call that is about to be stored, null for what has none. */
  placeOf(event: HooklineEvent): number | null;
  /** What was stored is not what the batch said of it: the turn is to be counted from the rows. */
  doubt(event: HooklineEvent): void;
  /** Writes the places that differ from what is stored. After all of the batch is. */
  write(sessionId: string, promptId: string | null): void;
}

interface Turn {
  /** As they stood before the batch; undefined when the rows have to be asked again. */
  readonly before: readonly Row[] | undefined;
  readonly places: ReadonlyMap<string, number>;
}

export function createTurnNumbers(db: Database, batch: Iterable<HooklineEvent>): TurnNumbers {
  const told = groupByTurn(batch);
  const turns = new Map<string, Turn>();

  const turnOf = (sessionId: string, promptId: string | null): Turn => {
    const key = keyOf(sessionId, promptId);
    let turn = turns.get(key);
    if (turn === undefined) {
      const before = readTurn(db, sessionId, promptId);
      const calls = new Map<string, NumberedCall>();
      for (const row of before) addCall(calls, fromRow(row));
      const events = told.get(key) ?? [];
      for (const event of events) addCall(calls, fromEvent(event));
      // A fact that is there already is merged with what is told of it, and may come out otherwise.
      const ids = new Set(before.map((row) => row["id"]));
      const isSure = !events.some((event) => ids.has(event.id));
      turn = { before: isSure ? before : undefined, places: numberCalls([...calls.values()]) };
      turns.set(key, turn);
    }
    return turn;
  };

  return {
    placeOf(event) {
      if (event.eventType !== "tool_observation" || event.toolUseId == null) return null;
      if (event.sessionId === UNKNOWN_SESSION) return null;
      return turnOf(event.sessionId, event.promptId ?? null).places.get(event.toolUseId) ?? null;
    },
    doubt(event) {
      const key = keyOf(event.sessionId, event.promptId ?? null);
      turns.set(key, { before: undefined, places: turns.get(key)?.places ?? new Map() });
    },
    write(sessionId, promptId) {
      const turn = turnOf(sessionId, promptId);
      if (turn.before !== undefined) writePlaces(db, turn.before, turn.places);
      else {
        const rows = readTurn(db, sessionId, promptId);
        const calls = new Map<string, NumberedCall>();
        for (const row of rows) addCall(calls, fromRow(row));
        writePlaces(db, rows, numberCalls([...calls.values()]));
      }
    },
  };
}

function keyOf(sessionId: string, promptId: string | null): string {
  return promptId === null ? sessionId : `${sessionId}\n${promptId}`;
}

function groupByTurn(batch: Iterable<HooklineEvent>): Map<string, HooklineEvent[]> {
  const turns = new Map<string, HooklineEvent[]>();
  for (const event of batch) {
    if (event.eventType !== "tool.start" && event.eventType !== "tool_observation") continue;
    const key = keyOf(event.sessionId, event.promptId ?? null);
    const turn = turns.get(key);
    if (turn === undefined) turns.set(key, [event]);
    else turn.push(event);
  }
  return turns;
}

function readTurn(db: Database, sessionId: string, promptId: string | null): Row[] {
  const columns = "seq, id, event_type, tool_use_id, timestamp, batch_key, batch_index, tool_index";
  const toolFacts = "session_id = ? AND event_type IN ('tool.start', 'tool_observation')";
  return promptId === null
    ? db.sql(`SELECT ${columns} FROM facts WHERE prompt_id IS NULL AND ${toolFacts}`).all(sessionId)
    : db.sql(`SELECT ${columns} FROM facts WHERE prompt_id = ? AND ${toolFacts}`).all(promptId, sessionId);
}

type Told = Omit<NumberedCall, "toolUseId"> & { readonly toolUseId: string | null };

function addCall(calls: Map<string, NumberedCall>, told: Told): void {
  const { toolUseId, startedAt } = told;
  if (toolUseId === null) return;
  const known = calls.get(toolUseId);
  calls.set(toolUseId, {
    toolUseId,
    startedAt: known !== undefined && known.startedAt < startedAt ? known.startedAt : startedAt,
    batchKey: known?.batchKey ?? told.batchKey,
    batchIndex: known?.batchIndex ?? told.batchIndex,
  });
}

function fromRow(row: Row): Told {
  return {
    toolUseId: row["tool_use_id"] as string | null,
    startedAt: row["timestamp"] as string,
    batchKey: row["batch_key"] as string | null,
    batchIndex: row["batch_index"] as number | null,
  };
}

function fromEvent(event: HooklineEvent): Told {
  const { batchKey, batchIndex } = event;
  return {
    toolUseId: event.toolUseId ?? null,
    startedAt: event.occurredAtIso,
    batchKey: typeof batchKey === "string" ? batchKey : null,
    batchIndex: typeof batchIndex === "number" ? batchIndex : null,
  };
}

function writePlaces(db: Database, rows: readonly Row[], places: ReadonlyMap<string, number>): void {
  for (const row of rows) {
    const place = places.get(row["tool_use_id"] as string) ?? null;
    if (row["event_type"] === "tool_observation" && row["tool_index"] !== place) {
      db.sql("UPDATE facts SET tool_index = ? WHERE seq = ?").run(place, row["seq"] as number);
    }
  }
}
