import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compressClosed } from "./compress.ts";
import { eraseLines } from "./erase-lines.ts";
import { readSegments } from "./reader.ts";
import { LOG_START, type LogFiles, type SegmentOffset } from "./segments.ts";
import { openLogWriter } from "./writer.ts";

let dir: string;
let log: LogFiles;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-erase-"));
  log = { active: join(dir, "lifecycle.jsonl") };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function readFrom(from: SegmentOffset): Promise<{ lines: string[]; ends: SegmentOffset[] }> {
  const lines: string[] = [];
  const ends: SegmentOffset[] = [];
  for await (const batch of readSegments(log, from, 1)) {
    lines.push(...batch.lines);
    ends.push(batch.next);
  }
  return { lines, ends };
}

it("erases lines of plain and compressed segments without changing any position", async () => {
  const writer = await openLogWriter(log, { rotateBytes: 1e9 });
  await writer.append(["keep 1", "erase ä 1", "keep 2"]);
  await writer.rotate();
  await compressClosed(log);
  await writer.append(["erase 2", "keep 3"]);
  await writer.rotate();
  await writer.append(["erase 3, but active"]);
  await writer.close();
  const before = await readFrom(LOG_START);
  const names = readdirSync(dir);

  const isErased = (line: string): boolean => line.startsWith("erase");
  expect(await eraseLines(log, (line) => (isErased(line) ? "" : undefined))).toBe(2);
  expect(await eraseLines(log, (line) => (isErased(line) ? "" : undefined))).toBe(0);

  expect(readdirSync(dir)).toEqual(names);
  const after = await readFrom(LOG_START);
  expect(after.ends).toEqual(before.ends);
  expect(after.lines.map((line) => line.trim())).toEqual([
    "keep 1",
    "",
    "keep 2",
    "",
    "keep 3",
    "erase 3, but active",
  ]);
  for (const position of before.ends) {
    const rest = (await readFrom(position)).lines.filter((line) => line.trim() !== "");
    expect(after.lines.slice(-rest.length || after.lines.length)).toEqual(expect.arrayContaining(rest));
  }
});

it("replaces lines padded with blanks, and erases those whose replacement does not fit", async () => {
  const writer = await openLogWriter(log, { rotateBytes: 1e9 });
  await writer.append(["keep", "long enough 한글", "한", "keep too"]);
  await writer.rotate();
  await compressClosed(log);
  await writer.close();
  const before = await readFrom(LOG_START);
  const change = (line: string): string | undefined => (/한/.test(line) ? '"ää"' : undefined);
  expect(await eraseLines(log, change)).toBe(2);
  expect(await eraseLines(log, change)).toBe(0);
  const after = await readFrom(LOG_START);
  expect(after.ends).toEqual(before.ends);
  expect(after.lines).toEqual(["keep", `"ää"${" ".repeat(12)}`, "   ", "keep too"]);
});

it("removes what an interrupted compression left beside a segment", async () => {
  const writer = await openLogWriter(log, { rotateBytes: 1e9 });
  await writer.append(["erase"]);
  await writer.rotate();
  await writer.close();
  writeFileSync(join(dir, "lifecycle-1.jsonl.zst"), zstdCompressSync(Buffer.from("erase\n")));
  await eraseLines(log, (line) => (line === "erase" ? "" : undefined));
  expect(readdirSync(dir).sort()).toEqual(["lifecycle-1.jsonl", "lifecycle.jsonl"]);
});
