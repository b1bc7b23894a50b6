import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Hookline, openHookline } from "../../test/support/hookline.ts";
import { claude } from "../agents/claude/claude.ts";
import { openTrust } from "../control/trust/trust.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");

let root: string;
let project: string;
let rulesFile: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-policy-")));
  project = join(root, "shop");
  rulesFile = join(root, ".hookline/rules.json");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(root, ".hookline"));
});
beforeEach(() => rmSync(rulesFile, { force: true }));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function hookline(args: readonly string[], stdin = "", cwd = project): Promise<Run> {
  const env = { PATH: process.env["PATH"]!, HOME: root, HOOKLINE_PORT: "0" };
  const child = spawn(BIN, args, { env, cwd });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined).end(stdin);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

const jsonLines = (run: Run): unknown[] =>
  run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

function request(tool_name: string, tool_input: object, mode = "default"): string {
  return JSON.stringify({ tool_name, tool_input, mode, cwd: project });
}

const RULES = `{
  "tools": [
    { "id": "no-push", "match": "Bash(git push*)", "then": "deny", "reason": "A person pushes." },
    { "match": "Bash(npm i *)", "then": "rewrite", "replace": [{ "field": "command", "find": "^npm i\\\\b", "with": "npm install" }] }
  ],
  "protect": ["db/**"]
}
`;

