import type { HooklineEvent } from "../../event/event.ts";
import { callRowId } from "../../event/ids.ts";
import { mergeEvents } from "../../event/merge.ts";
import { absorbForgotten } from "../../privacy/forgotten-event.ts";
import { blobsOf } from "../stored-event.ts";
import type { Database, Row } from "./database.ts";

export interface PutResult {
  readonly event: HooklineEvent;
  /** The fact as it was, when this telling changed it. */
  readonly before: HooklineEvent | undefined;
  readonly changed: boolean;
  /** Whether it is a row of its own, just as it was told. */
  readonly isNew: boolean;
}

export interface Placing {
  readonly part: number;
  /** Of the prompt it belongs to, as far as is known now; of a fact that is there already it stays. */
  readonly number: number | null;
  /** Of the call in its turn, likewise. */
  readonly place: number | null;
  /** By their hash: what large inputs and patches held. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Its JSON, where somebody has it. */
  readonly text: string | undefined;
  readonly isObservation: (event: HooklineEvent) => boolean;
}

/** Stores one telling of a fact, in normal form: a new row, or its row merged with what is there. */
export function putFact(db: Database, told: HooklineEvent, placing: Placing): PutResult {
  const fresh = absorbForgotten(told);
  const { part, blobs, isObservation } = placing;
  // Most facts are told once: the row is tried first, and looked for only when it is there.
  if (insert(db, fresh, fresh === told ? placing : { ...placing, text: undefined })) {
    putBlobs(db, fresh, blobs, false);
    return { event: fresh, before: undefined, changed: true, isNew: true };
  }
  const row = db.sql("SELECT event_json, payload_json, last_part FROM facts WHERE id = ?").get(fresh.id)!;
  const known = fromRow(row);
  const event = absorbForgotten(mergeEvents(known, fresh));
  const [eventJson, payloadJson] = toJson(event);
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
  putBlobs(db, event, blobs, true);
  return { event, before: known, changed: true, isNew: false };
}

function insert(db: Database, event: HooklineEvent, placing: Placing): boolean {
  const { part, number, place, text, isObservation } = placing;
  const { changes } = db
    .sql(
      `INSERT INTO facts (event_type, session_id, timestamp, phase, provider, project_path, cwd, prompt_id, tool_use_id,
         batch_key, batch_index, is_machine, is_private, observation_id, event_json, payload_json, first_part,
         last_part, prompt_number, tool_index, id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .run(
      ...columns(event, isObservation(event)),
      ...toJson(event, text),
      part,
      part,
      number,
      place,
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

/** The event a row stands for. */
export function fromRow(row: Row): HooklineEvent {
  const event = JSON.parse(row["event_json"] as string) as HooklineEvent;
  const payload = row["payload_json"];
  if (typeof payload === "string")
    event.payload = JSON.parse(payload) as NonNullable<HooklineEvent["payload"]>;
  return event;
}

export function toJson(event: HooklineEvent, text?: string): [eventJson: string, payloadJson: string | null] {
  if (event.eventType !== "tool_observation") return [text ?? JSON.stringify(event), null];
  return [JSON.stringify({ ...event, payload: undefined }), JSON.stringify(storedPayload(event.payload))];
}

/** The projection numbers calls; what a teller says of it is not kept beside. */
function storedPayload(told: HooklineEvent["payload"]): object {
  const payload = told ?? { toolName: null, toolInput: null };
  const { promptIndex, toolIndex, toolName } = payload;
  if (promptIndex === undefined && toolIndex === undefined && typeof toolName === "string") return payload;
  const { promptIndex: _prompt, toolIndex: _tool, ...rest } = payload;
  return { ...rest, toolName: toolName ?? null };
}

function putBlobs(
  db: Database,
  event: HooklineEvent,
  blobs: ReadonlyMap<string, string>,
  wasKnown: boolean,
): void {
  const wanted = blobsOf(event);
  if (wasKnown) db.sql("DELETE FROM fact_blobs WHERE fact_id = ?").run(event.id);
  for (const hash of wanted) {
    const content = blobs.get(hash);
    if (content !== undefined)
      db.sql("INSERT OR IGNORE INTO blobs (hash, content) VALUES (?, ?)").run(hash, content);
    db.sql("INSERT OR IGNORE INTO fact_blobs (fact_id, hash) VALUES (?, ?)").run(event.id, hash);
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
