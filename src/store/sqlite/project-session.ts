import type { HooklineEvent } from "../../event/event.ts";
import { rowId } from "../../event/ids.ts";
import { sqlSafeText } from "../stored-event.ts";
import type { CallNumbers } from "./call-numbers.ts";
import type { Database, Row } from "./database.ts";
import { enqueueCall } from "./memory-outbox.ts";

/** What changed in a session since its views were last projected. */
export interface DirtySession {
  /** Ids of prompt facts. */
  readonly prompts: Set<string>;
  /** Facts with a prompt number, and what it depends on, if already loaded. */
  readonly numbered: Map<string, NumberedFact | undefined>;
  /** Something its `sdk_sessions` row depends on: a start, an end, a prompt, or an earlier first event. */
  isRowChanged: boolean;
  /** Turns whose calls must be renumbered. */
  readonly turns: Set<string | null>;
}

/** Tools whose calls produce no memory; they still appear in `events`. */
export const SKIPPED_TOOLS: readonly string[] = [
  "TodoWrite",
  "TodoRead",
  "ListMcpResourcesTool",
  "SlashCommand",
  "Skill",
  "AskUserQuestion",
];

interface NumberedFact {
  readonly promptId: string | null;
  readonly timestamp: string;
  /** The number stored in the row. */
  readonly number?: number | null;
}

/** Later events of other types, which are most events, leave the row unchanged. */
function affectsSessionRow(event: HooklineEvent, start: string | undefined): boolean {
  if (start === undefined || event.occurredAtIso <= start) return true;
  return (
    event.eventType === "turn.start" ||
    event.eventType === "session.lifecycle" ||
    (event.eventType === "agent.event" && event.phase === "exited")
  );
}

/** Whether an event carries the number of its prompt. */
export function hasPromptNumber(event: HooklineEvent): boolean {
  return event.eventType === "tool_observation" || event.eventType === "skill.lifecycle";
}

const HAS_PROMPT_NUMBER = "event_type IN ('tool_observation', 'skill.lifecycle')";

/** Whether a call produces a row in `observations`. */
export function isObservation(event: HooklineEvent, skipped: ReadonlySet<string>): boolean {
  const toolName = event.payload?.toolName;
  return (
    event.eventType === "tool_observation" &&
    event["private"] !== true &&
    event.toolUseId != null &&
    typeof toolName === "string" &&
    !skipped.has(toolName)
  );
}

export function markDirty(
  dirty: Map<string, DirtySession>,
  event: HooklineEvent,
  sessionStarts: ReadonlyMap<string, string>,
  number?: number | null,
): void {
  let session = dirty.get(event.sessionId);
  if (session === undefined) {
    session = { prompts: new Set(), isRowChanged: false, numbered: new Map(), turns: new Set() };
    dirty.set(event.sessionId, session);
  }
  if (affectsSessionRow(event, sessionStarts.get(event.sessionId))) session.isRowChanged = true;
  if (event.eventType === "turn.start") session.prompts.add(event.id);
  if (hasPromptNumber(event))
    session.numbered.set(event.id, {
      promptId: event.promptId ?? null,
      timestamp: event.occurredAtIso,
      number,
    });
  if (event.eventType === "tool_observation" || event.eventType === "tool.start")
    session.turns.add(event.promptId ?? null);
}

/**
 * Updates the views of one session from its facts, as far as they changed. The result depends on the facts
 * alone, not on their order of arrival.
 */
export function projectSession(
  db: Database,
  sessionId: string,
  dirty: DirtySession,
  sessionStarts: Map<string, string>,
  turns: CallNumbers,
  known?: readonly UserPrompt[],
): void {
  const id = rowId("session", sessionId);
  const prompts = known ?? userPrompts(db, sessionId);
  if (dirty.isRowChanged) {
    const times = db.sql(SESSION_TIMES).get(sessionId) as unknown as SessionTimes;
    sessionStarts.delete(sessionId);
    if (times.first === null) {
      db.sql("DELETE FROM sdk_sessions WHERE id = ?").run(id);
      return;
    }
    upsertSession(db, id, sessionId, times, prompts);
    // Later events add nothing only once the session's project and own start are known.
    if (times.project !== null && times.ownStart !== null) sessionStarts.set(sessionId, times.ownStart);
  }
  if (dirty.prompts.size > 0) {
    for (const factId of upsertPrompts(db, id, sessionId, prompts, dirty.prompts))
      if (!dirty.numbered.has(factId)) dirty.numbered.set(factId, undefined);
  }
  for (const [factId, known] of dirty.numbered) numberFact(db, factId, known, prompts);
  for (const promptId of dirty.turns) turns.write(sessionId, promptId);
}

