import type { HooklineEvent } from "../../event/event.ts";
import type { Position } from "../../log/log.ts";
import type {
  FactPage,
  FactsSinceQuery,
  SessionRow,
  SessionRowQuery,
  SessionRows,
  WaitRow,
} from "../session-rows.ts";
import type { Database, Row } from "./database.ts";
import { savedPosition, savePosition } from "./log-positions.ts";
import { eventFromRow } from "./upsert-fact.ts";
import { usageRows } from "./usage-rows.ts";

/** Each method runs to completion before it returns its promise: nothing in this process interleaves. */
export function sqliteSessionRows(db: Database): SessionRows {
  return {
    async saveSessions(rows, position) {
      saveRows(db, rows, position);
    },
    async buildSessionRow(sessionId, build) {
      const row = build(factsOf(db, sessionId));
      if (row !== undefined) saveRows(db, [row], undefined);
    },
    async sessionRows(query) {
      return rowsOf(db, query);
    },
    async sessionIds(prefix, limit) {
      return db
        .sql(
          "SELECT claude_session_id AS id FROM sdk_sessions WHERE claude_session_id >= ?1 AND claude_session_id < ?1 || char(1114111) ORDER BY 1 LIMIT ?2",
        )
        .all(prefix, limit)
        .map((row) => row["id"] as string);
    },
    async sessionsWithoutRow(limit) {
      return db
        .sql(
          `SELECT claude_session_id AS id FROM sdk_sessions s
           WHERE NOT EXISTS (SELECT 1 FROM session_snapshots WHERE session_id = s.claude_session_id)
           ORDER BY created_at DESC LIMIT ?`,
        )
        .all(limit)
        .map((row) => row["id"] as string);
    },
    async monitorPosition() {
      return savedPosition(db, "monitor");
    },
    async resetStaleRows() {
      // Check without a transaction: usually there is nothing to write, and the file may be locked.
      if (savedPosition(db, "monitor") !== undefined) return;
      db.transaction(() => {
        for (const table of ["session_snapshots", "human_waits"]) db.sql(`DELETE FROM ${table}`).run();
        const position = savedPosition(db, "store");
        if (position !== undefined) savePosition(db, "monitor", position);
      });
    },
    async sessionFacts(sessionId) {
      return [...factsOf(db, sessionId)];
    },
    async sessionSeqs(sessionId) {
      return db
        .sql("SELECT seq FROM facts WHERE session_id = ? ORDER BY seq")
        .all(sessionId)
        .map((row) => Number(row["seq"]));
    },
    async factsAt(seqs) {
      return db
        .sql(
          "SELECT event_json, payload_json FROM facts WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
        )
        .all(JSON.stringify(seqs))
        .map((row) => eventFromRow(row as Row));
    },
    async completeFromHooks(ids) {
      return db
        .sql(
          `SELECT id FROM facts WHERE id IN (SELECT value FROM json_each(?))
             AND json_extract(event_json, '$.origin') = 'hook'
             AND (event_type <> 'tool_observation'
               OR json_extract(event_json, '$.mergedFrom."payload.toolOutput"') IN ('batch', 'transcript'))`,
        )
        .all(JSON.stringify(ids))
        .map((row) => row["id"] as string);
    },
    async factsSince(query) {
      return factsSince(db, query);
    },
    ...usageRows(db),
    async waitsSince(iso) {
      return db
        .sql(
          "SELECT * FROM human_waits WHERE started_at_iso >= ?1 OR ended_at_iso >= ?1 OR ended_at_iso IS NULL ORDER BY started_at_iso",
        )
        .all(iso)
        .map(toWait);
    },
  };
}

function* factsOf(db: Database, sessionId: string): Generator<HooklineEvent> {
  const rows = db.raw.prepare("SELECT event_json, payload_json FROM facts WHERE session_id = ? ORDER BY seq");
  for (const row of rows.iterate(sessionId)) yield eventFromRow(row as Row);
}

