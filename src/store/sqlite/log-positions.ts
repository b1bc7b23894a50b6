import type { Position } from "../../log/log.ts";
import type { Database } from "./database.ts";

type Reader = "store" | "monitor";

export function savedPosition(db: Database, reader: Reader): Position | undefined {
  const row = db.sql("SELECT position FROM log_positions WHERE reader = ?").get(reader);
  return row?.["position"] as Position | undefined;
}

export function savePosition(db: Database, reader: Reader, position: Position): void {
  db.sql("INSERT OR REPLACE INTO log_positions (reader, position) VALUES (?, ?)").run(reader, position);
}