interface SessionTimes {
  readonly first: string | null;
  /** The first event that is not its parent's: a fork starts with copies of its parent's messages. */
  readonly ownStart: string | null;
  readonly startedAt: string | null;
  readonly lastPromptAt: string | null;
  readonly endedAt: string | null;
  readonly exitedAt: string | null;
  readonly project: string | null;
}

/**
 * Each is one index lookup, or one per copied message of a fork. A transcript shows that the process exited,
 * not when.
 */
const SESSION_TIMES = `SELECT
  (SELECT min(timestamp) FROM facts WHERE session_id = ?1) AS first,
  (SELECT timestamp FROM facts WHERE session_id = ?1
     AND NOT (event_type = 'agent.event' AND json_extract(event_json, '$.name') IS 'inherited-message')
   ORDER BY timestamp LIMIT 1) AS ownStart,
  (SELECT max(timestamp) FROM facts WHERE session_id = ?1 AND event_type = 'session.lifecycle' AND phase = 'started') AS startedAt,
  (SELECT max(timestamp) FROM facts WHERE session_id = ?1 AND event_type = 'turn.start' AND phase IS NULL) AS lastPromptAt,
  (SELECT max(timestamp) FROM facts WHERE session_id = ?1 AND event_type = 'session.lifecycle' AND phase = 'ended') AS endedAt,
  (SELECT max(timestamp) FROM facts WHERE session_id = ?1 AND event_type = 'agent.event' AND phase = 'exited') AS exitedAt,
  (SELECT project_path FROM facts WHERE session_id = ?1 AND project_path IS NOT NULL ORDER BY timestamp, id LIMIT 1) AS project`;

export interface UserPrompt {
  readonly promptId: string | null;
  readonly factId: string;
  readonly timestamp: string;
  readonly number: number;
  /** The id of its row in `user_prompts`. */
  readonly rowId: number;
}

export function toUserPrompt(
  promptId: string | null,
  factId: string,
  timestamp: string,
  number: number,
): UserPrompt {
  return { promptId, factId, timestamp, number, rowId: rowId("prompt", factId) };
}

/**
 * The pluses: sort the session's few prompts, because the timestamp index would read all its events; and keep
 * SQLite from scanning the prompts of all sessions.
 */
export const USER_PROMPTS = `SELECT id, prompt_id, timestamp FROM facts
  WHERE session_id = ? AND event_type = 'turn.start' AND +is_machine = 0 AND is_private = 0
  ORDER BY +timestamp, id`;

/** Non-private prompts written by a person, in time order. */
export function userPrompts(db: Database, sessionId: string): UserPrompt[] {
  return db
    .sql(USER_PROMPTS)
    .all(sessionId)
    .map((row, index) =>
      toUserPrompt(
        row["prompt_id"] as string | null,
        row["id"] as string,
        row["timestamp"] as string,
        index + 1,
      ),
    );
}

function promptText(db: Database, prompt: UserPrompt | undefined): string | null {
  if (prompt === undefined) return null;
  // Parsed in JavaScript, because SQLite turns half a surrogate pair into three characters.
  const row = db.sql("SELECT event_json FROM facts WHERE id = ?").get(prompt.factId);
  const event = JSON.parse((row?.["event_json"] as string | undefined) ?? "{}") as Row;
  return typeof event["prompt"] === "string" ? sqlSafeText(event["prompt"]) : "";
}