function factsSince(db: Database, { sinceIso, type, after, limit }: FactsSinceQuery): FactPage {
  const rows = db
    .sql(
      `SELECT seq, timestamp, event_json, payload_json FROM facts
       WHERE event_type = ? AND timestamp >= ? AND (timestamp, seq) > (?, ?) ORDER BY timestamp, seq LIMIT ?`,
    )
    .all(type, after?.iso ?? sinceIso, after?.iso ?? "", after?.seq ?? 0, limit);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    facts: rows.map((row) => eventFromRow(row as Row)),
    next: last === undefined ? null : { iso: last["timestamp"] as string, seq: Number(last["seq"]) },
  };
}

function saveRows(db: Database, rows: readonly SessionRow[], position: Position | undefined): void {
  db.transaction(() => {
    for (const row of rows) saveRow(db, row);
    if (position !== undefined) savePosition(db, "monitor", position);
  });
}

function saveRow(db: Database, row: SessionRow): void {
  db.sql(
    `INSERT OR REPLACE INTO session_snapshots
       (session_id, last_event_iso, state, needs_person, provider, project_path, search_text, snapshot_json)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    row.sessionId,
    row.lastEventIso,
    row.state,
    row.needsPerson ? 1 : 0,
    row.provider,
    row.projectPath,
    row.searchText,
    row.json,
  );
  for (const wait of row.waits) {
    db.sql(
      `INSERT OR REPLACE INTO human_waits
         (session_id, wait_id, kind, project_path, text, started_at_iso, ended_at_iso)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      wait.sessionId,
      wait.waitId,
      wait.kind,
      wait.projectPath,
      wait.text,
      wait.startedAtIso,
      wait.endedAtIso,
    );
  }
  // When a session ends by timeout, nothing reports the end of its open waits.
  if (row.state === "completed" || row.state === "lost")
    db.sql(
      `UPDATE human_waits SET ended_at_iso = max(started_at_iso, ?)
       WHERE session_id = ? AND ended_at_iso IS NULL`,
    ).run(row.lastEventIso, row.sessionId);
}

function rowsOf(db: Database, query: SessionRowQuery): string[] {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...params: (string | number)[]): void => {
    where.push(condition);
    values.push(...params);
  };
  if (query.states !== undefined)
    add("state IN (SELECT value FROM json_each(?))", JSON.stringify(query.states));
  if (query.needsPerson !== undefined) add("needs_person = ?", query.needsPerson ? 1 : 0);
  if (query.provider !== undefined) add("provider = ?", query.provider);
  if (query.project !== undefined)
    add(
      "(project_path = ? OR substr(project_path, -length(?)) = ?)",
      query.project,
      `/${query.project}`,
      `/${query.project}`,
    );
  if (query.search !== undefined) add("instr(search_text, ?) > 0", query.search.toLowerCase());
  if (query.sinceIso !== undefined) add("last_event_iso >= ?", query.sinceIso);
  if (query.after !== undefined)
    add("(last_event_iso, session_id) < (?, ?)", query.after.lastEventIso, query.after.sessionId);
  if (query.except !== undefined && query.except.length > 0)
    add("session_id NOT IN (SELECT value FROM json_each(?))", JSON.stringify(query.except));
  const condition = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  return db
    .sql(
      `SELECT snapshot_json FROM session_snapshots ${condition} ORDER BY last_event_iso DESC, session_id DESC LIMIT ?`,
    )
    .all(...values, query.limit)
    .map((row) => row["snapshot_json"] as string);
}

function toWait(row: Row): WaitRow {
  return {
    sessionId: row["session_id"] as string,
    waitId: row["wait_id"] as string,
    kind: row["kind"] as string,
    projectPath: row["project_path"] as string | null,
    text: row["text"] as string,
    startedAtIso: row["started_at_iso"] as string,
    endedAtIso: row["ended_at_iso"] as string | null,
  };
}
