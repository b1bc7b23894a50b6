import type { InjectionRow, ItemRow, MadeRow, MarkRow } from "../memory-rows.ts";
import type { Row } from "./database.ts";

/** The columns `toItem` reads. */
export const ITEM_COLUMNS = `id, kind, session_id, project, prompt_number, tool_name, type, title, branch, success, created_at, made_by,
  pinned, content_json, summary_json`;

export function toItem(row: Row): ItemRow {
  const success = row["success"] as number | null;
  return {
    id: row["id"] as number,
    kind: row["kind"] as string,
    sessionId: row["session_id"] as string,
    project: row["project"] as string | null,
    promptNumber: row["prompt_number"] as number | null,
    toolName: row["tool_name"] as string | null,
    type: row["type"] as string,
    title: row["title"] as string,
    branch: row["branch"] as string | null,
    success: success === null ? null : success === 1,
    createdAtIso: row["created_at"] as string,
    madeBy: row["made_by"] as string,
    pinned: row["pinned"] === 1,
    contentJson: row["content_json"] as string,
    summaryJson: row["summary_json"] as string | null,
  };
}

export function toMade(row: Row): MadeRow {
  return {
    itemId: row["item_id"] as number,
    madeBy: row["made_by"] as string,
    sessionId: row["session_id"] as string,
    factId: row["fact_id"] as string,
    itemJson: row["item_json"] as string,
  };
}

export function toMark(row: Row): MarkRow {
  const pinned = row["pinned"] as number | null;
  return {
    itemId: row["item_id"] as number,
    sessionId: row["session_id"] as string,
    pinned: pinned === null ? null : pinned === 1,
    pinnedAtIso: row["pinned_at"] as string | null,
    editJson: row["edit_json"] as string | null,
    editedAtIso: row["edited_at"] as string | null,
  };
}

export function toInjection(row: Row): InjectionRow {
  return {
    id: row["id"] as string,
    sessionId: row["session_id"] as string,
    project: row["project"] as string | null,
    kind: row["kind"] as string,
    atIso: row["at"] as string,
    tokens: Number(row["tokens"]),
    itemsJson: row["items_json"] as string,
  };
}