function upsertSession(
  db: Database,
  id: number,
  sessionId: string,
  times: SessionTimes,
  prompts: readonly UserPrompt[],
): void {
  const { startedAt, lastPromptAt, endedAt, exitedAt, project } = times;
  const lastActiveAt = [startedAt ?? "", lastPromptAt ?? ""].sort()[1]!;
  const isEnded = endedAt !== null && endedAt >= lastActiveAt;
  const isCompleted = isEnded || (exitedAt !== null && exitedAt >= lastActiveAt);
  db.sql(
    `INSERT INTO sdk_sessions (id, claude_session_id, project, first_user_prompt, prompt_counter, status, created_at, completed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET project = excluded.project, first_user_prompt = excluded.first_user_prompt,
       prompt_counter = excluded.prompt_counter, status = excluded.status, created_at = excluded.created_at,
       completed_at = excluded.completed_at
     WHERE (project, first_user_prompt, prompt_counter, status, created_at, completed_at) IS NOT
       (excluded.project, excluded.first_user_prompt, excluded.prompt_counter, excluded.status, excluded.created_at,
        excluded.completed_at)`,
  ).run(
    id,
    sessionId,
    project,
    promptText(db, prompts[0]),
    prompts.length,
    isCompleted ? "completed" : lastPromptAt !== null ? "active" : "initialized",
    times.ownStart ?? times.first,
    isEnded ? endedAt : null,
  );
}

/** Writes rows that differ, and returns the facts whose number may have changed with them. */
function upsertPrompts(
  db: Database,
  sessionRow: number,
  sessionId: string,
  prompts: readonly UserPrompt[],
  changed: ReadonlySet<string>,
): Set<string> {
  const rows = new Map(
    db
      .sql("SELECT id, prompt_number, created_at FROM user_prompts WHERE session_id = ?")
      .all(sessionRow)
      .map((row) => [row["id"] as number, row]),
  );
  const renumbered = new Set<string>();
  // Numbers by time change from the earliest change on, numbers by prompt id with their prompt.
  let since = "~";
  const noteChange = (time: unknown): void => {
    if (typeof time === "string" && time < since) since = time;
  };
  for (const prompt of prompts) {
    const id = prompt.rowId;
    const row = rows.get(id);
    rows.delete(id);
    const isSame = row?.["prompt_number"] === prompt.number && row["created_at"] === prompt.timestamp;
    if (isSame && !changed.has(prompt.factId)) continue;
    if (!isSame) {
      noteChange(prompt.timestamp);
      noteChange(row?.["created_at"]);
      const turnFacts = db
        .sql(`SELECT id FROM facts WHERE prompt_id = ? AND session_id = ? AND ${HAS_PROMPT_NUMBER}`)
        .all(prompt.promptId, sessionId);
      for (const fact of turnFacts) renumbered.add(fact["id"] as string);
    }
    db.sql(
      `INSERT INTO user_prompts (id, session_id, prompt_number, prompt, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, prompt_number = excluded.prompt_number,
         prompt = excluded.prompt, created_at = excluded.created_at`,
    ).run(id, sessionRow, prompt.number, promptText(db, prompt)!, prompt.timestamp);
  }
  for (const [id, row] of rows) {
    db.sql("DELETE FROM user_prompts WHERE id = ?").run(id);
    noteChange(row["created_at"]);
  }
  const later = db
    .sql(`SELECT id FROM facts WHERE session_id = ? AND timestamp >= ? AND ${HAS_PROMPT_NUMBER}`)
    .all(sessionId, since);
  for (const fact of later) renumbered.add(fact["id"] as string);
  return renumbered;
}

function numberFact(
  db: Database,
  factId: string,
  known: NumberedFact | undefined,
  prompts: readonly UserPrompt[],
): void {
  const fact = known ?? readNumberedFact(db, factId);
  if (fact === undefined) return;
  const number = promptNumber(prompts, fact.promptId, fact.timestamp);
  if (fact.number === number) return;
  const { changes } = db
    .sql("UPDATE facts SET prompt_number = ?1 WHERE id = ?2 AND prompt_number IS NOT ?1")
    .run(number, factId);
  if (changes > 0) enqueueCall(db, factId);
}

function readNumberedFact(db: Database, factId: string): NumberedFact | undefined {
  const row = db.sql("SELECT prompt_id, timestamp FROM facts WHERE id = ?").get(factId);
  if (row === undefined) return undefined;
  return { promptId: row["prompt_id"] as string | null, timestamp: row["timestamp"] as string };
}

/** For a turn no person started (a machine prompt, or before the first prompt): the latest number by then. */
export function promptNumber(
  prompts: readonly UserPrompt[],
  promptId: string | null,
  timestamp: string,
): number | null {
  const ownPrompt = promptId === null ? undefined : prompts.find((prompt) => prompt.promptId === promptId);
  if (ownPrompt !== undefined) return ownPrompt.number;
  return prompts.findLast((prompt) => prompt.timestamp <= timestamp)?.number ?? null;
}
