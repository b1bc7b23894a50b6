import type { HooklineEvent } from "../../event/event.ts";
import type { Outbox, OutboxEntry, OutboxStamp } from "../memory-rows.ts";
import type { Database } from "./database.ts";

/** What memory is to make of a fact that changed, if anything. */
export function memoryOf(fact: HooklineEvent, isObservation: boolean): OutboxEntry | undefined {
  switch (fact.eventType) {
    case "tool_observation":
      return isObservation ? { kind: "call", key: fact.id } : undefined;
    case "assistant.message":
      return { kind: "message", key: fact.id };
    case "turn.start":
      return { kind: "turn", key: turnKey(fact.sessionId, fact.promptId, fact.id) };
    case "turn.end":
    case "turn.failed":
      if (fact.promptId == null || fact.agentId != null) return undefined;
      return { kind: "turn", key: turnKey(fact.sessionId, fact.promptId, fact.id) };
    case "memory.item":
      return { kind: "made", key: fact.id };
    case "memory.mark":
      return { kind: "mark", key: fact.id };
    case "memory.injected":
      return { kind: "injected", key: fact.id };
    default:
      return undefined;
  }
}

/** All that a batch asks for, in its transaction, as one statement and in the order of the table. */
export function askForAll(db: Database, entries: readonly OutboxEntry[]): void {
  if (entries.length === 0) return;
  for (const entry of entries) noteAsked(db, entry);
  const pairs = entries.map(({ kind, key }) => [kind, key]);
  db.sql(
    "INSERT OR IGNORE INTO memory_outbox (kind, key) SELECT value ->> 0, value ->> 1 FROM json_each(?) ORDER BY 1, 2",
  ).run(JSON.stringify(pairs));
}

/** Also for a call whose number moved, or whose content went. */
export function askForCall(db: Database, factId: string): void {
  ask(db, { kind: "call", key: factId });
}

export function ask(db: Database, entry: OutboxEntry): void {
  noteAsked(db, entry);
  db.sql("INSERT OR IGNORE INTO memory_outbox (kind, key) VALUES (?, ?)").run(entry.kind, entry.key);
}

/** What happened since the outbox was read last. One process writes a database: it need not be kept in it. */
interface Reading {
  readonly stamp: OutboxStamp;
  readonly askedSince: Set<string>;
}

const readings = new WeakMap<Database, Reading>();
/** Of all databases: one that takes another's place does not take its stamps. */
let lastStamp = 0;
/** Beyond this it is cheaper to make a step again. */
const MOST_ASKED = 20_000;

export function readOutbox(db: Database, limit: number): Outbox {
  const stamp = ++lastStamp as OutboxStamp;
  readings.set(db, { stamp, askedSince: new Set() });
  // Calls before turns, which are made of them: in the order of the alphabet they come so.
  const entries = db.sql("SELECT kind, key FROM memory_outbox ORDER BY kind, key LIMIT ?").all(limit);
  return { entries: entries as unknown as OutboxEntry[], stamp };
}

/** Whether nothing was removed since the outbox was read, and nobody read it after. */
export function isCurrent(db: Database, stamp: OutboxStamp): boolean {
  return readings.get(db)?.stamp === stamp;
}

/** Takes an entry off, unless it was asked for since the outbox was read. */
export function takeOff(db: Database, entry: OutboxEntry): void {
  if (readings.get(db)?.askedSince.has(nameOf(entry)) === true) return;
  db.sql("DELETE FROM memory_outbox WHERE kind = ? AND key = ?").run(entry.kind, entry.key);
}

/** Something was removed or forgotten: what is being made may tell of it, and must not be written. */
export function noteCut(db: Database): void {
  readings.delete(db);
}

function noteAsked(db: Database, entry: OutboxEntry): void {
  const reading = readings.get(db);
  if (reading === undefined) return;
  reading.askedSince.add(nameOf(entry));
  if (reading.askedSince.size > MOST_ASKED) readings.delete(db);
}

function nameOf({ kind, key }: OutboxEntry): string {
  return `${kind}\n${key}`;
}

/** The key of a turn; a prompt that has no id is a turn of its own. */
export function turnKey(sessionId: string, promptId: string | null | undefined, factId: string): string {
  return `${sessionId}\n${promptId ?? `@${factId}`}`;
}