describe("hookline policy test", () => {
  it("prints a verdict, its rule and a reason for each request, by the user's rules", async () => {
    writeFileSync(rulesFile, RULES);
    const run = await hookline(
      ["policy", "test", "--json"],
      [
        request("Bash", { command: "git status" }),
        request("Bash", { command: "cd a && git push" }, "bypassPermissions"),
        request("Bash", { command: "npm i left-pad" }),
        request(
          "Edit",
          { file_path: join(project, "db/a.sql"), old_string: "a", new_string: "b" },
          "acceptEdits",
        ),
      ].join("\n"),
    );
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(jsonLines(run)).toEqual([
      { verdict: "allow", rule: expect.stringMatching(/^builtin\//), reason: expect.any(String) },
      { verdict: "deny", rule: "user/no-push", reason: "A person pushes." },
      expect.objectContaining({ verdict: "ask", updatedInput: { command: "npm install left-pad" } }),
      expect.objectContaining({ verdict: "ask" }),
    ]);
  });

  it("continues after an invalid line, and fails at the end", async () => {
    const lines = [
      "nothing",
      "[]",
      '{"tool_name":7}',
      '{"tool_name":"Read","cwd":"here"}',
      "",
      request("TodoWrite", {}),
    ];
    const run = await hookline(["policy", "test", "--json"], `${lines.join("\n")}\n`);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("4 lines could not be judged");
    const answers = jsonLines(run) as { error?: { code: string; message: string; line: number } }[];
    expect(answers.map(({ error }) => error?.line)).toEqual([1, 2, 3, 4, undefined]);
    expect(answers.slice(0, 4).map(({ error }) => error?.code)).toEqual(Array(4).fill("invalid_request"));
    expect(answers.map(({ error }) => error?.message ?? "")).toEqual([
      expect.stringContaining("not valid JSON"),
      "expected object, received array",
      "tool_name: expected string, received number",
      "cwd: expected an absolute path",
      "",
    ]);
  });

  it("prints text, and accepts a hook's payload", async () => {
    const payload = {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      permission_mode: "plan",
      cwd: project,
    };
    const run = await hookline(
      ["policy", "test"],
      JSON.stringify({ ...payload, tool_input: { command: "touch x" } }),
    );
    expect(run.stdout).toMatch(/^deny {3}Bash touch x {2}\(builtin\/plan-mode\) /);
  });

  it("tests another rules file instead of the user's, and rejects an invalid one", async () => {
    writeFileSync(rulesFile, RULES);
    const other = join(root, "other.json");
    writeFileSync(other, '{ "tools": [{ "match": "Bash", "then": "deny" }] }');
    const line = request("Bash", { command: "git push" });
    expect(jsonLines(await hookline(["policy", "test", "--json", "--rules", other], line))).toMatchObject([
      { verdict: "deny", rule: "user/tools/1" },
    ]);
    writeFileSync(other, '{ "tools": [\n{ "match": "Bash" }] }');
    const invalid = await hookline(["policy", "test", "--json", "--rules", other], line);
    expect(invalid).toMatchObject({ code: 1, stdout: "" });
    expect(invalid.stderr).toContain(`${other}:2:1: tools[0].then`);
    expect(await hookline(["policy", "test", "--rules", join(root, "none.json")], line)).toMatchObject({
      code: 1,
      stdout: "",
    });
  });

  it("ignores a project's rules until they are trusted", async () => {
    const folder = join(project, ".hookline");
    mkdirSync(folder);
    writeFileSync(join(folder, "rules.json"), '{ "tools": [{ "match": "Bash(make *)", "then": "allow" }] }');
    const line = request("Bash", { command: "make all" });
    expect(jsonLines(await hookline(["policy", "test", "--json"], line))).toMatchObject([{ verdict: "ask" }]);
    const shown = await hookline(["policy", "show"]);
    expect(shown.stdout).toContain("1 rule for tools, inactive");
    const trust = openTrust({
      file: join(root, ".hookline/trust.json"),
      nowMs: Date.now,
      driving: claude.driving,
    });
    await trust.approve(project, (await trust.report(project)).hash!);
    expect(jsonLines(await hookline(["policy", "test", "--json"], line))).toMatchObject([
      { verdict: "allow", rule: "project/tools/1" },
    ]);
    rmSync(folder, { recursive: true });
  });
});

describe("hookline policy check and show", () => {
  it("reports the line of every error", async () => {
    writeFileSync(
      rulesFile,
      '{\n  "tools": [{ "match": "Bash(", "then": "deny" }],\n  "prompts": [{ "find": "x" }]\n}',
    );
    const run = await hookline(["policy", "check"]);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stdout.trim().split("\n")).toEqual([
      expect.stringContaining(`${rulesFile}:2:15: tools[0].match: `),
      expect.stringContaining(`${rulesFile}:3:15: prompts[0].then: `),
    ]);
    expect(JSON.parse((await hookline(["policy", "check", "--json"])).stdout)).toMatchObject([
      {
        file: rulesFile,
        source: "user",
        ok: false,
        problems: [
          { line: 2, column: 15 },
          { line: 3, column: 15 },
        ],
      },
    ]);
  });

  it("summarizes a valid file", async () => {
    writeFileSync(rulesFile, RULES);
    expect(await hookline(["policy", "check", rulesFile])).toEqual({
      code: 0,
      stdout: `${rulesFile}: 2 rules for tools, 1 protected glob\n`,
      stderr: "",
    });
    const { stdout } = await hookline(["policy", "show"]);
    expect(stdout).toContain("user/no-push");
    expect(stdout).toContain("A person pushes.");
    expect(await hookline(["policy", "check", join(root, "none.json")])).toMatchObject({ code: 1 });
    expect(await hookline(["policy", "blame"])).toMatchObject({ code: 2 });
  });
});

describe("hookline recipes", () => {
  it("lists, adds and removes recipes, and says when the hooks must be installed again", async () => {
    writeFileSync(rulesFile, RULES);
    expect(JSON.parse((await hookline(["recipes", "list", "--json"])).stdout)).toHaveLength(14);
    const added = await hookline([
      "recipes",
      "add",
      "test-at-stop",
      "--set",
      "command=make check",
      "--set",
      "most=3",
    ]);
    expect(added.stdout).toContain("`hookline install`");
    expect(JSON.parse(readFileSync(rulesFile, "utf8"))).toMatchObject({
      reactions: [{ recipe: "test-at-stop", do: { command: "make check", most: 3 } }],
    });
    expect((await hookline(["recipes"])).stdout).toMatch(/on {2}test-at-stop/);
    // Reported again, because the hook is still not installed.
    const again = await hookline(["recipes", "add", "test-at-stop"]);
    expect(again.stdout).toContain("`hookline install`");
    expect(await hookline(["install"])).toMatchObject({ code: 0 });
    const installed = await hookline(["recipes", "add", "test-at-stop"]);
    expect(installed.stdout).not.toContain("`hookline install`");
    const silent = await hookline(["recipes", "add", "notify-needs-me"]);
    expect(silent.stdout).not.toContain("`hookline install`");
    for (const name of ["notify-needs-me", "test-at-stop"])
      expect(await hookline(["recipes", "remove", name])).toMatchObject({ code: 0 });
    expect(readFileSync(rulesFile, "utf8")).toBe(RULES.replace("\n}\n", ',\n  "reactions": []\n}\n'));
  });

  it("writes nothing with --dry-run, for an invalid file or for an invalid option", async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const before = readFileSync(rulesFile, "utf8");
      const run = await hookline(["recipes", ...args]);
      expect(run.code).not.toBe(0);
      expect(readFileSync(rulesFile, "utf8")).toBe(before);
      return run.stderr;
    };
    writeFileSync(rulesFile, RULES);
    expect((await hookline(["recipes", "add", "git-context", "--dry-run"])).stdout).toContain("Would add");
    expect(readFileSync(rulesFile, "utf8")).toBe(RULES);
    expect(
      await refused("add", "keyword-skill-hint", "--set", "keyword=(a+)+", "--set", "skill=x"),
    ).toContain("take for ever");
    expect(await refused("add", "git-context", "--set", "on=Stop")).toContain("not at Stop");
    expect(await refused("add", "git-context", "--project", "shop")).toContain("begins with /");
    expect(await refused("remove", "git-context")).toContain("is not in");
    writeFileSync(rulesFile, "{ broken");
    expect(await refused("add", "git-context")).toContain(`${rulesFile}:1:3`);
  });

  it("writes through a symbolic link", async () => {
    const real = join(root, "dotfiles.json");
    writeFileSync(real, "{}\n");
    symlinkSync(real, rulesFile);
    await hookline(["recipes", "add", "protect-paths", "--set", "paths=db/**", "--project", "/srv/*"]);
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({
      protect: [{ path: "db/**", recipe: "protect-paths", project: "/srv/*" }],
    });
  });
});

