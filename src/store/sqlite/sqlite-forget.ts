import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecallQuery, Tombstones } from "../../capture/recall.ts";
import { isPlainObject } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { factId, rowId } from "../../event/ids.ts";
import type { DatedGuard, TextFinder, TextGuard } from "../../privacy/forgotten-text.ts";
import type { ForgetRequest } from "../forget-request.ts";
import { cutFacts, cutSession, type Gone, remakeFound } from "./cut-facts.ts";
import { type Database, overwriting } from "./database.ts";
import { type Found, findForgotten } from "./find-forgotten.ts";
import { fromRow } from "./put-fact.ts";

/** What was forgotten, and what of it is still to be cut out of the database. */
export interface Forgetting {
  /** Of these, what must not come back; undefined while nothing ever was forgotten: a look at an empty table. */
  tombstones(asked: Pick<RecallQuery, "factIds" | "sessionIds">): Promise<Tombstones | undefined>;
  find(request: ForgetRequest, finder: TextFinder | undefined, logged: ReadonlySet<string>): Promise<Found>;
  /** How many facts there are of it, and how many items of memory hang on it. */
  count(found: Found): { readonly facts: number; readonly items: number };
  bury(event: HooklineEvent): void;
  /** Tombstones whose cutting was asked for and is not done. */
  unfinished(): HooklineEvent[];
  sessionsOf(facts: Iterable<string>): string[];
  /** Takes the content out of rows and of all that was made of them. Can be repeated. */
  cut(gone: Gone): Promise<void>;
  /** Writes the file anew, so that no free page holds what was there. False while others read it. */
  compact(): boolean;
}

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
    count: ({ facts, sessions }) => ({
      facts: countFacts(db, facts),
      items: countItems(db, facts, sessions),
    }),
    bury: (event) => db.transaction(() => applyForgotten(db, event)),
    unfinished: () => unfinished(db),
    sessionsOf: (facts) =>
      db
        .sql("SELECT DISTINCT session_id FROM facts WHERE id IN (SELECT value FROM json_each(?))")
        .all(JSON.stringify([...facts]))
        .map((row) => row["session_id"] as string),
    async cut(gone) {
      const cut = (work: () => Iterable<string>): void =>
        overwriting(db, () => db.transaction(() => [...work()].forEach(onSession)));
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
    compact() {
      // Rows that were written over before left their old words in the file.
      db.raw.exec("VACUUM");
      return Number(db.raw.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"]) === 0;
    },
  };
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

/** Done is what another event says is done: a rebuild need not do it again. */
export function doneId(askedId: string): string {
  return factId("memory.forgotten", "done", askedId);
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
