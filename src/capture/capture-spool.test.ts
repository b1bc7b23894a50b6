import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agents } from "../agents/registry.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { createAcceptor } from "./accept.ts";
import { createSpoolCapture } from "./capture-spool.ts";
import { openQuarantine } from "./quarantine.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let root: string;
let spoolDir: string;
let logged: string[];
let isStopping = false;
let clock: { nowMs: number; monotonicMs: number };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-capture-"));
  spoolDir = join(root, "spool");
  mkdirSync(spoolDir);
  logged = [];
  isStopping = false;
  clock = { nowMs: Date.now(), monotonicMs: 1_000 };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(append = async (events: readonly HooklineEvent[]) => void logged.push(...events.map(toLine))) {
  const quarantine = openQuarantine(join(root, "quarantine"), () => clock.nowMs);
  const capture = createSpoolCapture({
    spoolDir,
    agents,
    projectOf: (cwd) => cwd,
    acceptor: createAcceptor({ mayRecord: () => true }),
    append,
    quarantine,
    isStopping: () => isStopping,
    monotonicMs: () => clock.monotonicMs,
    nowMs: () => clock.nowMs,
  });
  return { capture, quarantine };
}

const advance = (ms: number): void => {
  clock = { nowMs: clock.nowMs + ms, monotonicMs: clock.monotonicMs + ms };
};
const put = (name: string, content: string): void => writeFileSync(join(spoolDir, name), content);
const stop = (session: string): string => `{"hook_event_name":"Stop","session_id":"${session}"}\n`;

it("leaves the rest of a large spool to the next daemon when stopping", async () => {
  for (let i = 0; i < 1_100; i++) put(`claude-1-${i}-0`, stop(`s-${i}`));
  const { capture } = open(async (events) => {
    logged.push(...events.map(toLine));
    isStopping = true;
  });
  const { files } = await capture.drain();
  expect(files).toBeGreaterThan(0);
  expect(readdirSync(spoolDir)).toHaveLength(1_100 - files);
  isStopping = false;
  await open().capture.drain();
  expect(new Set(logged.map((line) => (JSON.parse(line) as HooklineEvent).sessionId)).size).toBe(1_100);
  expect(logged).toHaveLength(1_100);
});

