import type { Home } from "../../home.ts";
import { isWatched, parseSnapshot } from "../../monitor/session-tracker.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { openDatabase } from "../../store/sqlite/database.ts";
import { sqliteSessionRows } from "../../store/sqlite/sqlite-session-rows.ts";

const MAX_ROWS = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Sessions as the last daemon left them: running ones, and those of the last day. Read-only. */
export async function readStoredSessions(home: Pick<Home, "db">, now: number): Promise<SessionSnapshot[]> {
  const db = openDatabase(home.db, { readOnly: true });
  try {
    const rows = sqliteSessionRows(db);
    const sinceIso = new Date(now - DAY_MS).toISOString();
    const kept = [
      ...(await rows.sessionRows({ states: ["active", "idle"], limit: MAX_ROWS })),
      ...(await rows.sessionRows({ sinceIso, limit: MAX_ROWS })),
    ];
    const known = new Map<string, SessionSnapshot>();
    for (const json of kept) {
      const snapshot = parseSnapshot(json);
      if (snapshot !== null && isWatched(snapshot, now)) known.set(snapshot.sessionId, snapshot);
    }
    return [...known.values()];
  } finally {
    db.close();
  }
}
