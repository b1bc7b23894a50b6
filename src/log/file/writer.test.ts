import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSegments } from "./reader.ts";
import { LOG_START, type LogFiles } from "./segments.ts";
import { openLogWriter } from "./writer.ts";

let dir: string;
let log: LogFiles;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-writer-"));
  log = { active: join(dir, "stream", "lifecycle.jsonl") };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function readAll(): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of readSegments(log, LOG_START)) lines.push(...batch.lines);
  return lines;
}

describe("openLogWriter", () => {
  it("writes batches larger than its buffer in order, whatever the characters", async () => {
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    const lines = Array.from(
      { length: 300 },
      (_, at) => `${at} ${["a", "é", "한", "😀"][at % 4]!.repeat(at * 9)}`,
    );
    lines.splice(150, 0, "한".repeat(100_000), "x".repeat(300_000));
    const first = await writer.append(["short"]);
    const { start, end } = await writer.append(lines);
    await writer.close();
    const text = readFileSync(log.active, "utf8");
    expect(text).toBe(`${["short", ...lines].join("\n")}\n`);
    expect([first.end, end]).toEqual([start, Buffer.byteLength(text)]);
  });

  it("recreates its folder when it was deleted", async () => {
    const lost: number[] = [];
    const writer = await openLogWriter(log, { rotateBytes: 1e9, onLost: (segment) => lost.push(segment) });
    await writer.append(["before"]);
    rmSync(dirname(log.active), { recursive: true });
    await writer.append(["after"]);
    await writer.close();
    expect(await readAll()).toEqual(["after"]);
    expect(lost).toEqual([1]);
  });

  it("resumes once its file can be opened again", async () => {
    const writer = await openLogWriter(log, { rotateBytes: 1e9 });
    await writer.append(["before"]);
    rmSync(dirname(log.active), { recursive: true });
    // A file in place of the folder: nothing can be opened there.
    writeFileSync(dirname(log.active), "in the way");
    await expect(writer.append(["lost"])).rejects.toThrow();
    await expect(writer.append(["lost"])).rejects.toThrow();
    rmSync(dirname(log.active));
    mkdirSync(dirname(log.active));
    await writer.append(["after"]);
    await writer.append(["more"]);
    await writer.close();
    expect(readFileSync(log.active, "utf8")).toBe("after\nmore\n");
  });

  it("reports a lost file instead of rotating it", async () => {
    const lost: number[] = [];
    const rotated: number[] = [];
    const writer = await openLogWriter(log, {
      rotateBytes: 1e9,
      onLost: (segment) => lost.push(segment),
      onRotated: (segment) => rotated.push(segment),
    });
    await writer.append(["before"]);
    rmSync(log.active);
    await writer.rotate();
    expect([lost, rotated]).toEqual([[1], []]);
    await writer.append(["after"]);
    await writer.rotate();
    expect(rotated).toEqual([1]);
    await writer.append(["next"]);
    await writer.close();
    expect(await readAll()).toEqual(["after", "next"]);
  });
});
