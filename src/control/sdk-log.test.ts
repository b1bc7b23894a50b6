import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSdkLog } from "./sdk-log.ts";

let dir: string;
let now: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-sdk-log-"));
  now = Date.parse("2026-11-15T10:00:00.000Z");
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (rotateBytes?: number) =>
  openSdkLog({ dir: join(dir, "logs"), days: 7, nowMs: () => now, rotateBytes });
const files = (): string[] => readdirSync(join(dir, "logs")).sort();
const text = (name: string): string => readFileSync(join(dir, "logs", name), "utf8");

describe("the SDK log", () => {
  it("contains nothing of a turn started by a private prompt", () => {
    const log = open();
    const content = [{ type: "text", text: "<private>the castle</private>" }];
    log.write("s1", "input", { type: "user", message: { content } });
    log.write("s1", "output", { type: "assistant", message: { content: "In the castle." } });
    log.write("s2", "output", { type: "assistant", message: { content: "Elsewhere." } });
    log.write("s1", "output", { type: "result", result: "In the castle." });
    log.write("s1", "input", { type: "user", message: { content: "again" } });
    const written = text("sdk-2026-11-15.jsonl");
    expect(written).not.toContain("castle");
    expect(written).toContain("Elsewhere.");
    expect(written).toContain("again");
  });

  it("contains input and output without deltas, readable only by its owner", () => {
    const log = open();
    log.write("s1", "input", { type: "user", message: { content: "hello" } });
    log.write("s1", "output", { type: "stream_event", event: {} });
    log.write("s1", "output", { type: "result", subtype: "success" });
    const lines = text("sdk-2026-11-15.jsonl").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        timestamp: "2026-11-15T10:00:00.000Z",
        sessionId: "s1",
        direction: "input",
        data: { type: "user", message: { content: "hello" } },
      },
      {
        timestamp: "2026-11-15T10:00:00.000Z",
        sessionId: "s1",
        direction: "output",
        data: { type: "result", subtype: "success" },
      },
    ]);
    expect(statSync(join(dir, "logs", "sdk-2026-11-15.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("contains no secrets, private parts or images", () => {
    const key = ["sk-ant", "api03", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6"].join("-");
    open().write("s1", "input", {
      content: `use ${key} <private>my diary</private>`,
      password: "hunter22",
      image: "A".repeat(70_000),
    });
    const written = text("sdk-2026-11-15.jsonl");
    expect(written).not.toMatch(/A1b2C3d4|diary|hunter22|AAAA/);
    expect(written).toContain("[70000 characters left out]");
  });

  it("starts a new file each day and at a size limit, and removes old ones", () => {
    const log = open(50);
    log.write("s1", "input", "first, and long enough for a file of its own");
    log.write("s1", "input", "second");
    expect(files()).toEqual(["sdk-2026-11-15.jsonl", "sdk-2026-11-15.jsonl.1"]);
    writeFileSync(join(dir, "logs", "daemon.log"), "");
    now += 6 * 86_400_000;
    log.write("s1", "input", "third");
    expect(files()).toContain("sdk-2026-11-15.jsonl");
    now += 86_400_000;
    log.write("s1", "input", "fourth");
    expect(files()).toEqual(["daemon.log", "sdk-2026-11-21.jsonl", "sdk-2026-11-22.jsonl"]);
  });

  it("loses nothing when a day has several files", () => {
    const log = open(50);
    const messages = ["first", "second", "third", "fourth"].map((name) => `${name}${".".repeat(50)}`);
    for (const message of messages.slice(0, 3)) log.write("s1", "input", message);
    open(50).write("s1", "input", messages[3]);
    const texts = files().map(text);
    expect(files()).toEqual(["", ".1", ".2", ".3"].map((end) => `sdk-2026-11-15.jsonl${end}`));
    for (const message of messages) expect(texts.filter((one) => one.includes(message))).toHaveLength(1);
    expect(text("sdk-2026-11-15.jsonl.1")).toContain("first");
  });

  it("never throws", () => {
    writeFileSync(join(dir, "logs"), "no folder");
    const ring: Record<string, unknown> = {};
    ring["self"] = ring;
    expect(() => open().write("s1", "input", ring)).not.toThrow();
    expect(() => open().write("s1", "input", { n: 1 })).not.toThrow();
    expect(existsSync(join(dir, "logs"))).toBe(true);
  });
});
