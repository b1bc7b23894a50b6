import { type HooklineEvent, isEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { mergeEvents, normalizeEvent } from "../../event/merge.ts";
import type { LogBatch, LogPart } from "../../log/log.ts";
import { withoutContent } from "../../privacy/private-event.ts";
import { forgetSeen } from "../../privacy/redact.ts";
import { cutAgain } from "../cut-again.ts";
import type { ApplyResult } from "../facts.ts";
import type { OutboxEntry } from "../memory-rows.ts";
import { toStored } from "../stored-event.ts";
import { type Database, overwriting, sqliteTrouble } from "./database.ts";
import { type ShowPosition, savePosition } from "./log-positions.ts";
import { askForAll, askForCall, memoryOf, noteCut } from "./memory-outbox.ts";
import { createTurnNumbers, type TurnNumbers } from "./number-turns.ts";
import {
  type DirtySession,
  isNumbered,
  isObservation,
  markDirty,
  projectSession,
  promptNumber,
  toUserPrompt,
  type UserPrompt,
  userPrompts,
} from "./project-session.ts";
import { fromRow, putFact } from "./put-fact.ts";
import { applyForgotten } from "./sqlite-forget.ts";
import { OWN_LOG, saveOffset, streamOffset } from "./stream-offsets.ts";

const MOST_BEGINS = 10_000;

export interface ApplyOptions {
  readonly skipped: ReadonlySet<string>;
  readonly begins: Map<string, string>;
  readonly showPosition: ShowPosition;
}

/** Takes one batch of the log: facts, the views of the sessions it changes, and the cursor. Within a transaction. */
export function applyBatch(
  db: Database,
  batch: LogBatch,
  { skipped, begins, showPosition }: ApplyOptions,
): ApplyResult {
  if (begins.size > MOST_BEGINS) begins.clear();
  const dirty = new Map<string, DirtySession>();
  let events = 0;
  const bad: string[] = [];
  let refused = 0;
  let lastTime = "";
  // What one batch tells of a fact in several lines is one write.
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
    // What was accepted a moment ago needs no second look.
    const event = value ?? cutAgain(read);
    events++;
    lastTime = event.occurredAtIso;
    const { event: telling, blobs } = toStored(event);
    for (const [hash, content] of blobs) contents.set(hash, content);
    const known = told.get(event.id);
    told.set(event.id, known === undefined ? telling : mergeEvents(known, telling));
    // Only what we wrote ourselves a moment ago is sure to be what would be written again.
    if (telling === value) texts.set(telling, line);
  }
  forgetSeen();
  const put: Put = {
    db,
    dirty,
    hidden: new Map(),
    prompts: new Map(),
    blobs: contents,
    texts,
    turns: createTurnNumbers(db, told.values()),
    begins,
    skipped,
    part: batch.part,
    wanted: [],
  };
  for (const event of told.values()) {
    try {
      putEvent(put, event);
    } catch (error) {
      if (sqliteTrouble(error) !== "refused" || !db.raw.isTransaction) throw error;
      refused++;
      put.turns.doubt(event);
      refuse(db, event, error);
    }
  }
  askForAll(db, put.wanted);
  for (const [sessionId, session] of dirty) {
    if (sessionId !== UNKNOWN_SESSION) projectSafely(put, sessionId, session);
  }
  savePosition(db, "store", batch.next);
  const updatedAtIso = lastTime || streamOffset(db, OWN_LOG)?.updatedAtIso || "";
  saveOffset(db, OWN_LOG, { ...showPosition(batch.next), updatedAtIso });
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
  /** The JSON of events that are stored just as a line tells them. */
  readonly texts: ReadonlyMap<HooklineEvent, string>;
  readonly turns: TurnNumbers;
  readonly begins: Map<string, string>;
  readonly skipped: ReadonlySet<string>;
  readonly part: LogPart;
  /** What memory is to make of it. */
  readonly wanted: OutboxEntry[];
}

function putEvent(put: Put, event: HooklineEvent): void {
  const { db, dirty, hidden, blobs, skipped, part } = put;
  const promptId = event.promptId ?? undefined;
  const telling =
    event["private"] !== true && promptId !== undefined && isHidden(put, promptId)
      ? normalizeEvent(withoutContent(event))
      : event;
  const number = isNumbered(telling) ? numberNow(put, telling) : null;
  const told = putFact(db, telling, {
    part,
    number,
    place: put.turns.placeOf(telling),
    blobs,
    text: put.texts.get(telling),
    isObservation: (each) => isObservation(each, skipped),
  });
  const { event: fact, before } = told;
  if (!told.isNew) put.turns.doubt(fact);
  if (!told.changed) return;
  if (before !== undefined) {
    markDirty(dirty, before, put.begins);
    put.turns.doubt(before);
  }
  markDirty(dirty, fact, put.begins, before === undefined ? number : undefined);
  const wanted = memoryOf(fact, isObservation(fact, skipped));
  if (wanted !== undefined) put.wanted.push(wanted);
  if (fact.eventType === "memory.forgotten") applyForgotten(db, fact);
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
    if (isObservation) askForCall(db, bare.id);
  }
  noteCut(db);
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

function projectSafely({ db, begins, prompts, turns }: Put, sessionId: string, session: DirtySession): void {
  db.raw.exec("SAVEPOINT project");
  try {
    projectSession(db, sessionId, session, begins, turns, prompts.get(sessionId));
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
