import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DamagedPartError } from "../log.ts";
import { compressClosed } from "./compress.ts";
import { findDamagedSegments, readIntactLines } from "./damage.ts";
import { hasChecksums, packSegment, readFrames } from "./frames.ts";
import { readSegments } from "./reader.ts";
import { LOG_START, type LogFiles } from "./segments.ts";

let dir: string;
let log: LogFiles;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-frames-"));
  log = { active: join(dir, "lifecycle.jsonl") };
  path = join(dir, "lifecycle-1.jsonl.zst");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Several megabytes that compress to more than one frame. */
const lines = Array.from(
  { length: 40_000 },
  (_, n) => `{"id":"${n}","x":"${(n * 2_654_435_761) % 1e9}-${"ab".repeat(40)}"}`,
);
const plain = Buffer.from(`${lines.join("\n")}\n`);

async function frames(stored: Buffer): Promise<(Buffer | null)[]> {
  const contents: (Buffer | null)[] = [];
  for await (const { content } of readFrames(stored)) contents.push(content);
  return contents;
}

async function readAll(): Promise<string[]> {
  const read: string[] = [];
  for await (const batch of readSegments(log, LOG_START)) read.push(...batch.lines);
  return read;
}

async function intactLines(): Promise<string[]> {
  const read: string[] = [];
  for await (const part of readIntactLines(path)) read.push(...part);
  return read;
}

describe("readFrames", () => {
  it("yields frames of complete lines with the original bytes", async () => {
    const contents = await frames(await packSegment(plain));
    expect(contents.length).toBeGreaterThanOrEqual(3);
    for (const content of contents) expect(content!.at(-1)).toBe(0x0a);
    expect(Buffer.concat(contents as Buffer[]).equals(plain)).toBe(true);
    expect(await frames(await packSegment(Buffer.alloc(0)))).toEqual([]);
  });

  it("yields no line of a damaged frame, whichever byte is wrong, and every line of the others", async () => {
    const stored = await packSegment(plain);
    for (let step = 1; step < 60; step++) {
      const at = Math.floor((stored.length * step) / 60);
      const damaged = Buffer.from(stored);
      damaged[at]! ^= 0x41;
      writeFileSync(path, damaged);
      await expect(readAll(), `byte ${at}`).rejects.toThrow(DamagedPartError);
      const intact = await intactLines();
      expect(intact.length).toBeGreaterThan(lines.length / 2);
      const known = new Set(lines);
      expect(intact.filter((line) => !known.has(line))).toEqual([]);
    }
  });

  it("detects truncation anywhere, also between two frames", async () => {
    const stored = await packSegment(plain);
    const ends = [0, 1, 5, stored.length >> 1, stored.length - 17, stored.length - 16, stored.length - 1];
    for (
      let at = stored.indexOf(stored.subarray(0, 4), 1);
      at !== -1;
      at = stored.indexOf(stored.subarray(0, 4), at + 1)
    )
      ends.push(at);
    expect(ends.length).toBeGreaterThanOrEqual(9);
    for (const end of ends) {
      writeFileSync(path, stored.subarray(0, end));
      expect(
        (await findDamagedSegments(log)).map(({ number }) => number),
        `cut at ${end}`,
      ).toEqual([1]);
    }
    writeFileSync(path, stored);
    expect(await findDamagedSegments(log)).toEqual([]);
    expect(await readAll()).toEqual(lines);
  });

  it("reads a segment of an earlier version, which gets checksums at the next compression", async () => {
    writeFileSync(path, zstdCompressSync(plain));
    expect(await readAll()).toEqual(lines);
    expect(await hasChecksums(path)).toBe(false);
    await compressClosed(log);
    expect(await hasChecksums(path)).toBe(true);
    expect(await readAll()).toEqual(lines);
    const before = readFileSync(path);
    await compressClosed(log);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("leaves a damaged segment of an earlier version as it is", async () => {
    const damaged = zstdCompressSync(plain);
    damaged.fill(0xff, damaged.length >> 1, (damaged.length >> 1) + 200);
    writeFileSync(path, damaged);
    await compressClosed(log);
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });
});
