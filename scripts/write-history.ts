import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { historyRecords } from "../test/remember/history/history.ts";
import { historyQuestions } from "../test/remember/history/qrels.ts";

/**
 * Writes the scripted coding history (test/remember/history) into a folder, as Claude Code would have left
 * it: `hooks.jsonl` ({ t, payload } in order of time), `projects/<project>/<session>.jsonl` (transcripts for
 * `hookline import`), and `questions.jsonl` with the ids that answer each question.
 */
const dir = process.argv[2];
if (dir === undefined) {
  console.error("usage: node scripts/write-history.ts DIR");
  process.exitCode = 2;
} else writeHistory(dir);

function writeHistory(dir: string): void {
  const files = new Map<string, unknown[]>([["hooks.jsonl", []]]);
  const add = (path: string, value: unknown): void => {
    const lines = files.get(path) ?? [];
    files.set(path, lines);
    lines.push(value);
  };
  for (const record of historyRecords()) {
    if (record.type === "hook") add("hooks.jsonl", { t: record.t, payload: record.payload });
    else add(join("projects", basename(dirname(record.path)), basename(record.path)), record.line);
  }
  for (const question of historyQuestions()) add("questions.jsonl", question);
  for (const [path, values] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }
  console.log(`${files.size} files in ${dir}`);
}
