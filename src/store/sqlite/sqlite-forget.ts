import { setImmediate as nextTurn } from "node:timers/promises";
import { isPlainObject } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { rowId } from "../../event/ids.ts";
import type { DatedGuard, TextGuard } from "../../privacy/forgotten-text.ts";
import { type Compacted, doneId, type Forgetting } from "../forgetting.ts";
import { cutFacts, cutSession, remakeFound } from "./cut-facts.ts";
import { type Database, overwriting, sqliteTrouble } from "./database.ts";
import { findForgotten } from "./find-forgotten.ts";
import { noteCut } from "./memory-outbox.ts";
import { fromRow } from "./put-fact.ts";

/** Whether anything ever was forgotten: asked of every event, and written through these functions alone. */
const hasBuried = new WeakMap<Database, boolean>();

export function sqliteForget(db: Database, onSession: (sessionId: string) => void): Forgetting {
  const guards = new Map<string, DatedGuard>();
  const buried = (kind: string, keys: readonly string[]): Map<string, string> =>
    new Map(
      db
        .sql("SELECT key, at FROM forgotten WHERE kind = ? AND key IN (SELECT value FROM json_each(?))")
        .all(kind, JSON.stringify(keys))
        .map((row) => [row["key"] as string, row["at"] as string]),
    );
  const allGuards = (): DatedGuard[] =>
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
      let has = hasBuried.get(db);
      if (has === undefined) {
        has = db.sql("SELECT 1 FROM forgotten LIMIT 1").get() !== undefined;
        hasBuried.set(db, has);
      }
      if (!has) return undefined;
      const [facts, sessions] = [buried("fact", factIds), buried("session", sessionIds)];
      const texts = allGuards();
      return {
        hasFact: (id) => facts.has(id),
        session: (sessionId) => sessions.get(sessionId),
        guards: () => texts,
      };
    },
    find: (request, finder, logged) => findForgotten(db, request, finder, logged),
    count: async ({ facts, sessions }) => ({
      facts: countFacts(db, facts),
      items: countItems(db, facts, sessions),
    }),
    bury: async (event) => db.transaction(() => applyForgotten(db, event)),
    unfinished: async () => unfinished(db),
    sessionsOf: async (facts) =>
      db
        .sql("SELECT DISTINCT session_id FROM facts WHERE id IN (SELECT value FROM json_each(?))")
        .all(JSON.stringify([...facts]))
        .map((row) => row["session_id"] as string),
    async cut(gone) {
      const cut = (work: () => Iterable<string>): void =>
        overwriting(db, () =>
          db.transaction(() => {
            [...work()].forEach(onSession);
            noteCut(db);
          }),
        );
      for (const part of inParts([...gone.facts])) {
        cut(() => cutFacts(db, part, gone));
        await nextTurn();
      }
      for (const [sessionId, untilIso] of gone.sessions) {
        cut(() => cutSession(db, sessionId, untilIso, gone));
        await nextTurn();
      }
      if (gone.guards.length > 0) cut(() => remakeFound(db, gone.guards));
    },
    compact: async () => compact(db),
  };
}

function compact(db: Database): Compacted {
  try {
    // Rows that were written over before left their old words in the file.
    db.raw.exec("VACUUM");
    const { busy } = db.raw.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() ?? {};
    return Number(busy) === 0 ? "done" : "busy";
  } catch (error) {
    const trouble = sqliteTrouble(error);
    if (trouble === "full" || trouble === "busy") return trouble;
    throw error;
  }
}

/** Takes over the tombstones of a `memory.forgotten` event. Within a transaction; changes nothing the second time. */
export function applyForgotten(db: Database, event: HooklineEvent): void {
  hasBuried.set(db, true);
  const put = (kind: string, key: string): void => {
    db.sql(
      `INSERT INTO forgotten (kind, key, at) VALUES (?, ?, ?)
       ON CONFLICT (kind, key) DO UPDATE SET at = max(at, excluded.at)`,
    ).run(kind, key, event.occurredAtIso);
  };
  for (const id of texts(event["facts"])) put("fact", id);
  for (const id of texts(event["sessions"])) put("session", id);
  if (isPlainObject(event["guard"])) put("text", JSON.stringify(event["guard"]));
}

function unfinished(db: Database): HooklineEvent[] {
  return db
    .sql("SELECT event_json, payload_json FROM facts WHERE event_type = 'memory.forgotten' AND phase IS NULL")
    .all()
    .map(fromRow)
    .filter(({ id }) => db.sql("SELECT 1 FROM facts WHERE id = ?").get(doneId(id)) === undefined);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Some are only to be kept out. */
function countFacts(db: Database, facts: ReadonlySet<string>): number {
  const row = db
    .sql("SELECT count(*) AS n FROM facts WHERE id IN (SELECT value FROM json_each(?))")
    .get(JSON.stringify([...facts]));
  return Number(row?.["n"]);
}

function countItems(db: Database, facts: ReadonlySet<string>, sessions: ReadonlySet<string>): number {
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
      JSON.stringify([...facts].map((id) => rowId("prompt", id))),
    );
  return Number(row?.["n"]);
}

/** In one transaction: some ten milliseconds. */
const PART = 200;

function* inParts(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += PART) yield ids.slice(at, at + PART);
}
