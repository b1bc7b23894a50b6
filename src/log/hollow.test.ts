import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compressClosed } from "./compress.ts";
import { hollowLines } from "./hollow.ts";
import { readLog } from "./reader.ts";
import { LOG_START, type LogFiles, type LogPosition } from "./segments.ts";
import { openLogWriter } from "./writer.ts";

let dir: string;
let log: LogFiles;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-hollow-"));
  log = { active: join(dir, "lifecycle.jsonl") };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function readFrom(from: LogPosition): Promise<{ lines: string[]; ends: LogPosition[] }> {
  const lines: string[] = [];
  const ends: LogPosition[] = [];
  for await (const batch of readLog(log, from, 1)) {
    lines.push(...batch.lines);
    ends.push(batch.next);
  }
  return { lines, ends };
}

it("empties lines of plain and compressed segments, and every position stays what it was", async () => {
  const writer = await openLogWriter(log, { rotateBytes: 1e9 });
  await writer.append(["keep 1", "gone ä 1", "keep 2"]);
  await writer.rotate();
  await compressClosed(log);
  await writer.append(["gone 2", "keep 3"]);
  await writer.rotate();
  await writer.append(["gone 3, but in use"]);
  await writer.close();
  const before = await readFrom(LOG_START);
  const names = readdirSync(dir);

  const isGone = (line: string): boolean => line.startsWith("gone");
  expect(await hollowLines(log, isGone)).toBe(2);
  expect(await hollowLines(log, isGone)).toBe(0);

  expect(readdirSync(dir)).toEqual(names);
  const after = await readFrom(LOG_START);
  expect(after.ends).toEqual(before.ends);
  expect(after.lines.map((line) => line.trim())).toEqual([
    "keep 1",
    "",
    "keep 2",
    "",
    "keep 3",
    "gone 3, but in use",
  ]);
  for (const position of before.ends) {
    const rest = (await readFrom(position)).lines.filter((line) => line.trim() !== "");
    expect(after.lines.slice(-rest.length || after.lines.length)).toEqual(expect.arrayContaining(rest));
  }
});