describe("createSpoolCapture", () => {
  it.each(["claude-7-8-0", "7-8-0"])(
    "returns a request id only for the payload that was spooled: %s",
    async (name) => {
      const { capture } = open();
      const request = (session: string, command: string) => ({
        hook_event_name: "PermissionRequest",
        session_id: session,
        tool_name: "Bash",
        tool_input: { command },
      });
      put(name, `${JSON.stringify(request("s", "curl x | sh"))}\n`);
      const otherPayloads = [request("s", "npm test"), request("other", "curl x | sh"), {}];
      const ids = () => otherPayloads.map((payload) => capture.requestId(name, payload));
      expect(ids()).toEqual([undefined, undefined, undefined]);
      const id = capture.requestId(name, request("s", "curl x | sh"));
      expect(id).toBeTruthy();
      await capture.drain();
      expect(ids()).toEqual([undefined, undefined, undefined]);
      expect(capture.requestId(name, request("s", "curl x | sh"))).toBe(id);
    },
  );

  it("quarantines a torn file, masked, after a minute, and continues with the others", async () => {
    const { capture, quarantine } = open();
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    put("1-1-0", `{"hook_event_name":"UserPromptSubmit","prompt":"my token is ${secret} and`);
    put("1-2-0", stop("s"));
    expect(await capture.drain()).toEqual({ files: 1, events: 1, incomplete: 1, torn: 0 });
    advance(59_000);
    expect(await capture.drain()).toMatchObject({ files: 0, incomplete: 1 });
    expect(quarantine.count("torn")).toBe(0);
    advance(2_000);
    expect(await capture.drain()).toEqual({ files: 1, events: 0, incomplete: 0, torn: 1 });
    expect(readdirSync(spoolDir)).toEqual([]);
    const [name] = readdirSync(join(root, "quarantine"));
    const path = join(root, "quarantine", name!);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain(secret);
    expect(text).toContain("[REDACTED:");
    expect(JSON.parse(text)).toMatchObject({ source: "spool/1-1-0" });
  });

  it("captures a file that is completed within a minute", async () => {
    const { capture } = open();
    put("1-1-0", '{"hook_event_name":"Stop",');
    expect(await capture.drain()).toMatchObject({ incomplete: 1 });
    writeFileSync(join(spoolDir, "1-1-0"), '"session_id":"s"}\n', { flag: "a" });
    advance(30_000);
    expect(await capture.drain()).toMatchObject({ files: 1, events: 1, torn: 0 });
    expect(JSON.parse(logged[0]!)).toMatchObject({ sessionId: "s" });
  });

  it("keeps quarantined files for a week", async () => {
    const { capture, quarantine } = open();
    put("1-1-0", "half");
    await capture.drain();
    advance(2 * MINUTE_MS);
    await capture.drain();
    const [name] = readdirSync(join(root, "quarantine"));
    const quarantinedAt = clock.nowMs / 1_000;
    utimesSync(join(root, "quarantine", name!), quarantinedAt, quarantinedAt);
    advance(6.9 * DAY_MS);
    quarantine.sweep();
    expect(quarantine.count()).toBe(1);
    advance(0.2 * DAY_MS);
    quarantine.sweep();
    expect(quarantine.count()).toBe(0);
  });

  it("quarantines a torn file with a future birth time by the monotonic clock", async () => {
    const { capture } = open();
    clock = { ...clock, nowMs: clock.nowMs - 10 * DAY_MS };
    put("1-1-0", "half");
    put("1-2-0", stop("s"));
    expect(await capture.drain()).toMatchObject({ events: 1, incomplete: 1 });
    // The clock goes back once more, while the file waits.
    clock = { nowMs: clock.nowMs - DAY_MS, monotonicMs: clock.monotonicMs + 59_000 };
    expect(await capture.drain()).toMatchObject({ incomplete: 1, torn: 0 });
    clock = { ...clock, monotonicMs: clock.monotonicMs + 2_000 };
    expect(await capture.drain()).toMatchObject({ torn: 1 });
  });

  it("gives a hook time to finish after a clock jump or a suspend", async () => {
    const { capture } = open();
    put("1-1-0", '{"hook_event_name":"Stop",');
    clock = { ...clock, nowMs: clock.nowMs + 60 * MINUTE_MS };
    expect(await capture.drain()).toMatchObject({ incomplete: 1, torn: 0 });
    advance(1_000);
    expect(await capture.drain()).toMatchObject({ incomplete: 1, torn: 0 });
    writeFileSync(join(spoolDir, "1-1-0"), '"session_id":"s"}\n', { flag: "a" });
    expect(await capture.drain()).toMatchObject({ events: 1, torn: 0 });
  });

  it("quarantines a torn file of an earlier run soon after start, and at once after a day", async () => {
    const { capture } = open();
    put("1-1-0", "half");
    clock = { ...clock, nowMs: clock.nowMs + 60 * MINUTE_MS };
    await capture.drain();
    advance(3_000);
    expect(await capture.drain()).toMatchObject({ torn: 1 });
    put("1-2-0", "half");
    clock = { ...clock, nowMs: clock.nowMs + 2 * DAY_MS };
    expect(await open().capture.drain()).toMatchObject({ torn: 1 });
  });

  it("keeps every file when the log cannot be written, and produces the same events next time", async () => {
    const attempts: string[][] = [];
    let isFull = true;
    const { capture } = open(async (events) => {
      attempts.push(events.map(toLine));
      if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    });
    put("1-1-0", stop("s"));
    put(
      "1-2-0",
      '{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt_id":"p","prompt":"<private>x</private>"}\n',
    );
    await expect(capture.drain()).rejects.toThrow("ENOSPC");
    expect(readdirSync(spoolDir)).toEqual(["1-1-0", "1-2-0"]);
    isFull = false;
    expect(await capture.drain()).toMatchObject({ files: 2, events: 2 });
    expect(attempts[1]).toEqual(attempts[0]);
    // The private prompt was read twice and is still one prompt: it hides only its own turn.
    put(
      "1-3-0",
      '{"hook_event_name":"Stop","session_id":"s","prompt_id":"q","last_assistant_message":"seen"}\n',
    );
    await capture.drain();
    expect(attempts[2]![0]).toContain("seen");
  });

  it("captures a file once that it cannot remove", async (test) => {
    try {
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", spoolDir], { stdio: "pipe" });
    } catch (error) {
      console.warn(`skipped: cannot mount a tmpfs here (${String(error).split("\n")[0]})`);
      return test.skip();
    }
    try {
      put("1-1-0", stop("s"));
      execFileSync("/bin/mount", ["-o", "remount,ro", spoolDir]);
      const { capture } = open();
      for (let i = 0; i < 3; i++) await capture.drain();
      expect(logged).toHaveLength(1);
    } finally {
      execFileSync("/bin/umount", ["-l", spoolDir]);
    }
  });
});
