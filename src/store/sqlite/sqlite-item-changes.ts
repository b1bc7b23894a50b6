import { existsSync, statSync } from "node:fs";
import type { IndexedItem, ItemChange, ItemChanges, ItemChangesLocation } from "../item-changes.ts";
import { type Database, openDatabase, type Row } from "./database.ts";

export function itemChangesLocation(path: string): ItemChangesLocation {
  return { module: import.meta.url, at: path };
}

/** Reads the file concurrently with its writer. Reopens it after a rebuild has replaced it. */
export function openItemChanges(path: string): ItemChanges {
  let opened: { readonly db: Database; readonly file: string } | null = null;
  const current = (): Database | null => {
    const file = fileIdentity(path);
    if (opened !== null && opened.file === file) return opened.db;
    opened?.db.close();
    opened = null;
    if (file === null) return null;
    opened = { db: openDatabase(path, { readOnly: true }), file };
    return opened.db;
  };
  return {
    epoch: async () => epochOf(current()),
    countAfter: async (change) =>
      Number(
        current()?.sql("SELECT count(*) AS n FROM memory_changes WHERE change > ?").get(change)?.["n"] ?? 0,
      ),
    async changes(epoch, after, limit) {
      const db = current();
      if (db === null || epochOf(db) !== epoch) return null;
      return db.sql(CHANGES).all(after, limit).map(toChange);
    },
    items: async (ids) =>
      (current()?.sql(ITEMS).all(JSON.stringify(ids)) ?? []).map((row) => toIndexedItem(row)),
    hasPendingItems: async () => current()?.sql("SELECT 1 FROM memory_outbox LIMIT 1").get() !== undefined,
    async close() {
      opened?.db.close();
      opened = null;
    },
  };
}

const COLUMNS = `m.id, m.kind, m.session_id, m.project, m.prompt_number, m.tool_name, m.branch, m.success, m.created_at,
  m.pinned, m.content_json, m.summary_json`;

const CHANGES = `SELECT c.change, c.item_id, ${COLUMNS}, f.payload_json, NULL AS call_json
  FROM memory_changes c LEFT JOIN memory_items m ON m.id = c.item_id
    LEFT JOIN facts f ON f.observation_id = m.id AND m.kind = 'observation'
  WHERE c.change > ? ORDER BY c.change LIMIT ?`;

const ITEMS = `SELECT ${COLUMNS}, NULL AS payload_json,
    json_set(f.event_json, '$.payload', json(f.payload_json)) AS call_json
  FROM memory_items m LEFT JOIN facts f ON f.observation_id = m.id AND m.kind = 'observation' AND m.success = 0
  WHERE m.id IN (SELECT value FROM json_each(?))`;

function epochOf(db: Database | null): string | null {
  return (db?.sql("SELECT epoch FROM memory_epoch").get()?.["epoch"] ?? null) as string | null;
}

function toChange(row: Row): ItemChange {
  return {
    change: row["change"] as number,
    itemId: row["item_id"] as number,
    item: row["id"] === null ? null : toIndexedItem(row),
  };
}

/** Converts a row of `memory_items`, joined with the payload of its fact. */
export function toIndexedItem(row: Row): IndexedItem {
  const success = row["success"] as number | null;
  const callJson = row["call_json"] as string | null;
  return {
    id: row["id"] as number,
    kind: row["kind"] as string,
    sessionId: row["session_id"] as string,
    project: row["project"] as string | null,
    promptNumber: row["prompt_number"] as number | null,
    toolName: row["tool_name"] as string | null,
    branch: row["branch"] as string | null,
    success: success === null ? null : success === 1,
    createdAtIso: row["created_at"] as string,
    pinned: row["pinned"] === 1,
    contentJson: row["content_json"] as string,
    summaryJson: row["summary_json"] as string | null,
    payloadJson: row["payload_json"] as string | null,
    failedCall: callJson === null ? null : (JSON.parse(callJson) as Record<string, unknown>),
  };
}

function fileIdentity(path: string): string | null {
  if (!existsSync(path)) return null;
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}
