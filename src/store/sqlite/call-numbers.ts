import { type HooklineEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { type NumberedCall, numberCalls } from "../number-calls.ts";
import type { Database, Row } from "./database.ts";

/** Numbers of calls within their turns, computed before a batch is written so that rows include them. */
export interface CallNumbers {
  /** The number of a call about to be stored; null for other events. */
  toolIndexOf(event: HooklineEvent): number | null;
  /** The stored fact differs from the batch's: the turn must be renumbered from the rows. */
  invalidate(event: HooklineEvent): void;
  /** Writes the numbers that differ from the stored ones. Call after the whole batch is stored. */
  write(sessionId: string, promptId: string | null): void;
}

interface Turn {
  /** The rows before the batch; undefined when they must be read again. */
  readonly before: readonly Row[] | undefined;
  readonly numbers: ReadonlyMap<string, number>;
}

export function createCallNumbers(db: Database, batch: Iterable<HooklineEvent>): CallNumbers {
  const batchEvents = groupByTurn(batch);
  const turns = new Map<string, Turn>();

  const turnOf = (sessionId: string, promptId: string | null): Turn => {
    const key = keyOf(sessionId, promptId);
    let turn = turns.get(key);
    if (turn === undefined) {
      const before = readTurn(db, sessionId, promptId);
      const calls = new Map<string, NumberedCall>();
      for (const row of before) addCall(calls, callFromRow(row));
      const events = batchEvents.get(key) ?? [];
      for (const event of events) addCall(calls, callFromEvent(event));
      // An event for an existing fact is merged with it, and the result may differ.
      const ids = new Set(before.map((row) => row["id"]));
      const isFinal = !events.some((event) => ids.has(event.id));
      turn = { before: isFinal ? before : undefined, numbers: numberCalls([...calls.values()]) };
      turns.set(key, turn);
    }
    return turn;
  };

  return {
    toolIndexOf(event) {
      if (event.eventType !== "tool_observation" || event.toolUseId == null) return null;
      if (event.sessionId === UNKNOWN_SESSION) return null;
      return turnOf(event.sessionId, event.promptId ?? null).numbers.get(event.toolUseId) ?? null;
    },
    invalidate(event) {
      const key = keyOf(event.sessionId, event.promptId ?? null);
      turns.set(key, { before: undefined, numbers: turns.get(key)?.numbers ?? new Map() });
    },
    write(sessionId, promptId) {
      const turn = turnOf(sessionId, promptId);
      if (turn.before !== undefined) writeToolIndexes(db, turn.before, turn.numbers);
      else {
        const rows = readTurn(db, sessionId, promptId);
        const calls = new Map<string, NumberedCall>();
        for (const row of rows) addCall(calls, callFromRow(row));
        writeToolIndexes(db, rows, numberCalls([...calls.values()]));
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

type ReportedCall = Omit<NumberedCall, "toolUseId"> & { readonly toolUseId: string | null };

function addCall(calls: Map<string, NumberedCall>, report: ReportedCall): void {
  const { toolUseId, startedAt } = report;
  if (toolUseId === null) return;
  const known = calls.get(toolUseId);
  calls.set(toolUseId, {
    toolUseId,
    startedAt: known !== undefined && known.startedAt < startedAt ? known.startedAt : startedAt,
    batchKey: known?.batchKey ?? report.batchKey,
    batchIndex: known?.batchIndex ?? report.batchIndex,
  });
}

function callFromRow(row: Row): ReportedCall {
  return {
    toolUseId: row["tool_use_id"] as string | null,
    startedAt: row["timestamp"] as string,
    batchKey: row["batch_key"] as string | null,
    batchIndex: row["batch_index"] as number | null,
  };
}

function callFromEvent(event: HooklineEvent): ReportedCall {
  const { batchKey, batchIndex } = event;
  return {
    toolUseId: event.toolUseId ?? null,
    startedAt: event.occurredAtIso,
    batchKey: typeof batchKey === "string" ? batchKey : null,
    batchIndex: typeof batchIndex === "number" ? batchIndex : null,
  };
}

function writeToolIndexes(db: Database, rows: readonly Row[], numbers: ReadonlyMap<string, number>): void {
  for (const row of rows) {
    const number = numbers.get(row["tool_use_id"] as string) ?? null;
    if (row["event_type"] === "tool_observation" && row["tool_index"] !== number) {
      db.sql("UPDATE facts SET tool_index = ? WHERE seq = ?").run(number, row["seq"] as number);
    }
  }
}
