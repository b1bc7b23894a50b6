import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { createAcceptor } from "./accept.ts";
import { type FollowOptions, followTranscripts, type TranscriptFollower } from "./follow-transcripts.ts";
import { importTranscripts } from "./import-transcripts.ts";
import { openQuarantine } from "./quarantine.ts";
import type { TailPosition } from "./tail-file.ts";

let root: string;
let logged: string[];
let appended: (readonly HooklineEvent[])[];
let offsets: Map<string, TailPosition>;
let errors: unknown[];
let followers: TranscriptFollower[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-follow-"));
  logged = [];
  appended = [];
  offsets = new Map();
  errors = [];
  followers = [];
});
afterEach(async () => {
  for (const follower of followers) await follower.close();
  rmSync(root, { recursive: true, force: true });
});

const openAcceptor = () => createAcceptor({ mayRecord: () => true });

function ports() {
  return {
    source: claude.transcripts,
    projectOf: (cwd: string | null) => cwd,
    append: async (events: readonly HooklineEvent[]): Promise<unknown> => {
      appended.push(events);
      return logged.push(...events.map(toLine));
    },
    load: async (path: string) => offsets.get(path),
    save: async (path: string, position: TailPosition) => void offsets.set(path, position),
    quarantine: openQuarantine(join(root, "quarantine")),
  };
}

/** Each call is a daemon start: only the saved positions survive between them. */
function follow(more: Partial<FollowOptions> = {}): TranscriptFollower {
  const onError = (error: unknown) => void errors.push(error);
  // Without a sweep, every change comes from kernel notifications.
  const follower = followTranscripts({
    ...ports(),
    openAcceptor,
    onError: onError,
    sweepMs: 600_000,
    ...more,
  });
  followers.push(follower);
  return follower;
}

function transcriptOf(session: string): string {
  return join(root, "projects", "-home-dev-shop", `${session}.jsonl`);
}

let clock = 0;
function prompt(session: string, text: string, more: Record<string, unknown> = {}): string {
  const uuid = `prompt-${clock}`;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();
  const message = { role: "user", content: text };
  const base = { type: "user", uuid, promptId: uuid, sessionId: session, timestamp, cwd: "/home/dev/shop" };
  return `${JSON.stringify({ ...base, message, turnOrigin: "user", ...more })}\n`;
}

function call(session: string, id: string, command: string, more: Record<string, unknown> = {}): string {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();
  const content = [{ type: "tool_use", id, name: "Bash", input: { command } }];
  const message = { id: `msg-${id}`, role: "assistant", content };
  return `${JSON.stringify({ type: "assistant", uuid: id, sessionId: session, timestamp, cwd: "/home/dev/shop", message, ...more })}\n`;
}

function result(session: string, id: string, content: string, more: Record<string, unknown> = {}): string {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();
  const message = { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] };
  return `${JSON.stringify({ type: "user", uuid: `r-${id}`, sessionId: session, timestamp, cwd: "/home/dev/shop", message, ...more })}\n`;
}

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, text);
}

function events(): HooklineEvent[] {
  return logged.map((line) => JSON.parse(line) as HooklineEvent);
}

function prompts(): unknown[] {
  return events()
    .filter((event) => event.eventType === "turn.start")
    .map((event) => event["prompt"]);
}

function quarantinedCount(): number {
  try {
    return readdirSync(join(root, "quarantine")).length;
  } catch {
    return 0;
  }
}

/** Runs a program in a user namespace without inotify watches. */
function withoutWatches([command, ...args]: [string, ...string[]]): string {
  const script = 'echo 0 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"';
  return execFileSync("env", ["unshare", "-Ur", "sh", "-c", script, command, ...args], { encoding: "utf8" });
}

function canLimitWatches(): boolean {
  try {
    return withoutWatches(["echo"]) === "\n";
  } catch {
    return false;
  }
}

