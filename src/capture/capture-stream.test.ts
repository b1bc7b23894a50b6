import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { createAcceptor } from "./accept.ts";
import { captureStream } from "./capture-stream.ts";
import { openQuarantine } from "./quarantine.ts";
import type { TailPosition } from "./tail-file.ts";

let dir: string;
let path: string;
let logged: string[];
let saved: TailPosition | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-stream-"));
  path = join(dir, "lifecycle.jsonl");
  logged = [];
  saved = undefined;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Everything but the saved position is created again: each call is a restart. */
function capture(
  append = async (events: readonly HooklineEvent[]) => void logged.push(...events.map(toLine)),
): Promise<number> {
  return captureStream({
    path,
    acceptor: createAcceptor({ mayRecord: () => true }),
    append,
    quarantine: openQuarantine(join(dir, "quarantine")),
    load: async () => saved,
    save: async (position) => {
      saved = position;
    },
  });
}

function line(session: string, more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({
    eventType: "session.lifecycle",
    phase: "started",
    occurredAtIso: "2026-01-01T00:00:00.000Z",
    sessionId: session,
    ...more,
  })}\n`;
}

function sessions(): string[] {
  return logged.map((text) => (JSON.parse(text) as { sessionId: string }).sessionId);
}

function quarantined(): string[] {
  return readdirSync(join(dir, "quarantine")).map((name) =>
    readFileSync(join(dir, "quarantine", name), "utf8"),
  );
}

describe("captureStream", () => {
  it("reads complete lines as stream events, and continues after a restart", async () => {
    writeFileSync(path, line("a") + line("b"));
    expect(await capture()).toBe(2);
    appendFileSync(path, line("c"));
    expect(await capture()).toBe(1);
    expect(await capture()).toBe(0);
    expect(sessions()).toEqual(["a", "b", "c"]);
    expect(JSON.parse(logged[0]!)).toMatchObject({ origin: "stream", provider: "unknown" });
  });

  it("waits for the end of a torn last line", async () => {
    const torn = line("torn");
    writeFileSync(path, torn.slice(0, 40));
    expect(await capture()).toBe(0);
    writeFileSync(path, line("a") + torn.slice(0, 40));
    await capture();
    expect(sessions()).toEqual(["a"]);
    appendFileSync(path, torn.slice(40));
    await capture();
    expect(sessions()).toEqual(["a", "torn"]);
    expect(saved!.byteOffset).toBe(statSync(path).size);
  });

  it("quarantines a bad line, masked, and reads on; skips blank lines", async () => {
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    writeFileSync(path, `${line("a")}\n{"token":"${secret}"\n{"no":"event"}\n${line("b")}`);
    await capture();
    expect(sessions()).toEqual(["a", "b"]);
    expect(quarantined()).toHaveLength(2);
    expect(quarantined().join("")).not.toContain(secret);
    // Reading the lines again after a crash quarantines them under the same names.
    saved = undefined;
    await capture();
    expect(quarantined()).toHaveLength(2);
  });

  it("reads a truncated and rewritten file from its start", async () => {
    writeFileSync(path, line("a") + line("b"));
    await capture();
    const { ino } = statSync(path);
    truncateSync(path, 0);
    appendFileSync(path, line("c") + line("d") + line("e") + line("f"));
    expect(statSync(path).ino).toBe(ino);
    await capture();
    expect(sessions()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("reads a file from its start that was truncated after its first line and regrew", async () => {
    writeFileSync(path, line("a") + line("b"));
    await capture();
    truncateSync(path, line("a").length);
    appendFileSync(path, line("a-much-longer-name-than-before") + line("c"));
    await capture();
    expect(sessions()).toEqual(["a", "b", "a", "a-much-longer-name-than-before", "c"]);
    // Repeated lines yield the same events.
    expect(new Set(logged).size).toBe(4);
  });

  it("reads a file from its start when it became shorter", async () => {
    writeFileSync(path, line("a") + line("b") + line("c"));
    await capture();
    truncateSync(path, line("a").length);
    await capture();
    appendFileSync(path, line("d"));
    await capture();
    expect(sessions()).toEqual(["a", "b", "c", "a", "d"]);
  });

  it("reads a file from its start when another replaced it", async () => {
    writeFileSync(path, line("a"));
    await capture();
    rmSync(path);
    expect(await capture()).toBe(0);
    writeFileSync(path, line("b"));
    await capture();
    expect(sessions()).toEqual(["a", "b"]);
  });

  it("reads lines again with the same ids when the log could not be written", async () => {
    writeFileSync(path, line("a") + line("b", { id: "own-id" }));
    const failed: string[] = [];
    const failing = capture(async (events) => {
      failed.push(...events.map(toLine));
      throw new Error("full");
    });
    await expect(failing).rejects.toThrow("full");
    expect(saved).toBeUndefined();
    await capture();
    expect(logged).toEqual(failed);
    expect(logged[1]).toContain("own-id");
  });

  it("reads a line longer than the read buffer", async () => {
    writeFileSync(path, line("a") + line("long", { note: "x".repeat(3_000_000) }) + line("b"));
    await capture();
    expect(sessions()).toEqual(["a", "long", "b"]);
  });
});
