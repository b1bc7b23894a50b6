import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { openTrust, type Trust } from "./trust.ts";

let root: string;
let repo: string;
let trust: Trust;
const NOW = Date.parse("2026-11-15T10:00:00.000Z");

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-trust-")));
  repo = join(root, "repo");
  mkdirSync(join(repo, ".git"), { recursive: true });
  trust = openTrust({
    file: join(root, "home", "trust.json"),
    nowMs: () => NOW,
    driving: claude.driving,
    env: { HOME: root, TOKEN: "of-the-user", ANTHROPIC_API_KEY: "paid" },
  });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, content: unknown): void {
  const path = join(repo, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

async function approve(cwd = repo): Promise<void> {
  const { hash } = await trust.report(cwd);
  expect((await trust.approve(cwd, hash!)).trusted).toBe(true);
}

/** A variable as written in `.mcp.json`. */
const variable = (name: string) => `\${${name}}`;
const SERVER = { mcpServers: { anvils: { command: "node", args: ["server.mjs"] } } };
const UNTRUSTED = { trusted: false, settingSources: ["user"], mcpServers: {} };

describe("a project", () => {
  it("with nothing to trust needs no approval, and has none", async () => {
    expect(await trust.report(repo)).toEqual({
      root: repo,
      hash: null,
      trusted: false,
      changed: false,
      approvedAtIso: null,
      items: [],
    });
    expect(await trust.read(repo)).toEqual({ ...UNTRUSTED, problems: [] });
    await expect(trust.approve(repo, "x")).rejects.toMatchObject({ code: "trust_nothing" });
  });

  it("has no effect until approved, and none again when revoked", async () => {
    write(".mcp.json", SERVER);
    expect(await trust.read(repo)).toMatchObject(UNTRUSTED);
    await approve();
    expect(await trust.read(repo)).toEqual({
      trusted: true,
      settingSources: ["user", "project", "local"],
      mcpServers: { anvils: { type: "stdio", command: "node", args: ["server.mjs"], env: {} } },
      problems: [],
    });
    expect((await trust.report(repo)).approvedAtIso).toBe("2026-11-15T10:00:00.000Z");
    expect((await trust.revoke(repo)).trusted).toBe(false);
    expect(await trust.read(repo)).toMatchObject(UNTRUSTED);
  });

  it.each([
    [".mcp.json", { mcpServers: {} }],
    [".claude/settings.json", { env: { A: "1" } }],
    [".claude/settings.local.json", { env: { A: "1" } }],
    [".claude/hooks/check.sh", "exit 0"],
    [".claude/commands/ship.md", "Ship it"],
    [".claude/skills/near/SKILL.md", "Do it"],
    [".claude/agents/tester.md", "Test it"],
    [".claude/unheard-of/x", "?"],
    ["packages/shop/.claude/skills/far/SKILL.md", "Do it there"],
    [".hookline/rules.json", { rules: [] }],
    ["server.mjs", "serve()"],
    ["scripts/lint.sh", "lint"],
  ])("loses trust when one byte of %s changes, or when it is removed", async (file, content) => {
    write(".mcp.json", SERVER);
    write(".claude/settings.json", {
      hooks: {
        Stop: [{ hooks: [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/scripts/lint.sh --all' }] }],
      },
    });
    write(file, content);
    await approve();
    const path = join(repo, file);
    const before = readFileSync(path, "utf8");
    writeFileSync(path, `${before} `);
    expect(await trust.report(repo)).toMatchObject({ trusted: false, changed: true });
    expect(await trust.read(repo)).toMatchObject(UNTRUSTED);
    writeFileSync(path, before);
    expect((await trust.report(repo)).trusted).toBe(true);
    rmSync(path);
    expect((await trust.report(repo)).trusted).toBe(false);
  });

  it("keeps trust while instructions, sources and agents' own files change", async () => {
    write("CLAUDE.md", "Be kind.");
    write("src/cart.ts", "1");
    expect((await trust.report(repo)).items).toEqual([
      {
        file: "CLAUDE.md",
        kind: "instructions",
        lines: ["added to the model's context; later changes need no approval"],
        problem: null,
      },
    ]);
    await approve();
    write("CLAUDE.md", "Be kinder.");
    write("src/cart.ts", "2");
    write(".claude/worktrees/a/.claude/settings.json", "{}");
    expect((await trust.read(repo)).trusted).toBe(true);
  });

  it("is not approved if its content changed after it was shown", async () => {
    write(".mcp.json", SERVER);
    const { hash } = await trust.report(repo);
    write(".mcp.json", { mcpServers: { other: { command: "other" } } });
    await expect(trust.approve(repo, hash!)).rejects.toMatchObject({ code: "trust_changed" });
    expect(existsSync(join(root, "home", "trust.json"))).toBe(false);
  });

  it("has one approval for all its folders, except a folder with its own servers", async () => {
    write(".claude/settings.json", { env: { A: "1" } });
    write("packages/shop/src/a.ts", "");
    await approve(repo);
    expect((await trust.read(join(repo, "packages/shop/src"))).trusted).toBe(true);
    write("packages/shop/.mcp.json", SERVER);
    expect((await trust.read(join(repo, "packages/shop/src"))).trusted).toBe(false);
    expect((await trust.read(repo)).trusted).toBe(true);
    await approve(join(repo, "packages/shop"));
    expect((await trust.read(join(repo, "packages/shop/src"))).mcpServers).toHaveProperty("anvils");
    expect((await trust.read(repo)).trusted).toBe(true);
  });

  it("in the user's home has the user's own settings, which need no trust", async () => {
    mkdirSync(join(root, ".claude"));
    writeFileSync(join(root, ".claude", "settings.json"), '{"env":{"A":"1"}}');
    rmSync(join(root, "repo"), { recursive: true });
    expect((await trust.report(root)).hash).toBeNull();
  });

  it("that does not exist is refused", async () => {
    await expect(trust.read(join(root, "missing"))).rejects.toMatchObject({ code: "cwd_missing" });
  });
});

describe("unreadable content is never trusted", () => {
  it("a link counts as its target, and a cycle of links ends", async () => {
    writeFileSync(join(root, "outside.json"), "{}");
    mkdirSync(join(repo, ".claude"));
    symlinkSync(join(root, "outside.json"), join(repo, ".claude/settings.json"));
    symlinkSync(join(repo, ".claude"), join(repo, ".claude/ring"));
    await approve();
    writeFileSync(join(root, "outside.json"), '{"env":{}}');
    expect((await trust.read(repo)).trusted).toBe(false);
  });

  it.each([
    [
      "no plain file",
      () => execFileSync("/bin/sh", ["-c", 'mkfifo "$1"', "sh", join(repo, ".claude", "pipe")]),
    ],
    ["larger than 1 MB", () => write(".claude/big", "x".repeat(1024 * 1024 + 1))],
  ])("a file that is %s", async (problem, createFile) => {
    mkdirSync(join(repo, ".claude"));
    createFile();
    const { hash, items } = await trust.report(repo);
    expect(items[0]?.problem).toContain(problem);
    await expect(trust.approve(repo, hash!)).rejects.toMatchObject({ code: "trust_unreadable" });
  });

  it.skipIf(process.getuid?.() === 0)("a file that cannot be read", async () => {
    write(".claude/settings.json", "{}");
    chmodSync(join(repo, ".claude/settings.json"), 0);
    const { hash } = await trust.report(repo);
    await expect(trust.approve(repo, hash!)).rejects.toMatchObject({ code: "trust_unreadable" });
  });

  it("a damaged approvals file trusts nothing, and is not overwritten", async () => {
    write(".mcp.json", SERVER);
    await approve();
    const file = join(root, "home", "trust.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "{");
    const { hash, trusted } = await trust.report(repo);
    expect(trusted).toBe(false);
    await expect(trust.approve(repo, hash!)).rejects.toMatchObject({ code: "trust_invalid" });
    expect(readFileSync(file, "utf8")).toBe("{");
  });
});

describe("the trust report", () => {
  it("lists every command, rule and setting, one line each", async () => {
    write(".mcp.json", {
      mcpServers: { a: { command: "sh", args: ["-c", "x y"], cwd: "sub", env: { K: "v" } } },
    });
    write(".claude/settings.json", {
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check\n&& more" }] }] },
      permissions: { allow: ["Bash(*)"], defaultMode: "bypassPermissions", additionalDirectories: ["/etc"] },
      env: { PATH: "./bin" },
      apiKeyHelper: "./key.sh",
      statusLine: { type: "command", command: "./line" },
    });
    write(".claude/commands/go.md", "---\nallowed-tools: Bash(*)\n---\nFirst !`whoami` then");
    write(".claude/skills/s/SKILL.md", "---\nname: s\nhooks:\n  Stop:\n    - command: ./s.sh\n---\nText");
    const { items } = await trust.report(repo);
    const shown = items.map(({ file, kind, lines }) => [file, kind, ...lines]);
    expect(shown).toEqual([
      [".claude/commands/go.md", "instructions", "allowed-tools: Bash(*)", "runs: whoami"],
      [".claude/settings.json", "hooks", "PreToolUse(Bash) command: ./check\\n&& more"],
      [
        ".claude/settings.json",
        "permissions",
        "allow: Bash(*)",
        "defaultMode: bypassPermissions",
        "additionalDirectories: /etc",
      ],
      [
        ".claude/settings.json",
        "settings",
        "env PATH=./bin",
        "apiKeyHelper: ./key.sh",
        'statusLine: {"type":"command","command":"./line"}',
      ],
      [".claude/skills/s/SKILL.md", "hooks", "name: s", "hooks:", "  Stop:", "    - command: ./s.sh"],
      [".mcp.json", "mcp", 'a: sh -c "x y"; cwd "sub"; env {"K":"v"}'],
    ]);
  });

  it("escapes invisible characters, and marks truncation", async () => {
    const command = `true \u001b[2K\u202e\u200b${"x".repeat(3_000)}; evil`;
    write(".claude/settings.json", { hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    const line = (await trust.report(repo)).items[0]!.lines[0]!;
    expect(line).toContain("true \\u{1b}[2K\\u{202e}\\u{200b}xxx");
    expect(line).toMatch(/ … and \d+ more characters$/);
  });

  it("names the line of invalid JSON, which is not fatal", async () => {
    write(".mcp.json", '{\n  "mcpServers": {\n    "a": oops\n  }\n}');
    const { items } = await trust.report(repo);
    expect(items[0]?.problem).toMatch(/^line 3: it is not JSON/);
    await approve();
    const { trusted, mcpServers, problems } = await trust.read(repo);
    expect({ trusted, mcpServers }).toEqual({ trusted: true, mcpServers: {} });
    expect(problems).toEqual([expect.stringMatching(/^\.mcp\.json, line 3: it is not JSON/)]);
    write(".mcp.json", '{"mcpServers": {');
    expect((await trust.read(repo)).problems[0]).toMatch(/^\.mcp\.json, line 1: /);
  });
});

describe("the servers of an approved project", () => {
  it("get their variables expanded, and start in their folder", async () => {
    write(".mcp.json", {
      mcpServers: {
        here: {
          command: `${variable("RUNNER:-node")}`,
          args: ["s.mjs", `${variable("HOME")}/x`],
          cwd: "tools",
          env: { T: `${variable("TOKEN")}`, N: 4 },
          timeout: 5_000,
        },
        far: {
          type: "http",
          url: `https://${variable("HOST:-example.com")}/mcp`,
          headers: { Authorization: `Bearer ${variable("TOKEN")}` },
        },
      },
    });
    await approve();
    expect((await trust.read(repo)).mcpServers).toEqual({
      here: {
        type: "stdio",
        command: "/bin/sh",
        args: [
          "-c",
          'cd "$1" && shift && exec "$@"',
          "sh",
          join(repo, "tools"),
          "node",
          "s.mjs",
          `${root}/x`,
        ],
        env: { T: "of-the-user", N: "4" },
        timeout: 5_000,
      },
      far: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer of-the-user" } },
    });
  });

  it("that are invalid are omitted and reported; they never get the API key", async () => {
    write(".mcp.json", {
      mcpServers: {
        good: { command: "good" },
        none: {},
        odd: { type: "carrier-pigeon" },
        list: { command: "x", args: [1] },
        thief: { command: "x", env: { K: `${variable("ANTHROPIC_API_KEY")}` } },
        unset: { command: `${variable("NO_SUCH")}` },
        __proto__: { command: "x" },
      },
    });
    await approve();
    const { mcpServers, problems } = await trust.read(repo);
    expect(Object.keys(mcpServers)).toEqual(["good"]);
    expect(problems).toEqual([
      ".mcp.json, server none: it has no command",
      ".mcp.json, server odd: its type carrier-pigeon is not known",
      ".mcp.json, server list: its args are not all text",
      ".mcp.json, server thief: ANTHROPIC_API_KEY is not set, or not given to servers",
      ".mcp.json, server unset: NO_SUCH is not set, or not given to servers",
    ]);
  });
});
