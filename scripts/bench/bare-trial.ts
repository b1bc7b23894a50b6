// The minimal program for the same spool: read, parse, append and sync per batch, insert the raw JSON,
// remove. `node bare-trial.ts <spool> <out>` prints its own CPU time in ms.

import {
  closeSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const [spool, out] = process.argv.slice(2) as [string, string];
const BATCH_FILES = 256;

const db = new DatabaseSync(join(out, "bare.db"));
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
db.exec("CREATE TABLE raw (seq INTEGER PRIMARY KEY, session_id TEXT, json TEXT NOT NULL)");
const insert = db.prepare("INSERT INTO raw (session_id, json) VALUES (?, ?)");
const log = openSync(join(out, "bare.jsonl"), "a");
const names = readdirSync(spool);

for (let at = 0; at < names.length; at += BATCH_FILES) {
  const paths = names.slice(at, at + BATCH_FILES).map((name) => join(spool, name));
  const events = paths.map((path) => {
    const text = readFileSync(path, "utf8");
    const json = text.startsWith("env\t") ? text.slice(text.indexOf("\n") + 1) : text;
    return { json, payload: JSON.parse(json) as { session_id: string } };
  });
  writeSync(log, events.map(({ json }) => json).join(""));
  fdatasyncSync(log);
  db.exec("BEGIN");
  for (const { payload, json } of events) insert.run(payload.session_id, json);
  db.exec("COMMIT");
  for (const path of paths) unlinkSync(path);
}
closeSync(log);
db.close();
const { user, system } = process.cpuUsage();
process.stdout.write(String((user + system) / 1_000));
