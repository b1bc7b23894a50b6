import type { HooklineEvent } from "../../event/event.ts";
import { callRowId, rowId } from "../../event/ids.ts";
import type { MemoryRows } from "../memory-rows.ts";
import type { Database, Row } from "./database.ts";
import { eventFromRow } from "./upsert-fact.ts";

type FactRows = Pick<
  MemoryRows,
  "fact" | "observationRefOf" | "callFactId" | "turnFacts" | "prompts" | "callOf"
>;

/** The facts that items derive from: calls and their turns. */
export function memoryFactRows(db: Database): FactRows {
  return {
    fact: async (id) => {
      const row = db.sql("SELECT event_json, payload_json FROM facts WHERE id = ?").get(id);
      return row === undefined ? undefined : eventFromRow(row);
    },
    observationRefOf: async (factId) => {
      const row = db.sql("SELECT observation_id, prompt_number FROM facts WHERE id = ?").get(factId);
      return {
        observationId: (row?.["observation_id"] ?? null) as number | null,
        promptNumber: (row?.["prompt_number"] ?? null) as number | null,
      };
    },
    callFactId: async (call) =>
      db.sql("SELECT id FROM facts WHERE observation_id = ?").get(callRowId(call))?.["id"] as
        | string
        | undefined,
    turnFacts: async (query) =>
      db
        .sql(
          // Look up by prompt: without the pluses, SQLite scans the whole session for each of its calls.
          `SELECT event_json, payload_json FROM facts WHERE prompt_id = ? AND +session_id = ?
             AND event_type IN (SELECT value FROM json_each(?)) AND +timestamp BETWEEN ? AND ?
           ORDER BY timestamp, seq LIMIT ?`,
        )
        .all(
          query.promptId,
          query.sessionId,
          JSON.stringify(query.types),
          query.sinceIso ?? "",
          query.untilIso ?? "~",
          query.limit,
        )
        .map(eventFromRow),
    prompts: async (sessionId, turn) => {
      const facts =
        "factId" in turn
          ? [turn.factId]
          : db
              .sql(
                "SELECT id FROM facts WHERE prompt_id = ? AND event_type = 'turn.start' AND session_id = ?",
              )
              .all(turn.promptId, sessionId)
              .map((row) => row["id"] as string);
      return facts.flatMap((factId) =>
        db
          .sql("SELECT id, prompt_number, prompt, created_at FROM user_prompts WHERE id = ?")
          .all(rowId("prompt", factId))
          .map((row) => ({
            id: row["id"] as number,
            promptNumber: row["prompt_number"] as number,
            prompt: row["prompt"] as string,
            createdAtIso: row["created_at"] as string,
          })),
      );
    },
    callOf: async (observationId) => {
      const row = db
        .sql("SELECT id, event_json, payload_json FROM facts WHERE observation_id = ?")
        .get(observationId);
      if (row === undefined) return undefined;
      const { payload } = eventFromRow(row) as HooklineEvent;
      return { input: fullInput(db, payload?.toolInput), output: payload?.toolOutput ?? null };
    },
  };
}

function fullInput(db: Database, input: unknown): unknown {
  const hash = (input as Row | null | undefined)?.["$blob"];
  if (typeof hash !== "string") return input ?? null;
  const content = db.sql("SELECT content FROM blobs WHERE hash = ?").get(hash)?.["content"];
  return typeof content === "string" ? (JSON.parse(content) as unknown) : input;
}
