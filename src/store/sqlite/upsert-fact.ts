import type { HooklineEvent } from "../../event/event.ts";
import { callRowId } from "../../event/ids.ts";
import { mergeEvents } from "../../event/merge.ts";
import { stripIfForgotten } from "../../privacy/forgotten-event.ts";
import { blobsOf } from "../stored-event.ts";
import type { Database, Row } from "./database.ts";

export interface UpsertResult {
  readonly event: HooklineEvent;
  /** The previous fact, if this event changed it. */
  readonly before: HooklineEvent | undefined;
  readonly changed: boolean;
  /** Whether a new row was inserted with the event as is. */
  readonly isNew: boolean;
}

export interface FactRowContext {
  readonly part: number;
  /** The number of its prompt, as far as known; not applied to an existing fact. */
  readonly promptNumber: number | null;
  /** The number of the call in its turn; likewise. */
  readonly toolIndex: number | null;
  /** Contents of large inputs and patches, by hash. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Its JSON, if already serialized. */
  readonly eventJson: string | undefined;
  readonly isObservation: (event: HooklineEvent) => boolean;
}

/** Stores one normalized event about a fact: inserts a new row, or merges it into the existing one. */
export function upsertFact(db: Database, report: HooklineEvent, context: FactRowContext): UpsertResult {
  const stripped = stripIfForgotten(report);
  const { part, blobs, isObservation } = context;
  // Most facts are reported once: insert first, and read the row only on a conflict.
  if (insert(db, stripped, stripped === report ? context : { ...context, eventJson: undefined })) {
    upsertBlobs(db, stripped, blobs, false);
    return { event: stripped, before: undefined, changed: true, isNew: true };
  }
  const row = db.sql("SELECT event_json, payload_json, last_part FROM facts WHERE id = ?").get(stripped.id)!;
  const known = eventFromRow(row);
  const event = stripIfForgotten(mergeEvents(known, stripped));
  const [eventJson, payloadJson] = toJsonColumns(event);
  if (row["event_json"] === eventJson && row["payload_json"] === payloadJson) {
    if (Number(row["last_part"]) < part) {
      db.sql("UPDATE facts SET last_part = ? WHERE id = ?").run(part, event.id);
    }
    return { event, before: undefined, changed: false, isNew: false };
  }
  db.sql(
    `UPDATE facts SET event_type = ?, session_id = ?, timestamp = ?, phase = ?, provider = ?, project_path = ?, cwd = ?,
       prompt_id = ?, tool_use_id = ?, batch_key = ?, batch_index = ?, is_machine = ?, is_private = ?, observation_id = ?,
       event_json = ?, payload_json = ?, first_part = min(first_part, ?), last_part = max(last_part, ?)
     WHERE id = ?`,
  ).run(...columns(event, isObservation(event)), eventJson, payloadJson, part, part, event.id);
  upsertBlobs(db, event, blobs, true);
  return { event, before: known, changed: true, isNew: false };
}

function insert(db: Database, event: HooklineEvent, context: FactRowContext): boolean {
  const { part, promptNumber, toolIndex, eventJson: text, isObservation } = context;
  const { changes } = db
    .sql(
      `INSERT INTO facts (event_type, session_id, timestamp, phase, provider, project_path, cwd, prompt_id, tool_use_id,
         batch_key, batch_index, is_machine, is_private, observation_id, event_json, payload_json, first_part,
         last_part, prompt_number, tool_index, id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .run(
      ...columns(event, isObservation(event)),
      ...toJsonColumns(event, text),
      part,
      part,
      promptNumber,
      toolIndex,
      event.id,
    );
  return changes === 1;
}

type Column = string | number | null;

function columns(event: HooklineEvent, isObservation: boolean): Column[] {
  return [
    event.eventType,
    event.sessionId,
    event.occurredAtIso,
    event.phase ?? null,
    event.provider,
    event.projectPath,
    event.cwd,
    event.promptId ?? null,
    event.toolUseId ?? null,
    textOrNull(event["batchKey"]),
    typeof event["batchIndex"] === "number" ? event["batchIndex"] : null,
    event["machine"] === true ? 1 : 0,
    event["private"] === true ? 1 : 0,
    isObservation ? callRowId({ ...event, toolUseId: event.toolUseId! }) : null,
  ];
}

/** Restores the event from a row. */
export function eventFromRow(row: Row): HooklineEvent {
  const event = JSON.parse(row["event_json"] as string) as HooklineEvent;
  const payload = row["payload_json"];
  if (typeof payload === "string")
    event.payload = JSON.parse(payload) as NonNullable<HooklineEvent["payload"]>;
  return event;
}

export function toJsonColumns(
  event: HooklineEvent,
  text?: string,
): [eventJson: string, payloadJson: string | null] {
  if (event.eventType !== "tool_observation") return [text ?? JSON.stringify(event), null];
  return [JSON.stringify({ ...event, payload: undefined }), JSON.stringify(storedPayload(event.payload))];
}

/** The projection numbers calls; numbers in the event are dropped. */
function storedPayload(report: HooklineEvent["payload"]): object {
  const payload = report ?? { toolName: null, toolInput: null };
  const { promptIndex, toolIndex, toolName } = payload;
  if (promptIndex === undefined && toolIndex === undefined && typeof toolName === "string") return payload;
  const { promptIndex: _prompt, toolIndex: _tool, ...rest } = payload;
  return { ...rest, toolName: toolName ?? null };
}

function upsertBlobs(
  db: Database,
  event: HooklineEvent,
  blobs: ReadonlyMap<string, string>,
  wasKnown: boolean,
): void {
  const hashes = blobsOf(event);
  if (wasKnown) db.sql("DELETE FROM fact_blobs WHERE fact_id = ?").run(event.id);
  for (const hash of hashes) {
    const content = blobs.get(hash);
    if (content !== undefined)
      db.sql("INSERT OR IGNORE INTO blobs (hash, content) VALUES (?, ?)").run(hash, content);
    db.sql("INSERT OR IGNORE INTO fact_blobs (fact_id, hash) VALUES (?, ?)").run(event.id, hash);
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
