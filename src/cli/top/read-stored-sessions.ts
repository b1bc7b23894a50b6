import type { Home } from "../../home.ts";
import { isWatched, parseSnapshot } from "../../monitor/session-tracker.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { openDatabase } from "../../store/sqlite/database.ts";
import { sqliteSessionRows } from "../../store/sqlite/sqlite-session-rows.ts";

const MAX_SESSIONS = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Sessions as the last daemon left them: running ones, and those of the last day. Read-only. */
export async function readStoredSessions(home: Pick<Home, "db">, now: number): Promise<SessionSnapshot[]> {
  const db = openDatabase(home.db, { readOnly: true });
  try {
    const rows = sqliteSessionRows(db);
    const sinceIso = new Date(now - DAY_MS).toISOString();
    const storedRows = [
      ...(await rows.sessionRows({ states: ["active", "idle"], limit: MAX_SESSIONS })),
      ...(await rows.sessionRows({ sinceIso, limit: MAX_SESSIONS })),
    ];
    const byId = new Map<string, SessionSnapshot>();
    for (const json of storedRows) {
      const snapshot = parseSnapshot(json);
      if (snapshot !== null && isWatched(snapshot, now)) byId.set(snapshot.sessionId, snapshot);
    }
    return [...byId.values()];
  } finally {
    db.close();
  }
}
