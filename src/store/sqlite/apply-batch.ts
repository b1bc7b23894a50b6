import { type HooklineEvent, isEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { mergeEvents, normalizeEvent } from "../../event/merge.ts";
import type { LogBatch, LogPart } from "../../log/log.ts";
import { withoutContent } from "../../privacy/private-event.ts";
import { clearRedactionCache } from "../../privacy/redact.ts";
import type { ApplyResult } from "../facts.ts";
import type { OutboxEntry } from "../memory-rows.ts";
import { redactAgain } from "../redact-again.ts";
import { toStoredEvent } from "../stored-event.ts";
import { type CallNumbers, createCallNumbers } from "./call-numbers.ts";
import { type Database, sqliteErrorKind, withSecureDelete } from "./database.ts";
import { type FormatPosition, savePosition } from "./log-positions.ts";
import { enqueueAll, enqueueCall, invalidateStamp, outboxEntryFor } from "./memory-outbox.ts";
import {
  type DirtySession,
  hasPromptNumber,
  isObservation,
  markDirty,
  projectSession,
  promptNumber,
  toUserPrompt,
  type UserPrompt,
  userPrompts,
} from "./project-session.ts";
import { applyTombstones } from "./sqlite-forgetting.ts";
import { OWN_LOG_KEY, readOffset, saveOffset } from "./stream-offsets.ts";
import { eventFromRow, upsertFact } from "./upsert-fact.ts";

const MAX_SESSION_STARTS = 10_000;

export interface ApplyOptions {
  readonly skippedTools: ReadonlySet<string>;
  readonly sessionStarts: Map<string, string>;
  readonly formatPosition: FormatPosition;
}

/**
 * Applies one batch of the log: facts, views of the affected sessions, and the cursor. Within a transaction.
 */
export function applyBatch(
  db: Database,
  batch: LogBatch,
  { skippedTools, sessionStarts, formatPosition }: ApplyOptions,
): ApplyResult {
  if (sessionStarts.size > MAX_SESSION_STARTS) sessionStarts.clear();
  const dirty = new Map<string, DirtySession>();
  let events = 0;
  const bad: string[] = [];
  let refused = 0;
  let lastTime = "";
  // Several lines of a batch about one fact become one write.
  const told = new Map<string, HooklineEvent>();
  const contents = new Map<string, string>();
  const texts = new Map<HooklineEvent, string>();
  for (let index = 0; index < batch.lines.length; index++) {
    const line = batch.lines[index]!;
    if (line[0] !== "{" && line.trim() === "") continue;
    const value = batch.events?.[index];
    const read = value ?? parseLine(line);
    if (read === undefined) {
      bad.push(line);
      continue;
    }
    // Just-accepted events are already redacted.
    const event = value ?? redactAgain(read);
    events++;
    lastTime = event.occurredAtIso;
    const { event: telling, blobs } = toStoredEvent(event);
    for (const [hash, content] of blobs) contents.set(hash, content);
    const known = told.get(event.id);
    told.set(event.id, known === undefined ? telling : mergeEvents(known, telling));
    // Only a line we just wrote is guaranteed to equal its re-serialized event.
    if (telling === value) texts.set(telling, line);
  }
  clearRedactionCache();
  const put: BatchState = {
    db,
    dirty,
    hidden: new Map(),
    prompts: new Map(),
    blobs: contents,
    texts,
    turns: createCallNumbers(db, told.values()),
    begins: sessionStarts,
    skipped: skippedTools,
    part: batch.part,
    wanted: [],
  };
  for (const event of told.values()) {
    try {
      applyEvent(put, event);
    } catch (error) {
      if (sqliteErrorKind(error) !== "refused" || !db.raw.isTransaction) throw error;
      refused++;
      put.turns.invalidate(event);
      refuse(db, event, error);
    }
  }
  enqueueAll(db, put.wanted);
  for (const [sessionId, session] of dirty) {
    if (sessionId !== UNKNOWN_SESSION) projectOrRefuse(put, sessionId, session);
  }
  savePosition(db, "store", batch.next);
  const updatedAtIso = lastTime || readOffset(db, OWN_LOG_KEY)?.updatedAtIso || "";
  saveOffset(db, OWN_LOG_KEY, { ...formatPosition(batch.next), updatedAtIso });
  return { events, lastEventIso: lastTime || null, invalidLines: bad, refused };
}

interface BatchState {
  readonly db: Database;
  readonly dirty: Map<string, DirtySession>;
  /** Cache: whether a prompt hides its turn. */
  readonly hidden: Map<string, boolean>;
  /** Cache: the prompts of the affected sessions. */
  readonly prompts: Map<string, UserPrompt[]>;
  /** Contents of blobs in this batch, by hash. */
  readonly blobs: Map<string, string>;
  /** The JSON of events that are stored exactly as logged. */
  readonly texts: ReadonlyMap<HooklineEvent, string>;
  readonly turns: CallNumbers;
  readonly begins: Map<string, string>;
  readonly skipped: ReadonlySet<string>;
  readonly part: LogPart;
  /** Entries for memory's outbox. */
  readonly wanted: OutboxEntry[];
}

function applyEvent(put: BatchState, event: HooklineEvent): void {
  const { db, dirty, hidden, blobs, skipped, part } = put;
  const promptId = event.promptId ?? undefined;
  const telling =
    event["private"] !== true && promptId !== undefined && isHidden(put, promptId)
      ? normalizeEvent(withoutContent(event))
      : event;
  const number = hasPromptNumber(telling) ? assignPromptNumber(put, telling) : null;
  const told = upsertFact(db, telling, {
    part,
    promptNumber: number,
    toolIndex: put.turns.toolIndexOf(telling),
    blobs,
    eventJson: put.texts.get(telling),
    isObservation: (each) => isObservation(each, skipped),
  });
  const { event: fact, before } = told;
  if (!told.isNew) put.turns.invalidate(fact);
  if (!told.changed) return;
  if (before !== undefined) {
    markDirty(dirty, before, put.begins);
    put.turns.invalidate(before);
  }
  markDirty(dirty, fact, put.begins, before === undefined ? number : undefined);
  const wanted = outboxEntryFor(fact, isObservation(fact, skipped));
  if (wanted !== undefined) put.wanted.push(wanted);
  if (fact.eventType === "memory.forgotten") applyTombstones(db, fact);
  if (fact.eventType === "turn.start") notePrompt(put, fact, before === undefined);
  if (fact.eventType !== "turn.start" || fact.promptId == null) return;
  hidden.delete(fact.promptId);
  if (fact["private"] === true && isHidden(put, fact.promptId))
    withSecureDelete(db, () => hideTurn(db, fact.promptId!, dirty));
}

/** Written with the row, so that projecting the session need not update it. */
function assignPromptNumber({ db, prompts }: BatchState, event: HooklineEvent): number | null {
  let known = prompts.get(event.sessionId);
  if (known === undefined) {
    known = userPrompts(db, event.sessionId);
    prompts.set(event.sessionId, known);
  }
  return promptNumber(known, event.promptId ?? null, event.occurredAtIso);
}

/** Keeps the cached prompts valid: appends a new last prompt, otherwise drops the cache. */
function notePrompt({ prompts }: BatchState, fact: HooklineEvent, isNew: boolean): void {
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

function isHidden({ db, hidden }: BatchState, promptId: string): boolean {
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

/** A prompt turned out to be private after other facts of its turn were stored: erases their content. */
function hideTurn(db: Database, promptId: string, dirty: Map<string, DirtySession>): void {
  for (const row of db
    .sql("SELECT id, event_json, payload_json FROM facts WHERE prompt_id = ? AND is_private = 0")
    .all(promptId)) {
    // The form it would have had from the start.
    const bare = normalizeEvent(withoutContent(eventFromRow(row)));
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
    if (isObservation) enqueueCall(db, bare.id);
  }
  invalidateStamp(db);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
}

/** The first prompt decides for its turn; one typed while the turn runs has the same id. */
function isPrivatePrompt(db: Database, promptId: string): boolean {
  const row = db
    .sql(
      "SELECT is_private FROM facts WHERE prompt_id = ? AND event_type = 'turn.start' ORDER BY timestamp, id LIMIT 1",
    )
    .get(promptId);
  return row?.["is_private"] === 1;
}

function projectOrRefuse(
  { db, begins, prompts, turns }: BatchState,
  sessionId: string,
  session: DirtySession,
): void {
  db.raw.exec("SAVEPOINT project");
  try {
    projectSession(db, sessionId, session, begins, turns, prompts.get(sessionId));
  } catch (error) {
    if (sqliteErrorKind(error) !== "refused" || !db.raw.isTransaction) throw error;
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
