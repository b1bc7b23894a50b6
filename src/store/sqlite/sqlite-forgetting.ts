import { setImmediate as nextTurn } from "node:timers/promises";
import { isPlainObject } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { rowId } from "../../event/ids.ts";
import { itemFactId } from "../../event/memory-events.ts";
import type { DatedGuard, TextGuard } from "../../privacy/forgotten-text.ts";
import { type CompactOutcome, erasureDoneId, type ForgetTargets, type Forgetting } from "../forgetting.ts";
import { type Database, sqliteErrorKind, withSecureDelete } from "./database.ts";
import { deleteItem, eraseDerivedText, eraseFacts, eraseSession } from "./erase-facts.ts";
import { findForgetTargets } from "./find-forget-targets.ts";
import { invalidateStamp } from "./memory-outbox.ts";
import { eventFromRow } from "./upsert-fact.ts";

/** Cache: whether anything was ever forgotten. Checked for every event, and written only here. */
const hasTombstones = new WeakMap<Database, boolean>();

export function sqliteForgetting(db: Database, onSession: (sessionId: string) => void): Forgetting {
  const guards = new Map<string, DatedGuard>();
  const tombstonesOf = (kind: string, keys: readonly string[]): Map<string, string> =>
    new Map(
      db
        .sql("SELECT key, at FROM forgotten WHERE kind = ? AND key IN (SELECT value FROM json_each(?))")
        .all(kind, JSON.stringify(keys))
        .map((row) => [row["key"] as string, row["at"] as string]),
    );
  const readGuards = (): DatedGuard[] =>
    db
      .sql("SELECT key, at FROM forgotten WHERE kind = 'text'")
      .all()
      .map((row) => {
        const key = row["key"] as string;
        const known = guards.get(key) ?? { ...(JSON.parse(key) as TextGuard), at: row["at"] as string };
        guards.set(key, known);
        return known;
      });
  return {
    tombstones: async ({ factIds, sessionIds }) => {
      let has = hasTombstones.get(db);
      if (has === undefined) {
        has = db.sql("SELECT 1 FROM forgotten LIMIT 1").get() !== undefined;
        hasTombstones.set(db, has);
      }
      if (!has) return undefined;
      const [facts, sessions] = [tombstonesOf("fact", factIds), tombstonesOf("session", sessionIds)];
      const texts = readGuards();
      return {
        hasFact: (id) => facts.has(id),
        session: (sessionId) => sessions.get(sessionId),
        guards: () => texts,
      };
    },
    find: (request, finder, logged) => findForgetTargets(db, request, finder, logged),
    count: async (found) => ({ facts: countFacts(db, found.facts), items: countItems(db, found) }),
    addTombstones: async (event) => db.transaction(() => applyTombstones(db, event)),
    pendingErasures: async () => pendingErasures(db),
    sessionsOf: async (facts) =>
      db
        .sql("SELECT DISTINCT session_id FROM facts WHERE id IN (SELECT value FROM json_each(?))")
        .all(JSON.stringify([...facts]))
        .map((row) => row["session_id"] as string),
    async erase(erasure) {
      const eraseInTransaction = (work: () => void): void =>
        withSecureDelete(db, () =>
          db.transaction(() => {
            work();
            invalidateStamp(db);
          }),
        );
      for (const part of inSlices([...erasure.facts])) {
        eraseInTransaction(() => eraseFacts(db, part, erasure).forEach(onSession));
        await nextTurn();
      }
      for (const [sessionId, untilIso] of erasure.sessions) {
        eraseInTransaction(() => eraseSession(db, sessionId, untilIso, erasure).forEach(onSession));
        await nextTurn();
      }
      if (erasure.guards.length > 0) eraseInTransaction(() => eraseDerivedText(db, erasure.guards));
    },
    compact: async () => compact(db),
  };
}

function compact(db: Database): CompactOutcome {
  try {
    // Rows overwritten earlier left their old text in free pages.
    db.raw.exec("VACUUM");
    const { busy } = db.raw.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() ?? {};
    return Number(busy) === 0 ? "done" : "busy";
  } catch (error) {
    const kind = sqliteErrorKind(error);
    if (kind === "full" || kind === "busy") return kind;
    throw error;
  }
}

/** Stores the tombstones of a `memory.forgotten` event. Within a transaction; idempotent. */
export function applyTombstones(db: Database, event: HooklineEvent): void {
  hasTombstones.set(db, true);
  const addTombstone = (kind: string, key: string): void => {
    db.sql(
      `INSERT INTO forgotten (kind, key, at) VALUES (?, ?, ?)
       ON CONFLICT (kind, key) DO UPDATE SET at = max(at, excluded.at)`,
    ).run(kind, key, event.occurredAtIso);
  };
  for (const id of stringsIn(event["facts"])) addTombstone("fact", id);
  for (const id of stringsIn(event["sessions"])) addTombstone("session", id);
  for (const id of integersIn(event["items"])) {
    addTombstone("fact", itemFactId(id, "rules"));
    deleteItem(db, id);
    // Memory may be rebuilding it right now.
    invalidateStamp(db);
  }
  if (isPlainObject(event["guard"])) addTombstone("text", JSON.stringify(event["guard"]));
}

function pendingErasures(db: Database): HooklineEvent[] {
  return db
    .sql("SELECT event_json, payload_json FROM facts WHERE event_type = 'memory.forgotten' AND phase IS NULL")
    .all()
    .map(eventFromRow)
    .filter(({ id }) => db.sql("SELECT 1 FROM facts WHERE id = ?").get(erasureDoneId(id)) === undefined);
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function integersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((each) => Number.isSafeInteger(each)) : [];
}

/** Some ids are not stored: they are only blocked from coming back. */
function countFacts(db: Database, facts: ReadonlySet<string>): number {
  const row = db
    .sql("SELECT count(*) AS n FROM facts WHERE id IN (SELECT value FROM json_each(?))")
    .get(JSON.stringify([...facts]));
  return Number(row?.["n"]);
}

function countItems(db: Database, { facts, sessions, items }: ForgetTargets): number {
  const row = db
    .sql(
      `SELECT count(*) AS n FROM memory_items WHERE session_id IN (SELECT value FROM json_each(?1)) OR id IN
         (SELECT observation_id FROM facts WHERE id IN (SELECT value FROM json_each(?2))
          UNION SELECT json_extract(event_json, '$.itemId') FROM facts
            WHERE id IN (SELECT value FROM json_each(?2)) AND event_type = 'memory.item'
          UNION SELECT value FROM json_each(?3))`,
    )
    .get(
      JSON.stringify([...sessions]),
      JSON.stringify([...facts]),
      JSON.stringify([...items, ...[...facts].map((id) => rowId("prompt", id))]),
    );
  return Number(row?.["n"]);
}

/** About 10 ms per transaction. */
const FACTS_PER_TRANSACTION = 200;

function* inSlices(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += FACTS_PER_TRANSACTION)
    yield ids.slice(at, at + FACTS_PER_TRANSACTION);
}
