import type { HooklineEvent } from "../../event/event.ts";
import type { Outbox, OutboxEntry, OutboxStamp } from "../memory-rows.ts";
import type { Database } from "./database.ts";

/** The outbox entry for a changed fact, if any. */
export function outboxEntryFor(fact: HooklineEvent, isObservation: boolean): OutboxEntry | undefined {
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

/** Queues all entries of a batch in its transaction, as one statement in table order. */
export function enqueueAll(db: Database, entries: readonly OutboxEntry[]): void {
  if (entries.length === 0) return;
  for (const entry of entries) noteEnqueued(db, entry);
  const pairs = entries.map(({ kind, key }) => [kind, key]);
  db.sql(
    "INSERT OR IGNORE INTO memory_outbox (kind, key) SELECT value ->> 0, value ->> 1 FROM json_each(?) ORDER BY 1, 2",
  ).run(JSON.stringify(pairs));
}

/** Queues a call, also when its number changed or its content was erased. */
export function enqueueCall(db: Database, factId: string): void {
  enqueueEntry(db, { kind: "call", key: factId });
}

export function enqueueEntry(db: Database, entry: OutboxEntry): void {
  noteEnqueued(db, entry);
  db.sql("INSERT OR IGNORE INTO memory_outbox (kind, key) VALUES (?, ?)").run(entry.kind, entry.key);
}

/** What was queued since the last read of the outbox. Only one process writes, so memory suffices. */
interface OutboxRead {
  readonly stamp: OutboxStamp;
  readonly enqueuedSince: Set<string>;
}

const outboxReads = new WeakMap<Database, OutboxRead>();
/** Shared by all databases, so that a replacement does not accept its predecessor's stamps. */
let lastStamp = 0;
/** Beyond this many entries, repeating the build is cheaper. */
const MAX_ENQUEUED_SINCE = 20_000;

export function readOutbox(db: Database, limit: number): Outbox {
  const stamp = ++lastStamp as OutboxStamp;
  outboxReads.set(db, { stamp, enqueuedSince: new Set() });
  // Alphabetical order puts calls before the turns that derive from them.
  const entries = db.sql("SELECT kind, key FROM memory_outbox ORDER BY kind, key LIMIT ?").all(limit);
  return { entries: entries as unknown as OutboxEntry[], stamp };
}

/** Whether nothing was removed, and the outbox not read again, since this read. */
export function isStampCurrent(db: Database, stamp: OutboxStamp): boolean {
  return outboxReads.get(db)?.stamp === stamp;
}

/** Removes an entry, unless it was queued again since the outbox was read. */
export function dequeueEntry(db: Database, entry: OutboxEntry): void {
  if (outboxReads.get(db)?.enqueuedSince.has(entryKey(entry)) === true) return;
  db.sql("DELETE FROM memory_outbox WHERE kind = ? AND key = ?").run(entry.kind, entry.key);
}

/** Something was removed or forgotten: items being built may contain it and must not be written. */
export function invalidateStamp(db: Database): void {
  outboxReads.delete(db);
}

function noteEnqueued(db: Database, entry: OutboxEntry): void {
  const lastRead = outboxReads.get(db);
  if (lastRead === undefined) return;
  lastRead.enqueuedSince.add(entryKey(entry));
  if (lastRead.enqueuedSince.size > MAX_ENQUEUED_SINCE) outboxReads.delete(db);
}

function entryKey({ kind, key }: OutboxEntry): string {
  return `${kind}\n${key}`;
}

/** The key of a turn; a prompt without an id is a turn of its own. */
export function turnKey(sessionId: string, promptId: string | null | undefined, factId: string): string {
  return `${sessionId}\n${promptId ?? `@${factId}`}`;
}
