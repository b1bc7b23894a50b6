import type { StreamOffset } from "../facts.ts";
import type { Database } from "./database.ts";

/** The key of our own log in `lifecycle_stream_offsets`. */
export const OWN_LOG_KEY = "hookline";

export function readOffset(db: Database, key: string): StreamOffset | undefined {
  const row = db
    .sql("SELECT inode, byte_offset, updated_at_iso FROM lifecycle_stream_offsets WHERE stream_key = ?")
    .get(key);
  if (row === undefined) return undefined;
  return {
    inode: row["inode"] as string,
    byteOffset: Number(row["byte_offset"]),
    updatedAtIso: row["updated_at_iso"] as string,
  };
}

export function saveOffset(db: Database, key: string, offset: StreamOffset): void {
  db.sql(
    `INSERT INTO lifecycle_stream_offsets (stream_key, inode, byte_offset, updated_at_iso) VALUES (?, ?, ?, ?)
     ON CONFLICT (stream_key) DO UPDATE SET inode = excluded.inode, byte_offset = excluded.byte_offset,
       updated_at_iso = excluded.updated_at_iso`,
  ).run(key, offset.inode, offset.byteOffset, offset.updatedAtIso);
}
