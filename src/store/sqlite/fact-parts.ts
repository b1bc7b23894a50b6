import type { HooklineEvent } from "../../event/event.ts";
import type { LogPart } from "../../log/log.ts";
import type { Facts, StoredRow } from "../facts.ts";
import type { Database, Row } from "./database.ts";
import { fromRow } from "./put-fact.ts";

/** Which part of the log has which facts: for a log that is repaired from them. */
export function factParts(db: Database): Pick<Facts, "factsOf" | "hasFact" | "moveFacts"> {
  return {
    async *factsOf(parts) {
      for (let after = 0; ; ) {
        const slice = factsAfter(db, parts, after);
        for (const { event } of slice) yield event;
        if (slice.length < SLICE) return;
        after = slice.at(-1)!.seq;
      }
    },
    hasFact: async (id) => db.sql("SELECT 1 FROM facts WHERE id = ?").get(id) !== undefined,
    moveFacts: async (from, to) =>
      db.transaction(() => {
        for (const column of ["first_part", "last_part"]) {
          db.sql(`UPDATE facts SET ${column} = ? WHERE ${column} IN (SELECT value FROM json_each(?))`).run(
            to,
            JSON.stringify(from),
          );
        }
      }),
  };
}

/** So many facts at once: what happens between two slices is not seen half. */
const SLICE = 500;

function factsAfter(db: Database, parts: readonly LogPart[], after: number): StoredRow[] {
  return db
    .sql(
      // Also what was told before and after: one of its tellings may lie in between.
      `SELECT seq, event_json, payload_json FROM facts WHERE seq > ?1 AND EXISTS
         (SELECT 1 FROM json_each(?2) WHERE value BETWEEN first_part AND last_part) ORDER BY seq LIMIT ${SLICE}`,
    )
    .all(after, JSON.stringify(parts))
    .map((row) => ({ seq: Number(row["seq"]), event: withBlobs(db, fromRow(row)) }));
}

/** The event as it was logged: previews replaced by what their blobs hold. */
function withBlobs(db: Database, event: HooklineEvent): HooklineEvent {
  if (event.payload === undefined) return event;
  const payload = { ...event.payload };
  for (const key of ["toolInput", "structuredPatch"]) {
    const hash = (payload[key] as Row | null | undefined)?.["$blob"];
    if (typeof hash !== "string") continue;
    const row = db.sql("SELECT content FROM blobs WHERE hash = ?").get(hash);
    if (row !== undefined) payload[key] = JSON.parse(row["content"] as string) as unknown;
  }
  return { ...event, payload };
}