describe("followTranscripts", () => {
  it("reads a transcript from its first line, and then as it grows", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    follow().watch("a", transcriptOf("a"));
    await expect.poll(prompts).toEqual(["one"]);
    put(transcriptOf("a"), prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
    expect(offsets.get(transcriptOf("a"))?.byteOffset).toBe(readFileSync(transcriptOf("a")).length);
  });

  it("appends all events of a line together", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect(appended).toHaveLength(1);
    expect(appended[0]!.map(({ eventType }) => eventType)).toContain("turn.start");
  });

  it("follows a transcript that appears, with its folders, after it is watched", async () => {
    follow().watch("a", transcriptOf("a"));
    await sleep(50);
    mkdirSync(join(root, "projects"));
    await sleep(50);
    put(transcriptOf("a"), prompt("a", "late"));
    await expect.poll(prompts).toEqual(["late"]);
  });

  it("appends each line soon after it was written", async () => {
    put(transcriptOf("a"), prompt("a", "first"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    for (let round = 0; round < 10; round++) {
      put(transcriptOf("a"), prompt("a", `round ${round}`));
      await expect.poll(() => prompts().length, { interval: 1 }).toBe(round + 2);
    }
  });

  it("joins lines written in pieces that split characters", async () => {
    follow().watch("a", transcriptOf("a"));
    const texts = ["snow ☃ and 𝄞 clef", "line\u2028separator", "Grüße"];
    const bytes = Buffer.from(texts.map((text) => prompt("a", text)).join(""));
    for (let at = 0; at < bytes.length; at += 23) {
      put(transcriptOf("a"), bytes.subarray(at, at + 23));
      if (at % 5 === 0) await sleep(2);
    }
    await expect.poll(prompts).toEqual(texts);
    expect(quarantinedCount()).toBe(0);
  });

  it("waits for the end of a torn last line", async () => {
    const [complete, line] = [prompt("a", "whole"), prompt("a", "torn")];
    put(transcriptOf("a"), complete + line.slice(0, 50));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect(prompts()).toEqual(["whole"]);
    put(transcriptOf("a"), line.slice(50));
    await expect.poll(prompts).toEqual(["whole", "torn"]);
  });

  it("quarantines a bad line once and continues", async () => {
    put(transcriptOf("a"), `${prompt("a", "one")}{"half":\n\n${prompt("a", "two")}`);
    for (let start = 0; start < 2; start++) {
      const follower = follow();
      follower.watch("a", transcriptOf("a"));
      await follower.flush();
    }
    expect(prompts()).toEqual(["one", "two"]);
    expect(quarantinedCount()).toBe(1);
  });

  it("joins a result with its call, though they were read far apart", async () => {
    put(transcriptOf("a"), prompt("a", "go") + call("a", "t1", "ls"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    put(transcriptOf("a"), result("a", "t1", "README.md"));
    await follower.flush();
    const end = events().find((event) => event.eventType === "tool_observation");
    expect(end?.payload).toMatchObject({
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolOutput: "README.md",
    });
  });

  it("continues after a restart without repeating events, and still knows calls and prompts", async () => {
    put(transcriptOf("a"), prompt("a", "<private>plan</private>") + call("a", "t1", "ls"));
    const before = follow();
    before.watch("a", transcriptOf("a"));
    await before.flush();
    await before.close();
    const count = logged.length;
    put(transcriptOf("a"), result("a", "t1", "secret.md"));
    const after = follow();
    after.watch("a", transcriptOf("a"));
    await after.flush();
    expect(
      events()
        .slice(count)
        .map((event) => event.eventType),
    ).toEqual(["tool_observation"]);
    expect(logged.join("\n")).not.toMatch(/plan|secret\.md|"ls"/);
  });

  it("produces the same events when the daemon dies before saving its position", async () => {
    put(transcriptOf("a"), prompt("a", "one") + call("a", "t1", "ls") + result("a", "t1", "x"));
    for (let start = 0; start < 2; start++) {
      offsets.clear();
      const follower = follow();
      follower.watch("a", transcriptOf("a"));
      await follower.flush();
      await follower.close();
    }
    const half = logged.length / 2;
    expect(logged.slice(half)).toEqual(logged.slice(0, half));
  });

  it("reads a truncated file from its start", async () => {
    const first = prompt("a", "same first line");
    put(transcriptOf("a"), first + prompt("a", "old one") + prompt("a", "old two"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    truncateSync(transcriptOf("a"), Buffer.byteLength(first));
    await follower.flush();
    put(transcriptOf("a"), prompt("a", "new"));
    await expect.poll(() => prompts().at(-1)).toBe("new");
    expect(offsets.get(transcriptOf("a"))?.byteOffset).toBe(readFileSync(transcriptOf("a")).length);
  });

  it("reads a file from its start when another replaced it", async () => {
    put(transcriptOf("a"), prompt("a", "of the first"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    writeFileSync(join(root, "next"), prompt("a", "of the other"));
    renameSync(join(root, "next"), transcriptOf("a"));
    await expect.poll(prompts).toEqual(["of the first", "of the other"]);
  });

  it("continues when its folder was removed and created again", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    for (const [text, pauseMs] of [
      ["two", 0],
      ["three", 60],
    ] as const) {
      rmSync(dirname(transcriptOf("a")), { recursive: true });
      if (pauseMs > 0) await sleep(pauseMs);
      put(transcriptOf("a"), prompt("a", text));
      await expect.poll(() => prompts().at(-1)).toBe(text);
    }
    put(transcriptOf("a"), prompt("a", "four"));
    await expect.poll(() => prompts().at(-1)).toBe("four");
  });

  it("reads a large file in parts, without delaying others", async () => {
    const big = Array.from({ length: 200 }, (_, index) => prompt("big", `${index} ${"x".repeat(20_000)}`));
    put(transcriptOf("big"), big.join(""));
    put(transcriptOf("small"), prompt("small", "quick"));
    const follower = follow();
    follower.watch("big", transcriptOf("big"));
    follower.watch("small", transcriptOf("small"));
    await follower.flush();
    expect(prompts()).toHaveLength(201);
    expect(appended.length).toBeGreaterThan(10);
    expect(prompts().indexOf("quick")).toBeLessThan(40);
  });

  it("reads a line longer than a part, also when it only restores state", async () => {
    put(transcriptOf("a"), prompt("a", "y".repeat(700_000)) + prompt("a", "after"));
    for (let start = 0; start < 2; start++) {
      const follower = follow();
      follower.watch("a", transcriptOf("a"));
      await follower.flush();
      expect(prompts()).toHaveLength(2);
    }
  });
});

describe("followTranscripts for subagents", () => {
  const subagentPath = (session: string, id: string): string =>
    join(root, "projects", "-home-dev-shop", session, "subagents", `agent-${id}.jsonl`);
  const sidechain = { isSidechain: true, agentId: "x1" };

  it("follows a subagent from when its folder appears, with its metadata file", async () => {
    put(transcriptOf("a"), prompt("a", "go"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    put(
      subagentPath("a", "x1").replace(".jsonl", ".meta.json"),
      JSON.stringify({ agentType: "explorer", toolUseId: "t9" }),
    );
    await sleep(60);
    put(subagentPath("a", "x1"), prompt("a", "count", sidechain));
    await expect
      .poll(() => events().at(-1))
      .toMatchObject({
        eventType: "subagent.lifecycle",
        agentId: "x1",
        agentType: "explorer",
        parentToolUseId: "t9",
      });
    put(subagentPath("a", "x1"), call("a", "s1", "wc -l", sidechain));
    await expect.poll(() => events().filter((event) => event.agentId === "x1").length).toBe(3);
  });

  it("reads subagents that existed before", async () => {
    put(subagentPath("a", "x1"), prompt("a", "count", sidechain));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect(events()).toMatchObject([{ eventType: "subagent.lifecycle", agentId: "x1" }]);
  });

  it("drops the content of a private prompt's subagents", async () => {
    put(transcriptOf("a"), prompt("a", "<private>plan</private>"));
    const promptId = (JSON.parse(readFileSync(transcriptOf("a"), "utf8")) as { promptId: string }).promptId;
    put(
      subagentPath("a", "x1"),
      prompt("a", "count", { ...sidechain, promptId }) + call("a", "s1", "cat plan.md", sidechain),
    );
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect(events().some((event) => event.agentId === "x1")).toBe(true);
    expect(logged.join("\n")).not.toContain("plan");
  });

  it("reads the session's whole file before its subagents, so that no private prompt is missed", async () => {
    const longPrompts = Array.from({ length: 60 }, (_, index) =>
      prompt("a", `${index} ${"x".repeat(20_000)}`),
    );
    const hidden = prompt("a", "<private>plan</private>");
    const promptId = (JSON.parse(hidden) as { promptId: string }).promptId;
    put(transcriptOf("a"), longPrompts.join("") + hidden);
    put(
      subagentPath("a", "x1"),
      prompt("a", "count", { ...sidechain, promptId }) + call("a", "s1", "cat plan.md", sidechain),
    );
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect(events().filter((event) => event.agentId === "x1")).toHaveLength(3);
    expect(logged.join("\n")).not.toContain("plan");
  });
});

describe("the transcript follower", () => {
  it("watches 200 sessions in one folder, and reads each line once", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const follower = follow();
    for (const id of ids) follower.watch(id, transcriptOf(id));
    for (const id of ids) put(transcriptOf(id), prompt(id, `first of ${id}`));
    for (const id of ids) put(transcriptOf(id), prompt(id, `second of ${id}`));
    await expect.poll(() => prompts().length).toBe(400);
    await sleep(100);
    expect(new Set(prompts()).size).toBe(400);
    expect(prompts()).toHaveLength(400);
    expect(errors).toEqual([]);
  });

  it("finds changes in its sweep that the kernel did not report", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const other = join(root, "other-name.jsonl");
    linkSync(transcriptOf("a"), other);
    const follower = follow({ sweepMs: 50 });
    follower.watch("a", transcriptOf("a"));
    await expect.poll(prompts).toEqual(["one"]);
    // Written through its name in another folder, which is not watched.
    put(other, prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
  });

  it.runIf(canLimitWatches())("reports once that no watches are left, and falls back to its sweep", () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const modulePath = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    const program = `
      import { appendFileSync, readFileSync } from "node:fs";
      import { setTimeout as sleep } from "node:timers/promises";
      import { claude } from ${modulePath("../agents/claude/claude.ts")};
      import { createAcceptor } from ${modulePath("accept.ts")};
      import { followTranscripts } from ${modulePath("follow-transcripts.ts")};
      const errors: unknown[] = [];
      let events = 0;
      const follower = followTranscripts({
        source: claude.transcripts,
        projectOf: (cwd) => cwd,
        openAcceptor: () => createAcceptor({ mayRecord: () => true }),
        append: async (batch) => void (events += batch.length),
        load: async () => undefined,
        save: async () => undefined,
        quarantine: { put() {}, count: () => 0, sweep() {} },
        onError: (error) => errors.push(error.code),
        sweepMs: 20,
      });
      const path = ${JSON.stringify(transcriptOf("a"))};
      follower.watch("a", path);
      await sleep(150);
      appendFileSync(path, readFileSync(path));
      for (let tries = 0; events < 2 && tries < 1_000; tries++) await sleep(20);
      await follower.close();
      console.log(events, errors.join());`;
    const output = withoutWatches([process.execPath, "--input-type=module-typescript", "-e", program]);
    expect(output).toBe("2 ENOSPC\n");
  });

  it("does not repeat what an import has read, nor the import what it has read", async () => {
    const projectsDir = join(root, "projects");
    const runImport = () => importTranscripts({ ...ports(), root: projectsDir, acceptor: openAcceptor() });
    put(transcriptOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect((await runImport()).events).toBe(0);
    // Through its name in an unwatched folder, so that the import is first.
    const other = join(root, "other-name.jsonl");
    linkSync(transcriptOf("a"), other);
    put(other, prompt("a", "two") + call("a", "t1", "ls"));
    expect((await runImport()).events).toBe(3);
    await follower.flush();
    expect(prompts()).toEqual(["one", "two"]);
    put(transcriptOf("a"), result("a", "t1", "README.md"));
    await expect
      .poll(() => events().at(-1)?.payload)
      .toMatchObject({ toolName: "Bash", toolOutput: "README.md" });
  });

  it("retries a failed append, and reports the error once", async () => {
    let isFull = true;
    const { append } = ports();
    const follower = follow({
      sweepMs: 20,
      append: async (batch) => {
        if (isFull) throw new Error("ENOSPC: no space left on device");
        await append(batch);
      },
    });
    put(transcriptOf("a"), prompt("a", "/greet docs/x.md"));
    put(transcriptOf("a"), call("a", "t1", "ls") + result("a", "t1", "x"));
    follower.watch("a", transcriptOf("a"));
    await sleep(200);
    put(transcriptOf("a"), prompt("a", "next"));
    await sleep(100);
    expect(logged).toEqual([]);
    expect(offsets.size).toBe(0);
    expect(errors).toHaveLength(1);
    isFull = false;
    await expect.poll(prompts).toEqual(["/greet docs/x.md", "next"]);
    expect(new Set(logged).size).toBe(logged.length);
  });

  it("reads the remaining lines on unwatch, and nothing after", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    put(transcriptOf("a"), prompt("a", "two"));
    await follower.unwatch("a");
    expect(prompts()).toEqual(["one", "two"]);
    put(transcriptOf("a"), prompt("a", "three"));
    await sleep(100);
    await follower.flush();
    expect(prompts()).toEqual(["one", "two"]);
  });

  it("keeps a session that is watched again while it is unwatched", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    const unwatching = follower.unwatch("a");
    follower.watch("a", transcriptOf("a"));
    await unwatching;
    put(transcriptOf("a"), prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
  });

  it("follows a session to another file", async () => {
    put(transcriptOf("a"), prompt("a", "one"));
    const moved = join(root, "projects", "-elsewhere", "a.jsonl");
    const follower = follow();
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    follower.watch("a", moved);
    put(moved, prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
  });

  it("reports the number of events of each round", async () => {
    const counts: number[] = [];
    put(transcriptOf("a"), prompt("a", "one") + prompt("a", "two"));
    const follower = follow({ onBatch: async (count) => void counts.push(count) });
    follower.watch("a", transcriptOf("a"));
    await follower.flush();
    expect(counts).toEqual([2]);
  });
});
