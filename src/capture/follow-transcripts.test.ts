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
let troubles: unknown[];
let followers: TranscriptFollower[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-follow-"));
  logged = [];
  appended = [];
  offsets = new Map();
  troubles = [];
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

/** Each call is a daemon start: only what was saved survives between them. */
function follow(more: Partial<FollowOptions> = {}): TranscriptFollower {
  const onTrouble = (error: unknown) => void troubles.push(error);
  // No sweep: everything comes from kernel notifications.
  const follower = followTranscripts({
    ...ports(),
    openAcceptor,
    onError: onTrouble,
    sweepMs: 600_000,
    ...more,
  });
  followers.push(follower);
  return follower;
}

function mainOf(session: string): string {
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

function setAside(): number {
  try {
    return readdirSync(join(root, "quarantine")).length;
  } catch {
    return 0;
  }
}

/** Runs a program whose user may have no watches at all. */
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

describe("a followed transcript", () => {
  it("is taken from its first line, and then as it grows", async () => {
    put(mainOf("a"), prompt("a", "one"));
    follow().watch("a", mainOf("a"));
    await expect.poll(prompts).toEqual(["one"]);
    put(mainOf("a"), prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
    expect(offsets.get(mainOf("a"))?.byteOffset).toBe(readFileSync(mainOf("a")).length);
  });

  it("hands over all the events of a line together", async () => {
    put(mainOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect(appended).toHaveLength(1);
    expect(appended[0]!.map(({ eventType }) => eventType)).toContain("turn.start");
  });

  it("may appear after it is watched, with all its folders", async () => {
    follow().watch("a", mainOf("a"));
    await sleep(50);
    mkdirSync(join(root, "projects"));
    await sleep(50);
    put(mainOf("a"), prompt("a", "late"));
    await expect.poll(prompts).toEqual(["late"]);
  });

  it("is in the log soon after each line was written", async () => {
    put(mainOf("a"), prompt("a", "first"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    for (let round = 0; round < 10; round++) {
      put(mainOf("a"), prompt("a", `round ${round}`));
      await expect.poll(() => prompts().length, { interval: 1 }).toBe(round + 2);
    }
  });

  it("is whole though its lines come in pieces that cut characters in two", async () => {
    follow().watch("a", mainOf("a"));
    const said = ["snow ☃ and 𝄞 clef", "line\u2028separator", "Grüße"];
    const bytes = Buffer.from(said.map((text) => prompt("a", text)).join(""));
    for (let at = 0; at < bytes.length; at += 23) {
      put(mainOf("a"), bytes.subarray(at, at + 23));
      if (at % 5 === 0) await sleep(2);
    }
    await expect.poll(prompts).toEqual(said);
    expect(setAside()).toBe(0);
  });

  it("waits for the end of a torn last line", async () => {
    const [whole, line] = [prompt("a", "whole"), prompt("a", "torn")];
    put(mainOf("a"), whole + line.slice(0, 50));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect(prompts()).toEqual(["whole"]);
    put(mainOf("a"), line.slice(50));
    await expect.poll(prompts).toEqual(["whole", "torn"]);
  });

  it("sets a bad line aside once and goes on", async () => {
    put(mainOf("a"), `${prompt("a", "one")}{"half":\n\n${prompt("a", "two")}`);
    for (let start = 0; start < 2; start++) {
      const follower = follow();
      follower.watch("a", mainOf("a"));
      await follower.flush();
    }
    expect(prompts()).toEqual(["one", "two"]);
    expect(setAside()).toBe(1);
  });

  it("knows of a result which call it answers, though they were read far apart", async () => {
    put(mainOf("a"), prompt("a", "go") + call("a", "t1", "ls"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    put(mainOf("a"), result("a", "t1", "README.md"));
    await follower.flush();
    const end = events().find((event) => event.eventType === "tool_observation");
    expect(end?.payload).toMatchObject({
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolOutput: "README.md",
    });
  });

  it("goes on after a restart without telling anything twice, and still knows its calls and prompts", async () => {
    put(mainOf("a"), prompt("a", "<private>plan</private>") + call("a", "t1", "ls"));
    const before = follow();
    before.watch("a", mainOf("a"));
    await before.flush();
    await before.close();
    const count = logged.length;
    put(mainOf("a"), result("a", "t1", "secret.md"));
    const after = follow();
    after.watch("a", mainOf("a"));
    await after.flush();
    expect(
      events()
        .slice(count)
        .map((event) => event.eventType),
    ).toEqual(["tool_observation"]);
    expect(logged.join("\n")).not.toMatch(/plan|secret\.md|"ls"/);
  });

  it("is the same events again when the daemon died between the log and the saving of its place", async () => {
    put(mainOf("a"), prompt("a", "one") + call("a", "t1", "ls") + result("a", "t1", "x"));
    for (let start = 0; start < 2; start++) {
      offsets.clear();
      const follower = follow();
      follower.watch("a", mainOf("a"));
      await follower.flush();
      await follower.close();
    }
    const half = logged.length / 2;
    expect(logged.slice(half)).toEqual(logged.slice(0, half));
  });

  it("is read again from its start when it was cut", async () => {
    const first = prompt("a", "same first line");
    put(mainOf("a"), first + prompt("a", "old one") + prompt("a", "old two"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    truncateSync(mainOf("a"), Buffer.byteLength(first));
    await follower.flush();
    put(mainOf("a"), prompt("a", "new"));
    await expect.poll(() => prompts().at(-1)).toBe("new");
    expect(offsets.get(mainOf("a"))?.byteOffset).toBe(readFileSync(mainOf("a")).length);
  });

  it("is read again from its start when another file took its name", async () => {
    put(mainOf("a"), prompt("a", "of the first"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    writeFileSync(join(root, "next"), prompt("a", "of the other"));
    renameSync(join(root, "next"), mainOf("a"));
    await expect.poll(prompts).toEqual(["of the first", "of the other"]);
  });

  it("goes on when its folder was removed and made again", async () => {
    put(mainOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    for (const [text, pauseMs] of [
      ["two", 0],
      ["three", 60],
    ] as const) {
      rmSync(dirname(mainOf("a")), { recursive: true });
      if (pauseMs > 0) await sleep(pauseMs);
      put(mainOf("a"), prompt("a", text));
      await expect.poll(() => prompts().at(-1)).toBe(text);
    }
    put(mainOf("a"), prompt("a", "four"));
    await expect.poll(() => prompts().at(-1)).toBe("four");
  });

  it("of many megabytes is taken in parts, and holds up no other", async () => {
    const big = Array.from({ length: 200 }, (_, index) => prompt("big", `${index} ${"x".repeat(20_000)}`));
    put(mainOf("big"), big.join(""));
    put(mainOf("small"), prompt("small", "quick"));
    const follower = follow();
    follower.watch("big", mainOf("big"));
    follower.watch("small", mainOf("small"));
    await follower.flush();
    expect(prompts()).toHaveLength(201);
    expect(appended.length).toBeGreaterThan(10);
    expect(prompts().indexOf("quick")).toBeLessThan(40);
  });

  it("with a line longer than a part is taken too, also when it is read again for its state", async () => {
    put(mainOf("a"), prompt("a", "y".repeat(700_000)) + prompt("a", "after"));
    for (let start = 0; start < 2; start++) {
      const follower = follow();
      follower.watch("a", mainOf("a"));
      await follower.flush();
      expect(prompts()).toHaveLength(2);
    }
  });
});

describe("subagents", () => {
  const of = (session: string, id: string): string =>
    join(root, "projects", "-home-dev-shop", session, "subagents", `agent-${id}.jsonl`);
  const side = { isSidechain: true, agentId: "x1" };

  it("are followed from when their folder appears, with what is written beside them", async () => {
    put(mainOf("a"), prompt("a", "go"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    put(
      of("a", "x1").replace(".jsonl", ".meta.json"),
      JSON.stringify({ agentType: "explorer", toolUseId: "t9" }),
    );
    await sleep(60);
    put(of("a", "x1"), prompt("a", "count", side));
    await expect
      .poll(() => events().at(-1))
      .toMatchObject({
        eventType: "subagent.lifecycle",
        agentId: "x1",
        agentType: "explorer",
        parentToolUseId: "t9",
      });
    put(of("a", "x1"), call("a", "s1", "wc -l", side));
    await expect.poll(() => events().filter((event) => event.agentId === "x1").length).toBe(3);
  });

  it("that were there before are taken too", async () => {
    put(of("a", "x1"), prompt("a", "count", side));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect(events()).toMatchObject([{ eventType: "subagent.lifecycle", agentId: "x1" }]);
  });

  it("of a private prompt are told without content", async () => {
    put(mainOf("a"), prompt("a", "<private>plan</private>"));
    const promptId = (JSON.parse(readFileSync(mainOf("a"), "utf8")) as { promptId: string }).promptId;
    put(of("a", "x1"), prompt("a", "count", { ...side, promptId }) + call("a", "s1", "cat plan.md", side));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect(events().some((event) => event.agentId === "x1")).toBe(true);
    expect(logged.join("\n")).not.toContain("plan");
  });

  it("wait for all of their session's file, wherever in it the private prompt stands", async () => {
    const long = Array.from({ length: 60 }, (_, index) => prompt("a", `${index} ${"x".repeat(20_000)}`));
    const hidden = prompt("a", "<private>plan</private>");
    const promptId = (JSON.parse(hidden) as { promptId: string }).promptId;
    put(mainOf("a"), long.join("") + hidden);
    put(of("a", "x1"), prompt("a", "count", { ...side, promptId }) + call("a", "s1", "cat plan.md", side));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect(events().filter((event) => event.agentId === "x1")).toHaveLength(3);
    expect(logged.join("\n")).not.toContain("plan");
  });
});

describe("the follower", () => {
  it("watches 200 sessions in one folder, and takes each line of each once", async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const follower = follow();
    for (const id of ids) follower.watch(id, mainOf(id));
    for (const id of ids) put(mainOf(id), prompt(id, `first of ${id}`));
    for (const id of ids) put(mainOf(id), prompt(id, `second of ${id}`));
    await expect.poll(() => prompts().length).toBe(400);
    await sleep(100);
    expect(new Set(prompts()).size).toBe(400);
    expect(prompts()).toHaveLength(400);
    expect(troubles).toEqual([]);
  });

  it("finds by its sweep what the kernel did not tell", async () => {
    put(mainOf("a"), prompt("a", "one"));
    const other = join(root, "other-name.jsonl");
    linkSync(mainOf("a"), other);
    const follower = follow({ sweepMs: 50 });
    follower.watch("a", mainOf("a"));
    await expect.poll(prompts).toEqual(["one"]);
    // Written through its name in another folder, which is not watched.
    put(other, prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
  });

  it.runIf(canLimitWatches())("says once that there are no watches left, and goes on by its sweep", () => {
    put(mainOf("a"), prompt("a", "one"));
    const own = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    const program = `
      import { appendFileSync, readFileSync } from "node:fs";
      import { setTimeout as sleep } from "node:timers/promises";
      import { claude } from ${own("../agents/claude/claude.ts")};
      import { createAcceptor } from ${own("accept.ts")};
      import { followTranscripts } from ${own("follow-transcripts.ts")};
      const troubles: unknown[] = [];
      let events = 0;
      const follower = followTranscripts({
        source: claude.transcripts,
        projectOf: (cwd) => cwd,
        openAcceptor: () => createAcceptor({ mayRecord: () => true }),
        append: async (told) => void (events += told.length),
        load: async () => undefined,
        save: async () => undefined,
        quarantine: { put() {}, count: () => 0, sweep() {} },
        onError: (error) => troubles.push(error.code),
        sweepMs: 20,
      });
      const path = ${JSON.stringify(mainOf("a"))};
      follower.watch("a", path);
      await sleep(150);
      appendFileSync(path, readFileSync(path));
      for (let tries = 0; events < 2 && tries < 1_000; tries++) await sleep(20);
      await follower.close();
      console.log(events, troubles.join());`;
    const said = withoutWatches([process.execPath, "--input-type=module-typescript", "-e", program]);
    expect(said).toBe("2 ENOSPC\n");
  });

  it("does not tell again what an import took meanwhile, nor the import what it took", async () => {
    const root_ = join(root, "projects");
    const read = () => importTranscripts({ ...ports(), root: root_, acceptor: openAcceptor() });
    put(mainOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect((await read()).events).toBe(0);
    // Through its name in an unwatched folder, so that the import is first.
    const other = join(root, "other-name.jsonl");
    linkSync(mainOf("a"), other);
    put(other, prompt("a", "two") + call("a", "t1", "ls"));
    expect((await read()).events).toBe(3);
    await follower.flush();
    expect(prompts()).toEqual(["one", "two"]);
    put(mainOf("a"), result("a", "t1", "README.md"));
    await expect
      .poll(() => events().at(-1)?.payload)
      .toMatchObject({ toolName: "Bash", toolOutput: "README.md" });
  });

  it("tries again what could not be appended, and says so once", async () => {
    let isFull = true;
    const { append } = ports();
    const follower = follow({
      sweepMs: 20,
      append: async (told) => {
        if (isFull) throw new Error("ENOSPC: no space left on device");
        await append(told);
      },
    });
    put(mainOf("a"), prompt("a", "/greet docs/x.md"));
    put(mainOf("a"), call("a", "t1", "ls") + result("a", "t1", "x"));
    follower.watch("a", mainOf("a"));
    await sleep(200);
    put(mainOf("a"), prompt("a", "next"));
    await sleep(100);
    expect(logged).toEqual([]);
    expect(offsets.size).toBe(0);
    expect(troubles).toHaveLength(1);
    isFull = false;
    await expect.poll(prompts).toEqual(["/greet docs/x.md", "next"]);
    expect(new Set(logged).size).toBe(logged.length);
  });

  it("takes what is left when a session is let go, and nothing after", async () => {
    put(mainOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    put(mainOf("a"), prompt("a", "two"));
    await follower.unwatch("a");
    expect(prompts()).toEqual(["one", "two"]);
    put(mainOf("a"), prompt("a", "three"));
    await sleep(100);
    await follower.flush();
    expect(prompts()).toEqual(["one", "two"]);
  });

  it("keeps a session that is asked for again while it is let go", async () => {
    put(mainOf("a"), prompt("a", "one"));
    const follower = follow();
    follower.watch("a", mainOf("a"));
    const leaving = follower.unwatch("a");
    follower.watch("a", mainOf("a"));
    await leaving;
    put(mainOf("a"), prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
  });

  it("follows a session to another file", async () => {
    put(mainOf("a"), prompt("a", "one"));
    const moved = join(root, "projects", "-elsewhere", "a.jsonl");
    const follower = follow();
    follower.watch("a", mainOf("a"));
    await follower.flush();
    follower.watch("a", moved);
    put(moved, prompt("a", "two"));
    await expect.poll(prompts).toEqual(["one", "two"]);
  });

  it("says how many events there were when a round is in the log", async () => {
    const counts: number[] = [];
    put(mainOf("a"), prompt("a", "one") + prompt("a", "two"));
    const follower = follow({ onBatch: async (count) => void counts.push(count) });
    follower.watch("a", mainOf("a"));
    await follower.flush();
    expect(counts).toEqual([2]);
  });
});
