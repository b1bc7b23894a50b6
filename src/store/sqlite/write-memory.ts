import { rowId } from "../../event/ids.ts";
import type { InjectionRow, ItemRow, MadeRow, MarkRow, MemoryWrite, SummaryRow } from "../memory-rows.ts";
import type { Database } from "./database.ts";
import { dequeueEntry, enqueueEntry } from "./memory-outbox.ts";

/** Writes items built by memory. Within a transaction. Leaves unchanged rows alone. */
export function writeMemory(db: Database, write: MemoryWrite): void {
  for (const item of write.items ?? []) putItem(db, item);
  for (const id of write.removed ?? []) {
    db.sql("DELETE FROM memory_items WHERE id = ?").run(id);
    db.sql("DELETE FROM session_summaries WHERE id = ?").run(id);
  }
  for (const summary of write.summaries ?? []) putSummary(db, summary);
  for (const made of write.made ?? []) putMade(db, made);
  for (const mark of write.marks ?? []) putMark(db, mark);
  for (const injection of write.injections ?? []) putInjection(db, injection);
  for (const entry of write.done) dequeueEntry(db, entry);
  for (const entry of write.requeue ?? []) enqueueEntry(db, entry);
}

function putItem(db: Database, item: ItemRow): void {
  // Only for an existing session, so that nothing is orphaned.
  db.sql(
    `INSERT INTO memory_items (id, kind, session_id, project, prompt_number, tool_name, type, title, branch, success,
       created_at, made_by, pinned, content_json, summary_json)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
     WHERE EXISTS (SELECT 1 FROM sdk_sessions WHERE claude_session_id = ?3)
     ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, session_id = excluded.session_id, project = excluded.project,
       prompt_number = excluded.prompt_number, tool_name = excluded.tool_name, type = excluded.type,
       title = excluded.title, branch = excluded.branch, success = excluded.success, created_at = excluded.created_at,
       made_by = excluded.made_by, pinned = excluded.pinned, content_json = excluded.content_json,
       summary_json = excluded.summary_json
     WHERE (kind, session_id, project, prompt_number, tool_name, type, title, branch, success, created_at, made_by,
         pinned, content_json, summary_json) IS NOT
       (excluded.kind, excluded.session_id, excluded.project, excluded.prompt_number, excluded.tool_name,
         excluded.type, excluded.title, excluded.branch, excluded.success, excluded.created_at, excluded.made_by,
         excluded.pinned, excluded.content_json, excluded.summary_json)`,
  ).run(
    item.id,
    item.kind,
    item.sessionId,
    item.project,
    item.promptNumber,
    item.toolName,
    item.type,
    item.title,
    item.branch,
    item.success === null ? null : item.success ? 1 : 0,
    item.createdAtIso,
    item.madeBy,
    item.pinned ? 1 : 0,
    item.contentJson,
    item.summaryJson,
  );
}

function putSummary(db: Database, summary: SummaryRow): void {
  db.sql(
    `INSERT INTO session_summaries (id, session_id, request, investigated, learned, completed, next_steps, created_at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM sdk_sessions WHERE id = ?2)
     ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, request = excluded.request,
       investigated = excluded.investigated, learned = excluded.learned, completed = excluded.completed,
       next_steps = excluded.next_steps, created_at = excluded.created_at`,
  ).run(
    summary.id,
    rowId("session", summary.sessionId),
    summary.request,
    summary.investigated,
    summary.learned,
    summary.completed,
    summary.nextSteps,
    summary.createdAtIso,
  );
}

function putMade(db: Database, made: MadeRow): void {
  db.sql(
    `INSERT OR REPLACE INTO memory_made (item_id, made_by, session_id, fact_id, item_json) VALUES (?, ?, ?, ?, ?)`,
  ).run(made.itemId, made.madeBy, made.sessionId, made.factId, made.itemJson);
}

/** The newest of each kind wins, in any order of arrival. */
function putMark(db: Database, mark: MarkRow): void {
  db.sql("INSERT OR IGNORE INTO memory_marks (item_id, session_id) VALUES (?, ?)").run(
    mark.itemId,
    mark.sessionId,
  );
  if (mark.pinnedAtIso !== null)
    db.sql(
      "UPDATE memory_marks SET pinned = ?1, pinned_at = ?2 WHERE item_id = ?3 AND coalesce(pinned_at, '') <= ?2",
    ).run(mark.pinned === true ? 1 : 0, mark.pinnedAtIso, mark.itemId);
  if (mark.editedAtIso !== null)
    db.sql(
      "UPDATE memory_marks SET edit_json = ?1, edited_at = ?2 WHERE item_id = ?3 AND coalesce(edited_at, '') <= ?2",
    ).run(mark.editJson, mark.editedAtIso, mark.itemId);
}

function putInjection(db: Database, injection: InjectionRow): void {
  db.sql(
    `INSERT OR REPLACE INTO memory_injections (id, session_id, project, kind, at, tokens, items_json)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    injection.id,
    injection.sessionId,
    injection.project,
    injection.kind,
    injection.atIso,
    injection.tokens,
    injection.itemsJson,
  );
}
