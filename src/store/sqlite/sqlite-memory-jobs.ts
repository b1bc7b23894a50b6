import { rowId } from "../../event/ids.ts";
import type { DaySpend, JobTurn, MemoryJobs } from "../memory-jobs.ts";
import type { Database, Row } from "./database.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Delays after the first attempt, the second, and so on. There is no retry after the last attempt. */
const BACKOFF_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 60 * MINUTE_MS];
const MAX_ATTEMPTS = BACKOFF_MS.length + 1;
const MAX_ERROR_CHARS = 500;
/** A longer delay means that the clock was set back. */
const MAX_DELAY_MS = 2 * 60 * MINUTE_MS;

export function sqliteMemoryJobs(db: Database): MemoryJobs {
  return {
    enqueue: async (turn, atMs, notBeforeMs) =>
      Number(
        db
          .sql(
            `INSERT INTO memory_jobs (turn, session_id, prompt_id, created_at, not_before_ms) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT DO NOTHING`,
          )
          .run(keyOf(turn), turn.sessionId, turn.promptId, new Date(atMs).toISOString(), notBeforeMs).changes,
      ) > 0,
    lease: async (nowMs, leaseMs) =>
      db.transaction(() => {
        for (;;) {
          const row = nextRow(db, nowMs);
          if (row === undefined) return undefined;
          const turn = { sessionId: row["session_id"] as string, promptId: row["prompt_id"] as string };
          if (hasModelSummary(db, turn)) {
            markDone(db, turn);
            continue;
          }
          // Counted at the start, not on failure: a job that crashes the process must not be retried forever.
          db.sql("UPDATE memory_jobs SET attempts = attempts + 1, lease_until_ms = ? WHERE turn = ?").run(
            nowMs + leaseMs,
            keyOf(turn),
          );
          return { ...turn, attempts: Number(row["attempts"]) + 1 };
        }
      }),
    done: async (turn) => markDone(db, turn),
    async failed(turn, error, nowMs) {
      const row = db.sql("SELECT attempts FROM memory_jobs WHERE turn = ?").get(keyOf(turn));
      const delayMs = BACKOFF_MS[Number(row?.["attempts"] ?? 1) - 1] ?? 0;
      db.sql(
        "UPDATE memory_jobs SET lease_until_ms = 0, not_before_ms = ?, last_error = ? WHERE turn = ?",
      ).run(nowMs + delayMs, error.slice(0, MAX_ERROR_CHARS), keyOf(turn));
    },
    release: async (turn) =>
      void db
        .sql("UPDATE memory_jobs SET lease_until_ms = 0, attempts = max(0, attempts - 1) WHERE turn = ?")
        .run(keyOf(turn)),
    nextAtMs: async () => {
      const row = db
        .sql(
          `SELECT min(max(not_before_ms, lease_until_ms)) AS at FROM memory_jobs
           WHERE is_done = 0 AND attempts < ${MAX_ATTEMPTS}`,
        )
        .get();
      return row?.["at"] == null ? undefined : Number(row["at"]);
    },
    counts: async (nowMs) => {
      const row = db
        .sql(
          `SELECT count(*) AS jobs, total(is_done) AS done,
             total(is_done = 0 AND attempts >= ${MAX_ATTEMPTS} AND lease_until_ms <= ?) AS given_up
           FROM memory_jobs`,
        )
        .get(nowMs) as Row;
      const [jobs, done, givenUp] = [Number(row["jobs"]), Number(row["done"]), Number(row["given_up"])];
      return { waiting: jobs - done - givenUp, done, givenUp };
    },
    spend: async (day, model, { inputTokens, outputTokens, isFailed }) =>
      void db
        .sql(
          `INSERT INTO memory_spend (day, model, calls, failed_calls, input_tokens, output_tokens) VALUES (?, ?, 1, ?, ?, ?)
           ON CONFLICT DO UPDATE SET calls = calls + 1, failed_calls = failed_calls + excluded.failed_calls,
             input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`,
        )
        .run(day, model, isFailed ? 1 : 0, inputTokens, outputTokens),
    spendOf: async (day) =>
      db.sql("SELECT * FROM memory_spend WHERE day = ? ORDER BY model").all(day).map(toSpend),
  };
}

function nextRow(db: Database, nowMs: number): Row | undefined {
  return db
    .sql(
      `SELECT session_id, prompt_id, attempts FROM memory_jobs
       WHERE is_done = 0 AND attempts < ${MAX_ATTEMPTS}
         AND not_before_ms NOT BETWEEN ?1 + 1 AND ?1 + ${MAX_DELAY_MS}
         AND lease_until_ms NOT BETWEEN ?1 + 1 AND ?1 + ${MAX_DELAY_MS}
       ORDER BY created_at, turn LIMIT 1`,
    )
    .get(nowMs);
}

function hasModelSummary(db: Database, turn: JobTurn): boolean {
  const summaryId = rowId("summary", keyOf(turn));
  return (
    db.sql("SELECT 1 FROM memory_made WHERE item_id = ? AND made_by = 'model'").get(summaryId) !== undefined
  );
}

function markDone(db: Database, turn: JobTurn): void {
  db.sql("UPDATE memory_jobs SET is_done = 1, lease_until_ms = 0, last_error = NULL WHERE turn = ?").run(
    keyOf(turn),
  );
}

function keyOf({ sessionId, promptId }: JobTurn): string {
  return `${sessionId}\n${promptId}`;
}

function toSpend(row: Row): DaySpend {
  return {
    model: row["model"] as string,
    calls: Number(row["calls"]),
    failedCalls: Number(row["failed_calls"]),
    inputTokens: Number(row["input_tokens"]),
    outputTokens: Number(row["output_tokens"]),
  };
}
