import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../test/support/cli.ts";
import { resolveHome } from "../home.ts";
import { type LogWriter, openLogWriter } from "../log/file/writer.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");
const home = resolveHome({ HOOKLINE_HOME: mkdtempSync(join(tmpdir(), "hookline-tail-")) });
const env = { HOME: home.dir, HOOKLINE_HOME: home.dir, PATH: process.env["PATH"] };
const run = promisify(execFile);

let writer: LogWriter;
let count = 0;
const append = (sessionId: string) => {
  const id = `e${++count}`;
  const event = { v: 1, id, eventType: "turn.start", occurredAtIso: "2026-11-15T12:00:00.000Z" };
  return writer.append([
    JSON.stringify({ ...event, sessionId, provider: "claude", prompt: `words ${count} to aaaa-1` }),
  ]);
};
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/words (\d+) /g)].map((match) => Number(match[1]));
const tail = async (...args: string[]): Promise<number[]> =>
  numbersIn((await run(BIN, ["tail", ...args], { env })).stdout);

beforeAll(async () => {
  writer = await openLogWriter({ active: join(home.stream, "lifecycle.jsonl") }, { rotateBytes: 1e9 });
  for (let at = 0; at < 12; at++) {
    await append(at % 4 === 0 ? "aaaa-1" : "bbbb-2");
    if (at % 3 === 1) await writer.rotate();
  }
});
afterAll(async () => {
  await writer.close();
  rmSync(home.dir, { recursive: true });
});

describe("hookline tail", () => {
  it("notes that nothing is recorded yet", async () => {
    const empty = mkdtempSync(join(tmpdir(), "hookline-tail-"));
    const inEmpty = { env: { ...env, HOME: empty, HOOKLINE_HOME: join(empty, "home") } };
    for (const args of [["tail"], ["tail", "--json"]])
      expect(await run(BIN, args, inEmpty)).toEqual({ stdout: "", stderr: "Nothing recorded yet.\n" });
    expect(await run(BIN, ["tail", "-n", "0"], inEmpty)).toEqual({ stdout: "", stderr: "" });
    rmSync(empty, { recursive: true });
  });

  it("shows the newest events, from several segments if needed", async () => {
    expect(readdirSync(home.stream).length).toBeGreaterThan(2);
    expect(await tail("-n", "2")).toEqual([11, 12]);
    expect(await tail("-n", "100")).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(await tail("-n", "0")).toEqual([]);
  });

  it("shows the requested number of events, even if some are reported several times", async () => {
    const repeated = JSON.stringify({
      v: 1,
      id: "e12",
      eventType: "turn.start",
      occurredAtIso: "2026-11-15T12:00:00.000Z",
      sessionId: "bbbb-2",
      prompt: "words 12 again",
    });
    await writer.append([repeated, repeated, repeated]);
    expect(await tail("-n", "3")).toEqual([10, 11, 12]);
  });

  it("shows one session's events, matched by its id only", async () => {
    expect(await tail("--session", "aaaa", "-n", "2")).toEqual([5, 9]);
    expect(await tail("--session", "aaaa-1", "--json")).toEqual([1, 5, 9]);
    await expect(tail("--session", "cccc")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no session cccc"),
    });
  });

  it("follows across rotations, each event once, for all sessions or one", async () => {
    const all = spawn(BIN, ["tail", "-f", "-n", "1"], { env });
    const single = spawn(BIN, ["tail", "-f", "-n", "1", "--session", "aaaa"], { env });
    const shown = { all: "", single: "" };
    all.stdout.on("data", (chunk: Buffer) => {
      shown.all += chunk;
    });
    single.stdout.on("data", (chunk: Buffer) => {
      shown.single += chunk;
    });
    try {
      await until(() => numbersIn(shown.all).length === 1 && numbersIn(shown.single).length === 1);
      for (let at = 0; at < 6; at++) {
        await append("bbbb-2");
        await append(at % 2 === 0 ? "aaaa-1" : "bbbb-2");
        await until(() => numbersIn(shown.all).at(-1) === count);
        await writer.rotate();
      }
      await until(() => numbersIn(shown.single).length === 4);
      expect(numbersIn(shown.all)).toEqual(Array.from({ length: 13 }, (_, at) => 12 + at));
      expect(numbersIn(shown.single)).toEqual([9, 14, 18, 22]);
    } finally {
      all.kill();
      single.kill();
    }
  });

  it("ends silently when its reader stops", async () => {
    let isOver = false;
    const piped = run("/bin/sh", ["-c", '"$0" tail -f -n 100 --json | head -n 1', BIN], { env });
    piped.finally(() => {
      isOver = true;
    });
    // It notices at the next line that it cannot write.
    while (!isOver) {
      await append("bbbb-2");
      await setTimeout(50);
    }
    const { stdout, stderr } = await piped;
    expect([numbersIn(stdout).length, stderr]).toEqual([1, ""]);
  });

  it("shows a call denied here as denied, although its hook reports only a failure", async () => {
    const base = { v: 1, occurredAtIso: "2026-11-15T12:00:00.000Z", sessionId: "dddd-4", provider: "claude" };
    const input = { command: "npm run deploy" };
    const request = { cardId: "c", toolName: "Bash", input };
    const settled = { cardId: "c", toolName: "Bash", outcome: "deny", by: "user", message: "use canary" };
    const call = (id: string): object => ({
      ...base,
      id,
      eventType: "tool_observation",
      payload: { toolName: "Bash", toolInput: input, success: false },
    });
    const lines = [
      { ...base, id: "d0", eventType: "control.card", phase: "asked", card: request },
      { ...base, id: "d1", eventType: "control.card", phase: "settled", card: settled },
      call("d2"),
      call("d3"),
    ];
    await writer.append(lines.map((line) => JSON.stringify(line)));
    const { stdout } = await run(BIN, ["tail", "-n", "2", "--session", "dddd"], { env });
    expect(stdout.match(/Bash \w+/g)).toEqual(["Bash denied", "Bash failed"]);
  });

  it("shows a call denied by the guard as denied", async () => {
    const base = { v: 1, occurredAtIso: "2026-11-15T12:00:00.000Z", sessionId: "eeee-5", provider: "claude" };
    const call = (id: string, toolUseId: string): object => ({
      ...base,
      id,
      toolUseId,
      eventType: "tool_observation",
      payload: { toolName: "Bash", toolInput: { command: "rm -rf ~" }, success: false },
    });
    const told = { toolName: "Bash", verdict: "deny", rule: "builtin/home", reason: "Deletes your home." };
    const lines = [
      { ...base, id: "e0", eventType: "control.verdict", toolUseId: "toolu_1", told },
      call("e1", "toolu_1"),
      call("e2", "toolu_2"),
    ];
    await writer.append(lines.map((line) => JSON.stringify(line)));
    const { stdout } = await run(BIN, ["tail", "-n", "2", "--session", "eeee"], { env });
    expect(stdout.match(/Bash \w+/g)).toEqual(["Bash denied", "Bash failed"]);
  });
});
