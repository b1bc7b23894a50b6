import type { HooklineEvent } from "../../event/event.ts";
import type { Facts, StoredRow } from "../facts.ts";
import type { Database, Row } from "./database.ts";
import { eventFromRow } from "./upsert-fact.ts";

/** Which part of the log holds which facts, to repair the log from them. */
export function factParts(db: Database): Pick<Facts, "factsOf" | "factsOfSession" | "hasFact" | "moveFacts"> {
  return {
    factsOf: (parts) =>
      inSlices((after) =>
        factsAfter(db, after, {
          // Includes facts reported both before and after the part: one of the reports may be inside it.
          where: "EXISTS (SELECT 1 FROM json_each(?2) WHERE value BETWEEN first_part AND last_part)",
          value: JSON.stringify(parts),
        }),
      ),
    factsOfSession: (sessionId) =>
      inSlices((after) => factsAfter(db, after, { where: "session_id = ?2", value: sessionId })),
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

/** Facts per read: a slice is consistent even if others write between slices. */
const SLICE_SIZE = 500;

async function* inSlices(read: (after: number) => readonly StoredRow[]): AsyncGenerator<HooklineEvent> {
  for (let after = 0; ; ) {
    const slice = read(after);
    for (const { event } of slice) yield event;
    if (slice.length < SLICE_SIZE) return;
    after = slice.at(-1)!.seq;
  }
}

function factsAfter(
  db: Database,
  after: number,
  { where, value }: { readonly where: string; readonly value: string },
): StoredRow[] {
  return db
    .sql(
      `SELECT seq, event_json, payload_json FROM facts WHERE seq > ?1 AND ${where} ORDER BY seq LIMIT ${SLICE_SIZE}`,
    )
    .all(after, value)
    .map((row) => ({ seq: Number(row["seq"]), event: withBlobs(db, eventFromRow(row)) }));
}

/** The event as it was logged: previews replaced by the content of their blobs. */
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
