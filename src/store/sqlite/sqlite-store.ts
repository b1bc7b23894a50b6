import type { HooklineEvent } from "../../event/event.ts";
import { isEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { factId } from "../../event/ids.ts";
import { mergeEvents, normalizeEvent } from "../../event/merge.ts";
import type { LogBatch } from "../../log/reader.ts";
import { LOG_START } from "../../log/segments.ts";
import { withoutContent } from "../../privacy/private-event.ts";
import type {
  ApplyResult,
  EventQuery,
  PromptState,
  Store,
  StoredPosition,
  StoreSummary,
  StreamOffset,
} from "../store.ts";
import { toStored } from "../stored-event.ts";
import { type Database, openDatabase, type Row, sqliteTrouble } from "./database.ts";
import {
  type DirtySession,
  isNumbered,
  isObservation,
  markDirty,
  projectSession,
  promptNumber,
  SKIPPED_TOOLS,
  toUserPrompt,
  type UserPrompt,
  userPrompts,
} from "./project-session.ts";
import { fromRow, putFact } from "./put-fact.ts";

/** The row of `lifecycle_stream_offsets` that is our own log's. */
const OWN_LOG = "hookline";

export interface SqliteStoreOptions {
  readonly skippedTools?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface SqliteStore extends Store {
  readonly db: Database;
}

export function openSqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const db = openDatabase(path, { readOnly: options.readOnly ?? false });
  const skipped = new Set(options.skippedTools ?? SKIPPED_TOOLS);
  /** When sessions began, as their rows say: later events need not look. */
  const begins = new Map<string, string>();
  return {
    db,
    position: () => position(db),
    apply(batch, identity) {
      try {
        return db.transaction(() => apply(db, batch, identity, skipped, begins));
      } catch (error) {
        // What was learned of sessions went with the transaction.
        begins.clear();
        throw error;
      }
    },
    events: (query) => events(db, query),
    prompt: (promptId) => prompt(db, promptId),
    streamOffset: (key) => streamOffset(db, key),
    saveStreamOffset: (key, offset) => saveOffset(db, key, offset),
    *factsOf(segments) {
      const lost = JSON.stringify(segments);
      const rows = db.raw.prepare(
        `SELECT event_json, payload_json FROM facts WHERE first_segment IN (SELECT value FROM json_each(?1))
           OR last_segment IN (SELECT value FROM json_each(?1)) ORDER BY seq`,
      );
      for (const row of rows.iterate(lost)) yield withBlobs(db, fromRow(row));
    },
    moveFacts: (from, to) => {
      for (const column of ["first_segment", "last_segment"]) {
        db.sql(`UPDATE facts SET ${column} = ? WHERE ${column} IN (SELECT value FROM json_each(?))`).run(
          to,
          JSON.stringify(from),
        );
      }
    },
    summary: () => summary(db),
    removals: () =>
      db
        .sql("SELECT session_id FROM removals ORDER BY session_id")
        .all()
        .map((row) => row["session_id"] as string),
    askRemoval: (sessionId, askedAtIso) => {
      db.sql("INSERT OR IGNORE INTO removals (session_id, asked_at_iso) VALUES (?, ?)").run(
        sessionId,
        askedAtIso,
      );
    },
    removeSession: (sessionId) => {
      begins.delete(sessionId);
      overwriting(db, () => db.transaction(() => removeSession(db, sessionId)));
      // The write-ahead log has the old pages until it begins anew.
      db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    sessionsOlderThan: (iso) =>
      db
        .sql(
          `SELECT claude_session_id AS id FROM sdk_sessions s
           WHERE (SELECT max(timestamp) FROM facts WHERE session_id = s.claude_session_id) < ? ORDER BY created_at`,
        )
        .all(iso)
        .map((row) => row["id"] as string),
    close: () => db.close(),
  };
}

const MOST_BEGINS = 10_000;

function apply(
  db: Database,
  batch: LogBatch,
  identity: string | null,
  skipped: ReadonlySet<string>,
  begins: Map<string, string>,
): ApplyResult {
  if (begins.size > MOST_BEGINS) begins.clear();
  const dirty = new Map<string, DirtySession>();
  let events = 0;
  const bad: string[] = [];
  let refused = 0;
  let lastTime = "";
  const put: Put = {
    db,
    dirty,
    hidden: new Map(),
    prompts: new Map(),
    blobs: new Map(),
    begins,
    skipped,
    segment: batch.segment,
  };
  // What one batch tells of a fact in several lines is one write.
  const told = new Map<string, HooklineEvent>();
  for (let index = 0; index < batch.lines.length; index++) {
    const line = batch.lines[index]!;
    if (line[0] !== "{" && line.trim() === "") continue;
    const event = (batch.values?.[index] as HooklineEvent | undefined) ?? parseLine(line);
    if (event === undefined) {
      bad.push(line);
      continue;
    }
    events++;
    lastTime = event.occurredAtIso;
    const { event: telling, blobs } = toStored(event);
    for (const [hash, content] of blobs) put.blobs.set(hash, content);
    const known = told.get(event.id);
    told.set(event.id, known === undefined ? telling : mergeEvents(known, telling));
  }
  for (const event of told.values()) {
    try {
      putEvent(put, event);
    } catch (error) {
      if (sqliteTrouble(error) !== "refused" || !db.raw.isTransaction) throw error;
      refused++;
      refuse(db, event, error);
    }
  }
  for (const [sessionId, session] of dirty) {
    if (sessionId !== UNKNOWN_SESSION) projectSafely(put, sessionId, session);
  }
  const { segment, offset } = batch.next;
  const updatedAtIso = lastTime || streamOffset(db, OWN_LOG)?.updatedAtIso || "";
  saveOffset(db, OWN_LOG, { inode: `${segment}:${identity ?? ""}`, byteOffset: offset, updatedAtIso });
  return { events, lastEventIso: lastTime || null, bad, refused };
}

interface Put {
  readonly db: Database;
  readonly dirty: Map<string, DirtySession>;
  /** Of which prompts it is known in this batch whether they hide their turn. */
  readonly hidden: Map<string, boolean>;
  /** The prompts of the sessions it tells of, as far as they are known. */
  readonly prompts: Map<string, UserPrompt[]>;
  /** What stands beside the facts it tells of. */
  readonly blobs: Map<string, string>;
  readonly begins: Map<string, string>;
  readonly skipped: ReadonlySet<string>;
  readonly segment: number;
}

function putEvent(put: Put, event: HooklineEvent): void {
  const { db, dirty, hidden, blobs, skipped, segment } = put;
  const promptId = event.promptId ?? undefined;
  const telling =
    event["private"] !== true && promptId !== undefined && isHidden(put, promptId)
      ? withoutContent(event)
      : event;
  const number = isNumbered(telling) ? numberNow(put, telling) : null;
  const told = putFact(db, telling, {
    segment,
    number,
    blobs,
    isObservation: (each) => isObservation(each, skipped),
  });
  if (!told.changed) return;
  const { event: fact, before } = told;
  if (before !== undefined) markDirty(dirty, before, put.begins);
  markDirty(dirty, fact, put.begins, before === undefined ? number : undefined);
  if (fact.eventType === "turn.start") notePrompt(put, fact, before === undefined);
  if (fact.eventType !== "turn.start" || fact.promptId == null) return;
  hidden.delete(fact.promptId);
  if (fact["private"] === true && isHidden(put, fact.promptId))
    overwriting(db, () => hideTurn(db, fact.promptId!, dirty));
}

/** Written with the row, so that it need not be written again when the session's views are made. */
function numberNow({ db, prompts }: Put, event: HooklineEvent): number | null {
  let known = prompts.get(event.sessionId);
  if (known === undefined) {
    known = userPrompts(db, event.sessionId);
    prompts.set(event.sessionId, known);
  }
  return promptNumber(known, event.promptId ?? null, event.occurredAtIso);
}

/** Keeps the known prompts true: a new one at their end is added, anything else makes them be read again. */
function notePrompt({ prompts }: Put, fact: HooklineEvent, isNew: boolean): void {
  if (fact["machine"] === true && isNew) return;
  const known = prompts.get(fact.sessionId);
  const last = known?.at(-1);
  if (
    known === undefined ||
    !isNew ||
    fact["private"] === true ||
    (last !== undefined && last.timestamp >= fact.occurredAtIso)
  ) {
    prompts.delete(fact.sessionId);
    return;
  }
  known.push(toUserPrompt(fact.promptId ?? null, fact.id, fact.occurredAtIso, known.length + 1));
}

function isHidden({ db, hidden }: Put, promptId: string): boolean {
  let known = hidden.get(promptId);
  if (known === undefined) {
    known = isPrivatePrompt(db, promptId);
    hidden.set(promptId, known);
  }
  return known;
}

function parseLine(line: string): HooklineEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A prompt that turns out to be private after others of its turn were stored: their content goes. */
function hideTurn(db: Database, promptId: string, dirty: Map<string, DirtySession>): void {
  for (const row of db
    .sql("SELECT id, event_json, payload_json FROM facts WHERE prompt_id = ? AND is_private = 0")
    .all(promptId)) {
    // In the form it would have had from the beginning.
    const bare = normalizeEvent(withoutContent(fromRow(row)));
    const { payload, ...rest } = bare;
    const isObservation = bare.eventType === "tool_observation";
    db.sql(
      "UPDATE facts SET is_private = 1, observation_id = NULL, event_json = ?, payload_json = ? WHERE id = ?",
    ).run(
      JSON.stringify(isObservation ? rest : bare),
      isObservation ? JSON.stringify(payload) : null,
      bare.id,
    );
    db.sql("DELETE FROM fact_blobs WHERE fact_id = ?").run(bare.id);
    markDirty(dirty, bare, new Map());
  }
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
}

/** The first prompt of a turn says what the turn is; one typed while it runs is told under the same id. */
function isPrivatePrompt(db: Database, promptId: string): boolean {
  const row = db
    .sql(
      "SELECT is_private FROM facts WHERE prompt_id = ? AND event_type = 'turn.start' ORDER BY timestamp, id LIMIT 1",
    )
    .get(promptId);
  return row?.["is_private"] === 1;
}

function projectSafely({ db, begins, prompts }: Put, sessionId: string, session: DirtySession): void {
  db.raw.exec("SAVEPOINT project");
  try {
    projectSession(db, sessionId, session, begins, prompts.get(sessionId));
  } catch (error) {
    if (sqliteTrouble(error) !== "refused" || !db.raw.isTransaction) throw error;
    db.raw.exec("ROLLBACK TO project");
    const id = `views of ${sessionId}`;
    db.sql("INSERT OR REPLACE INTO refused_events (id, reason, event_json) VALUES (?, ?, '{}')").run(
      id,
      String(error),
    );
  }
  db.raw.exec("RELEASE project");
}

function refuse(db: Database, event: HooklineEvent, error: unknown): void {
  db.sql("INSERT OR REPLACE INTO refused_events (id, reason, event_json) VALUES (?, ?, ?)").run(
    event.id,
    (error as Error).message,
    JSON.stringify(event),
  );
}

function position(db: Database): StoredPosition {
  const saved = streamOffset(db, OWN_LOG);
  if (saved === undefined) return { ...LOG_START, identity: null };
  const colon = saved.inode.indexOf(":");
  return {
    segment: Number(saved.inode.slice(0, colon)),
    offset: saved.byteOffset,
    identity: saved.inode.slice(colon + 1) || null,
  };
}

function events(db: Database, query: EventQuery): { seq: number; event: HooklineEvent }[] {
  const columns = "seq, event_json, payload_json, prompt_number, tool_index";
  const rows =
    query.sessionId === undefined
      ? db
          .sql(`SELECT ${columns} FROM facts WHERE seq > ? ORDER BY seq LIMIT ?`)
          .all(query.after, query.limit)
      : db
          .sql(`SELECT ${columns} FROM facts WHERE seq > ? AND session_id = ? ORDER BY seq LIMIT ?`)
          .all(query.after, query.sessionId, query.limit);
  return rows.map((row) => ({ seq: Number(row["seq"]), event: numbered(row) }));
}

function numbered(row: Row): HooklineEvent {
  const event = fromRow(row);
  const promptNumber = row["prompt_number"] as number | null;
  if (event.payload !== undefined && event.eventType === "tool_observation") {
    event.payload = {
      ...event.payload,
      promptIndex: promptNumber,
      toolIndex: row["tool_index"] as number | null,
    };
  }
  if (event.eventType === "skill.lifecycle") event["turnSeq"] = promptNumber;
  return event;
}

function prompt(db: Database, promptId: string): PromptState | undefined {
  const told = db
    .sql("SELECT id, is_private FROM facts WHERE prompt_id = ? AND event_type = 'turn.start'")
    .all(promptId);
  const slash = db
    .sql("SELECT event_json, payload_json FROM facts WHERE id = ?")
    .get(factId("slash", promptId, "in_progress"));
  if (told.length === 0 && slash === undefined) return undefined;
  return {
    told: told.map((row) => row["id"] as string),
    isPrivate: told.some((row) => row["is_private"] === 1),
    slash: slash === undefined ? undefined : fromRow(slash),
  };
}

function streamOffset(db: Database, key: string): StreamOffset | undefined {
  const row = db
    .sql("SELECT inode, byte_offset, updated_at_iso FROM lifecycle_stream_offsets WHERE stream_key = ?")
    .get(key);
  if (row === undefined) return undefined;
  return {
    inode: row["inode"] as string,
    byteOffset: Number(row["byte_offset"]),
    updatedAtIso: row["updated_at_iso"] as string,
  };
}

function saveOffset(db: Database, key: string, offset: StreamOffset): void {
  db.sql(
    `INSERT INTO lifecycle_stream_offsets (stream_key, inode, byte_offset, updated_at_iso) VALUES (?, ?, ?, ?)
     ON CONFLICT (stream_key) DO UPDATE SET inode = excluded.inode, byte_offset = excluded.byte_offset,
       updated_at_iso = excluded.updated_at_iso`,
  ).run(key, offset.inode, offset.byteOffset, offset.updatedAtIso);
}

/** The event as it was logged: previews replaced by what their blobs hold. */
function withBlobs(db: Database, event: HooklineEvent): HooklineEvent {
  if (event.payload === undefined) return event;
  const payload = { ...event.payload };
  for (const key of ["toolInput", "structuredPatch"]) {
    const hash = (payload[key] as Row | null | undefined)?.["$blob"];
    if (typeof hash !== "string") continue;
    const row = db.sql("SELECT content FROM blobs WHERE hash = ?").get(hash);
    if (row !== undefined) payload[key] = JSON.parse(row["content"] as string) as unknown;
  }
  return { ...event, payload };
}

function summary(db: Database): StoreSummary {
  const count = (table: string): number => Number(db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  const last = db
    .sql(`SELECT json_extract(event_json, '$.origin') AS origin, max(timestamp) AS t FROM (
            SELECT event_json, timestamp FROM facts ORDER BY seq DESC LIMIT 1000) GROUP BY 1`)
    .all();
  return {
    events: count("facts"),
    sessions: count("sdk_sessions"),
    refused: count("refused_events"),
    lastEventPerSource: Object.fromEntries(last.map((row) => [row["origin"] as string, row["t"] as string])),
  };
}

/** What is deleted meanwhile is overwritten in the file, not only forgotten. */
function overwriting(db: Database, work: () => void): void {
  db.raw.exec("PRAGMA secure_delete = ON");
  try {
    work();
  } finally {
    db.raw.exec("PRAGMA secure_delete = OFF");
  }
}

function removeSession(db: Database, sessionId: string): void {
  db.sql("DELETE FROM sdk_sessions WHERE claude_session_id = ?").run(sessionId);
  db.sql("DELETE FROM facts WHERE session_id = ?").run(sessionId);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
  db.sql("DELETE FROM refused_events WHERE json_extract(event_json, '$.sessionId') = ?").run(sessionId);
  db.sql("DELETE FROM removals WHERE session_id = ?").run(sessionId);
}
