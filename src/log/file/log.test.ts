import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compressClosed } from "./compress.ts";
import { readSegments } from "./reader.ts";
import { LOG_START, type LogFiles, listSegments, type SegmentOffset } from "./segments.ts";
import { openLogWriter } from "./writer.ts";

let dir: string;
let log: LogFiles;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-log-"));
  log = { active: join(dir, "lifecycle.jsonl") };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function readAll(
  from: SegmentOffset = LOG_START,
  batchBytes?: number,
): Promise<{ lines: string[]; next: SegmentOffset }> {
  const lines: string[] = [];
  let next = from;
  for await (const batch of readSegments(log, from, batchBytes)) {
    lines.push(...batch.lines);
    next = batch.next;
  }
  return { lines, next };
}

describe("log files", () => {
  it("returns appended lines, and continues at a reader's position", async () => {
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    await writer.append(["one", "two\u2028still two"]);
    const first = await readAll();
    expect(first.lines).toEqual(["one", "two\u2028still two"]);
    await writer.append(["three"]);
    expect((await readAll(first.next)).lines).toEqual(["three"]);
    await writer.close();
    expect(statSync(log.active).mode & 0o777).toBe(0o600);
  });

  it("keeps every position valid through rotation and compression", async () => {
    const writer = await openLogWriter(log, { rotateBytes: 40 });
    const positions: SegmentOffset[] = [];
    const lines: string[] = [];
    for (let i = 0; i < 20; i++) {
      lines.push(`line ${i} ${"x".repeat(i)}`);
      await writer.append([lines.at(-1)!]);
      positions.push((await readAll()).next);
    }
    await writer.close();
    expect(listSegments(log).length).toBeGreaterThan(5);
    const check = async () => {
      expect((await readAll()).lines).toEqual(lines);
      for (const [i, position] of positions.entries()) {
        expect((await readAll(position, 8)).lines).toEqual(lines.slice(i + 1));
      }
    };
    await check();
    const closed = listSegments(log).length - 1;
    expect(await compressClosed(log)).toBe(closed);
    expect(readdirSync(dir).filter((name) => name.endsWith(".zst")).length).toBe(closed);
    await check();
  });

  it("continues segment numbers after a restart", async () => {
    let writer = await openLogWriter(log, { rotateBytes: 1e9 });
    await writer.append(["a"]);
    await writer.rotate();
    await writer.close();
    writer = await openLogWriter(log, { rotateBytes: 1e9 });
    expect(writer.segment).toBe(2);
    await writer.rotate();
    expect(writer.segment).toBe(2);
    await writer.close();
  });

  it("does not read a torn last line, and truncates it before the next append", async () => {
    writeFileSync(log.active, 'complete\n{"torn');
    expect((await readAll()).lines).toEqual(["complete"]);
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    await writer.append(["next"]);
    await writer.close();
    expect(readFileSync(log.active, "utf8")).toBe("complete\nnext\n");
  });

  it("truncates a torn line longer than the read chunk", async () => {
    writeFileSync(log.active, `complete\n${"x".repeat(200_000)}`);
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    await writer.close();
    expect(readFileSync(log.active, "utf8")).toBe("complete\n");
  });

  it.each([
    ["deleted", () => rmSync(log.active)],
    [
      "replaced",
      () => {
        renameSync(log.active, `${log.active}.old`);
        writeFileSync(log.active, "");
      },
    ],
    ["truncated", () => truncateSync(log.active, 0)],
    ["cut by half a line", () => truncateSync(log.active, 2)],
  ])("reports that the file was %s while open, and still appends", async (_what, damage) => {
    const lost: number[] = [];
    const writer = await openLogWriter(log, { rotateBytes: 1e9, onLost: (segment) => lost.push(segment) });
    await writer.append(["before"]);
    damage();
    await writer.append(["after"]);
    await writer.close();
    expect(lost).toEqual([1]);
    expect((await readAll()).lines).toContain("after");
    expect(readFileSync(log.active, "utf8").endsWith("after\n")).toBe(true);
  });

  it("prefers the plain file when compression was interrupted", async () => {
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    await writer.append(["a", "b"]);
    await writer.rotate();
    await writer.close();
    writeFileSync(join(dir, "lifecycle-1.jsonl.zst"), "not zstd");
    appendFileSync(join(dir, "lifecycle-1.jsonl.zst.partial"), "junk");
    expect((await readAll()).lines).toEqual(["a", "b"]);
    await compressClosed(log);
    expect((await readAll()).lines).toEqual(["a", "b"]);
  });

  it("continues at the next segment when the reader's segment is missing", async () => {
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    for (const line of ["a", "b", "c"]) {
      await writer.append([line]);
      await writer.rotate();
    }
    await writer.close();
    rmSync(join(dir, "lifecycle-2.jsonl"));
    expect((await readAll({ segment: 2, offset: 1 })).lines).toEqual(["c"]);
  });
});