describe("hookline policy test --replay", () => {
  let scratch: Hookline;
  beforeAll(async () => {
    scratch = openHookline();
    await scratch.start();
    const calls = [
      ["Bash", { command: "git push origin main" }],
      ["Bash", { command: "git push --tags" }],
      ["Bash", { command: "git status" }],
      ["Write", { file_path: "/srv/shop/db/a.sql", content: "x" }],
      ["AskUserQuestion", { questions: [] }],
    ] as const;
    for (const [index, [tool_name, tool_input]] of calls.entries())
      await scratch.fire({
        hook_event_name: "PreToolUse",
        session_id: "5b1d0c66-0000-4000-8000-000000000001",
        cwd: "/srv/shop",
        permission_mode: "bypassPermissions",
        tool_use_id: `toolu_${index}`,
        tool_name,
        tool_input,
      });
    await scratch.settle();
  });
  afterAll(() => scratch.close());

  it("shows what other rules would have decided for recorded calls", async () => {
    const file = join(scratch.root, "other.json");
    writeFileSync(file, RULES);
    const run = await scratch.run("policy", "test", "--replay", "--rules", file);
    expect(run).toMatchObject({ code: 0 });
    const lines = run.stdout.trim().split("\n");
    expect(lines.at(-1)).toBe(
      "Of 4 calls: would have asked 1 time, denied 2; 3 differ from the active rules.",
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      /^deny {3}.*5b1d0c66 {2}Bash git push origin main {2}now: allow {2}\(user\/no-push\)/,
    );
    const json = JSON.parse(
      (await scratch.run("policy", "test", "--replay", "--json", "--guard", "--rules", file)).stdout,
    );
    expect(json).toMatchObject({ calls: 4, allowed: 1, asked: 1, denied: 2, rewritten: 0, changed: 3 });
  });

  it("covers only calls since --since", async () => {
    const run = await scratch.run("policy", "test", "--replay", "--since", "2099-01-01");
    expect(run.stdout).toBe("Of 0 calls: would have asked 0 times, denied 0.\n");
    expect(await scratch.run("policy", "test", "--replay", "--since", "lately")).toMatchObject({ code: 2 });
  });
});
