import type { Home } from "../../home.ts";
import { fromRow, isWatched } from "../../monitor/keep-sessions.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { openDatabase } from "../../store/sqlite/database.ts";
import { sqliteSessionRows } from "../../store/sqlite/sqlite-session-rows.ts";

const MOST = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Sessions as the last daemon left them: those that ran, and those of the last day. The database is only read. */
export async function readDatabase(home: Pick<Home, "db">, now: number): Promise<SessionSnapshot[]> {
  const db = openDatabase(home.db, { readOnly: true });
  try {
    const rows = sqliteSessionRows(db);
    const sinceIso = new Date(now - DAY_MS).toISOString();
    const kept = [
      ...(await rows.sessionRows({ states: ["active", "idle"], limit: MOST })),
      ...(await rows.sessionRows({ sinceIso, limit: MOST })),
    ];
    const known = new Map<string, SessionSnapshot>();
    for (const json of kept) {
      const snapshot = fromRow(json);
      if (snapshot !== null && isWatched(snapshot, now)) known.set(snapshot.sessionId, snapshot);
    }
    return [...known.values()];
  } finally {
    db.close();
  }
}
