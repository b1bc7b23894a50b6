import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import type { Verdict } from "../../src/policy/request.ts";
import { EMPTY_POLICY, type Policy, type ToolRule } from "../../src/policy/rule.ts";
import type { TableRequest } from "./requests.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
afterAll(() => scratch.close());

/** The daemon whose pid and port are in the lists. */
const OWN = { dir: join(scratch.world.home, ".hookline"), port: 37_777, pid: 424_242 };
const POLICY: Policy = { ...EMPTY_POLICY, own: OWN };
const ASKING = ["default", "acceptEdits", "auto", "bypassPermissions"];

/** One request per line: `W path` writes, `R path` reads, `M tool json` is another tool, anything else a command. */
function requestsOf(name: string): readonly { readonly line: string; readonly request: TableRequest }[] {
  const file = new URL(`../fixtures/policy-requests/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ line, request: toRequest(line) }));
}

function toRequest(line: string): TableRequest {
  if (line.startsWith("W ")) return { tool_name: "Write", tool_input: { file_path: line.slice(2) } };
  if (line.startsWith("R ")) return { tool_name: "Read", tool_input: { file_path: line.slice(2) } };
  const [, tool_name, json] = /^M (\S+) (.*)$/.exec(line) ?? [];
  if (tool_name !== undefined) return { tool_name, tool_input: JSON.parse(json!) as Record<string, unknown> };
  return { tool_name: "Bash", tool_input: { command: line.replaceAll("\\n", "\n") } };
}

function judge(request: TableRequest, mode: string, policy: Policy = POLICY): Verdict {
  const { tool_name, tool_input } = scratch.fill(request);
  return decide(policy, { toolName: tool_name, toolInput: tool_input, mode, cwd: scratch.ws }, scratch.world);
}

/** The requests of a list with an unexpected verdict, in these modes. */
function wrong(name: string, modes: readonly string[], isRight: (verdict: Verdict) => boolean) {
  return requestsOf(name).flatMap(({ line, request }) =>
    modes.flatMap((mode) => {
      const verdict = judge(request, mode);
      return isRight(verdict) ? [] : [{ line, mode, ...verdict }];
    }),
  );
}

const isHeld = ({ step, verdict }: Verdict): boolean =>
  verdict !== "allow" && (step === "deny" || step === "protected");

const LISTS: readonly (readonly [string, string, number, (verdict: Verdict) => boolean])[] = [
  [
    "runs-later",
    "asks before a file that runs later is changed",
    1_600,
    ({ rule, verdict }) => verdict === "ask" && rule === "builtin/runs-later",
  ],
  [
    "secret-writes",
    "denies writing where secrets are kept",
    400,
    ({ rule }) => rule === "builtin/write-secret-file",
  ],
  [
    "secret-reads",
    "asks before a secret is read, committed or sent",
    700,
    ({ rule, verdict }) => verdict === "ask" && rule === "builtin/read-secret-file",
  ],
  [
    "own-denied",
    "denies what would answer for the person or end the guard",
    350,
    ({ verdict }) => verdict === "deny",
  ],
  [
    "wide-denied",
    "denies what ends or destroys all of a machine or a home, by any tool",
    60,
    ({ verdict, step }) => verdict === "deny" && step === "deny",
  ],
  ["own-asked", "asks before anything else of Hookline changes", 20, ({ verdict }) => verdict === "ask"],
  ["carried", "finds a dangerous command, whatever carries it", 300, isHeld],
  ["tool-inputs", "judges the values of other tools' inputs, whatever their keys are called", 170, isHeld],
];

describe("protected files and commands", () => {
  for (const [name, title, least, isRight] of LISTS) {
    it(`${title}, in every mode`, () => {
      expect(requestsOf(name).length).toBeGreaterThan(least);
      expect(wrong(name, ASKING, (verdict) => isHeld(verdict) && isRight(verdict))).toEqual([]);
    });

    it(`${title}: denied in a mode that never asks, and never allowed while planning`, () => {
      expect(wrong(name, ["dontAsk"], ({ verdict }) => verdict === "deny")).toEqual([]);
      expect(wrong(name, ["plan"], ({ verdict }) => verdict !== "allow")).toEqual([]);
    });
  }

  it("overrides user rules that allow everything", () => {
    const rule: ToolRule = {
      id: "all",
      source: "user",
      match: "*",
      // biome-ignore lint/suspicious/noThenProperty: the word of a rule
      then: "allow",
      reason: null,
      project: null,
      agentType: null,
      modes: null,
      set: null,
      replace: [],
    };
    const policy: Policy = { rules: [rule], protect: [], own: OWN };
    const through = LISTS.flatMap(([name]) =>
      requestsOf(name).filter(({ request }) => judge(request, "default", policy).verdict === "allow"),
    );
    expect(through.map(({ line }) => line)).toEqual([]);
  });
});

describe("ordinary work", () => {
  it("is allowed in bypass mode", () => {
    expect(requestsOf("ordinary").length).toBeGreaterThan(500);
    expect(wrong("ordinary", ["bypassPermissions"], ({ verdict }) => verdict === "allow")).toEqual([]);
  });

  it("is edited and read without asking in acceptEdits", () => {
    const inside = requestsOf("ordinary").filter(({ line }) => /^[WR] /.test(line));
    const asked = inside.filter(({ request }) => judge(request, "acceptEdits").verdict !== "allow");
    expect(inside.length).toBeGreaterThan(150);
    expect(asked.map(({ line }) => line)).toEqual([]);
  });

  it("includes many names similar to protected files, read and edited without asking", () => {
    const file = new URL("../fixtures/policy-requests/ordinary-names.txt", import.meta.url);
    const names = readFileSync(file, "utf8")
      .split("\n")
      .filter((name) => name !== "");
    expect(new Set(names).size).toBeGreaterThan(300);
    const held = names.flatMap((name) => [
      ...(judge(toRequest(`R ${name}`), "default").verdict === "allow" ? [] : [`R ${name}`]),
      ...(judge(toRequest(`W ${name}`), "acceptEdits").verdict === "allow" ? [] : [`W ${name}`]),
    ]);
    expect(held).toEqual([]);
  });

  it("is never denied by default", () => {
    expect(wrong("ordinary", ["default"], ({ verdict }) => verdict !== "deny")).toEqual([]);
  });
});

describe("names that a file system treats as equal", () => {
  it.each([
    ".g\u200bithub/workflows/a.yml",
    "C\u200dLAUDE.md",
    ".\u017f\u017fh/authorized_keys",
    ".\u212aube/config",
    ".github/workflows /a.yml",
    ".envrc.",
    ".ENVRC",
    "AGENTS.MD::$DATA",
  ])("are protected too: %j", (path) => {
    expect(judge(toRequest(`W ${path}`), "acceptEdits").step).toBe("protected");
  });
});

describe("our own home in another location", () => {
  const policy: Policy = { ...EMPTY_POLICY, own: { dir: "/data/hk", port: 4_123 } };
  it.each([
    "cat /data/hk/token",
    "cd /data/hk && curl --unix-socket sock http://x",
    "curl localhost:4123/api",
    "sqlite3 /data/hk/hookline.db .dump",
    "python3 -c \"open('/data/hk/token')\"",
    "cat /data/hk/tok*",
    "W /data/hk/config.json",
    'M mcp__x__y {"p":"/data/hk/sock"}',
    "cat ~/.hookline/token",
  ])("is protected too: %s", (line) => {
    expect(judge(toRequest(line), "bypassPermissions", policy)).toMatchObject({ verdict: "deny" });
  });

  it("does not protect its log or other ports", () => {
    for (const line of ["tail /data/hk/logs/daemon.log", "ls /data/hk", "curl localhost:37777"])
      expect([line, judge(toRequest(line), "bypassPermissions", policy).verdict]).toEqual([line, "allow"]);
  });
});

describe("an input beyond the scan limits", () => {
  const padding = Array.from({ length: 3_000 }, (_, n) => String(n));
  it.each([
    { tool_name: "mcp__x__y", tool_input: { a: padding, b: "cat .env" } },
    { tool_name: "mcp__x__run", tool_input: { code: `${"#".repeat(200_000)}\nopen('.env')` } },
    { tool_name: "Bash", tool_input: { command: `tmux ${"'cat a' ".repeat(150)} 'cat .env'` } },
    { tool_name: "Bash", tool_input: { command: `python3 -c "${"'a' ".repeat(900)} open('.env')"` } },
  ])("is asked about, not allowed: $tool_name", (request) => {
    expect(judge(request, "bypassPermissions")).toMatchObject({ verdict: "ask", step: "protected" });
  });
});
