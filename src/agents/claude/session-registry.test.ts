import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  configDirOf,
  expectedTranscriptPath,
  inboxSocket,
  parseRegistryEntry,
  pidOfRegistryFile,
} from "./session-registry.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude/registry/2.1.325");

function fixture(name: string): string {
  return readFileSync(join(FIXTURES, `${name}.json`), "utf8");
}

describe("an entry of the registry", () => {
  it("describes a session that waits for a permission", () => {
    expect(parseRegistryEntry(fixture("waiting.permission.tmux"))).toEqual({
      pid: 4711,
      sessionId: "3ebed8ad-4916-4427-9f70-bc6b9a013bf3",
      cwd: "/home/dev/acme-shop",
      startedAtMs: 1794721456563,
      procStart: "1128876",
      pidDomain: "linux:0123456789abcdef0123456789abcdef:pid:[4026531836]",
      version: "2.1.325",
      kind: "interactive",
      entrypoint: "cli",
      name: "acme-shop-ef",
      nameSource: "derived",
      tmux: "main:@0.%0",
      status: "waiting",
      waitingFor: "permission prompt",
      statusUpdatedAtMs: 1794721460736,
      updatedAtMs: 1794721460736,
    });
  });

  it("names the socket of its inbox, in versions that have one", () => {
    expect(inboxSocket(fixture("waiting.permission.tmux"))).toBe("/tmp/cc-socks/4711.sock");
    for (const text of ['{"pid":1}', "{", '{"messagingSocketPath":7}']) expect(inboxSocket(text)).toBeNull();
  });

  it("has no status in its first moments", () => {
    expect(parseRegistryEntry(fixture("starting.tmux"))).toMatchObject({
      status: null,
      waitingFor: null,
      updatedAtMs: null,
      statusUpdatedAtMs: null,
    });
  });

  it("of a -p run differs only in its entrypoint", () => {
    expect(parseRegistryEntry(fixture("busy.print"))).toMatchObject({
      kind: "interactive",
      entrypoint: "sdk-cli",
      status: "busy",
      tmux: null,
    });
  });

  it("carries another session under the same pid after /clear", () => {
    const [before, after] = ["starting.tmux", "idle.renamed.cleared.tmux"].map((name) =>
      parseRegistryEntry(fixture(name)),
    );
    expect(after).toMatchObject({ pid: before?.pid, procStart: before?.procStart, nameSource: "user" });
    expect(after?.sessionId).not.toBe(before?.sessionId);
  });

  it("of a newer version is read as far as possible: unknown statuses and fields are ignored", () => {
    const text = fixture("waiting.question.tmux").replace('"waiting"', '"meditating"');
    expect(parseRegistryEntry(text)).toMatchObject({ pid: 4711, status: null, waitingFor: null });
  });

  it("is null if half written or of another shape, and never throws", () => {
    const fullText = fixture("waiting.permission.tmux");
    for (let length = 0; length < fullText.length; length++)
      expect(parseRegistryEntry(fullText.slice(0, length))).toBeNull();
    for (const text of ["null", "[]", "7", "{}", '{"pid":"4711","sessionId":"a","cwd":"/"}'])
      expect(parseRegistryEntry(text)).toBeNull();
    expect(parseRegistryEntry('{"pid":-1,"sessionId":"a","cwd":"/"}')).toBeNull();
    fc.assert(fc.property(fc.json(), (text) => void parseRegistryEntry(text)));
  });

  it("is read from every captured file", () => {
    const names = readdirSync(FIXTURES);
    expect(names.length).toBeGreaterThanOrEqual(5);
    for (const name of names) expect(parseRegistryEntry(fixture(name.slice(0, -5)))).not.toBeNull();
  });
});

describe("the registry's folder", () => {
  it("has entries named by pid; key files are ignored", () => {
    expect(pidOfRegistryFile("4711.json")).toBe(4711);
    for (const name of [
      "4711.ac17.key",
      "4711.ac17.key.tmp.72ae",
      "4711.ac17.json",
      "a.json",
      "0.json",
      "4711",
    ])
      expect(pidOfRegistryFile(name)).toBeNull();
  });

  it("is beside the projects folder, wherever the configuration was moved", () => {
    expect(configDirOf("/home/dev/.claude/projects/-home-dev-x/a.jsonl")).toBe("/home/dev/.claude");
    expect(configDirOf("/srv/conf/projects/-x/a.jsonl")).toBe("/srv/conf");
    expect(configDirOf("/somewhere/else/a.jsonl")).toBeNull();
  });

  it("determines the expected path of a transcript, unless the folder's name was shortened", () => {
    expect(expectedTranscriptPath("/home/dev/.claude", "/home/dev/acme_shop.v2", "a")).toBe(
      "/home/dev/.claude/projects/-home-dev-acme-shop-v2/a.jsonl",
    );
    expect(expectedTranscriptPath("/c", `/${"x".repeat(250)}`, "a")).toBeNull();
  });
});
