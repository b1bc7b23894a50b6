import type { Position } from "../../log/log.ts";
import type { Database } from "./database.ts";

/** Formats a position of our own log for the table `lifecycle_stream_offsets`. */
export type FormatPosition = (position: Position) => { readonly inode: string; readonly byteOffset: number };

type Reader = "store" | "monitor";

export function savedPosition(db: Database, reader: Reader): Position | undefined {
  const row = db.sql("SELECT position FROM log_positions WHERE reader = ?").get(reader);
  return row?.["position"] as Position | undefined;
}

export function savePosition(db: Database, reader: Reader, position: Position): void {
  db.sql("INSERT OR REPLACE INTO log_positions (reader, position) VALUES (?, ?)").run(reader, position);
}
