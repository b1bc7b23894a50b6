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
  const invalidLines: string[] = [];
  let refused = 0;
  let lastTime = "";
  // Several lines of a batch about one fact become one write.
  const facts = new Map<string, HooklineEvent>();
  const blobContents = new Map<string, string>();
  const texts = new Map<HooklineEvent, string>();
  for (let index = 0; index < batch.lines.length; index++) {
    const line = batch.lines[index]!;
    if (line[0] !== "{" && line.trim() === "") continue;
    const value = batch.events?.[index];
    const read = value ?? parseLine(line);
    if (read === undefined) {
      invalidLines.push(line);
      continue;
    }
    // Just-accepted events are already redacted.
    const event = value ?? redactAgain(read);
    events++;
    lastTime = event.occurredAtIso;
    const { event: report, blobs } = toStoredEvent(event);
    for (const [hash, content] of blobs) blobContents.set(hash, content);
    const known = facts.get(event.id);
    facts.set(event.id, known === undefined ? report : mergeEvents(known, report));
    // Only a line we just wrote is guaranteed to equal its re-serialized event.
    if (report === value) texts.set(report, line);
  }
  clearRedactionCache();
  const state: BatchState = {
    db,
    dirty,
    hidden: new Map(),
    prompts: new Map(),
    blobs: blobContents,
    texts,
    turns: createCallNumbers(db, facts.values()),
    sessionStarts: sessionStarts,
    skippedTools: skippedTools,
    part: batch.part,
    outboxEntries: [],
  };
  for (const event of facts.values()) {
    try {
      applyEvent(state, event);
    } catch (error) {
      if (sqliteErrorKind(error) !== "refused" || !db.raw.isTransaction) throw error;
      refused++;
      state.turns.invalidate(event);
      refuse(db, event, error);
    }
  }
  enqueueAll(db, state.outboxEntries);
  for (const [sessionId, session] of dirty) {
    if (sessionId !== UNKNOWN_SESSION) projectOrRefuse(state, sessionId, session);
  }
  savePosition(db, "store", batch.next);
  const updatedAtIso = lastTime || readOffset(db, OWN_LOG_KEY)?.updatedAtIso || "";
  saveOffset(db, OWN_LOG_KEY, { ...formatPosition(batch.next), updatedAtIso });
  return { events, lastEventIso: lastTime || null, invalidLines: invalidLines, refused };
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
  readonly sessionStarts: Map<string, string>;
  readonly skippedTools: ReadonlySet<string>;
  readonly part: LogPart;
  /** Entries for memory's outbox. */
  readonly outboxEntries: OutboxEntry[];
}

function applyEvent(state: BatchState, event: HooklineEvent): void {
  const { db, dirty, hidden, blobs, skippedTools: skipped, part } = state;
  const promptId = event.promptId ?? undefined;
  const report =
    event["private"] !== true && promptId !== undefined && isHidden(state, promptId)
      ? normalizeEvent(withoutContent(event))
      : event;
  const number = hasPromptNumber(report) ? assignPromptNumber(state, report) : null;
  const facts = upsertFact(db, report, {
    part,
    promptNumber: number,
    toolIndex: state.turns.toolIndexOf(report),
    blobs,
    eventJson: state.texts.get(report),
    isObservation: (each) => isObservation(each, skipped),
  });
  const { event: fact, before } = facts;
  if (!facts.isNew) state.turns.invalidate(fact);
  if (!facts.changed) return;
  if (before !== undefined) {
    markDirty(dirty, before, state.sessionStarts);
    state.turns.invalidate(before);
  }
  markDirty(dirty, fact, state.sessionStarts, before === undefined ? number : undefined);
  const entry = outboxEntryFor(fact, isObservation(fact, skipped));
  if (entry !== undefined) state.outboxEntries.push(entry);
  if (fact.eventType === "memory.forgotten") applyTombstones(db, fact);
  if (fact.eventType === "turn.start") notePrompt(state, fact, before === undefined);
  if (fact.eventType !== "turn.start" || fact.promptId == null) return;
  hidden.delete(fact.promptId);
  if (fact["private"] === true && isHidden(state, fact.promptId))
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
  { db, sessionStarts: begins, prompts, turns }: BatchState,
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
