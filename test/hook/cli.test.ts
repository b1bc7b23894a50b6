import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandDef, runCommand } from "citty";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installCommand } from "../../src/cli/install.ts";
import { uninstallCommand } from "../../src/cli/uninstall.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookline-cli-")));
  vi.stubEnv("HOME", home);
  vi.stubEnv("HOOKLINE_HOME", undefined);
  vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

async function run(command: unknown, ...rawArgs: string[]): Promise<string> {
  let printed = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
  try {
    await runCommand(command as CommandDef, { rawArgs });
  } finally {
    write.mockRestore();
  }
  return printed;
}

it("says what was written where and how to verify it, and the second time that nothing changed", async () => {
  const settings = join(home, ".claude", "settings.json");
  const dry = (await run(installCommand, "--dry-run")).split("\n");
  expect(dry).toEqual([
    `Would write ${settings} (user scope, a new file): 34 hooks added, for 30 events.`,
    "  - SessionStart: record, inject memory at startup, at resume, after a compaction",
    "  - UserPromptSubmit: record, inject memory for the prompt",
    expect.stringMatching(/^ {2}- record only: Setup, .*PreToolUse, .*Stop, .*SessionEnd$/),
    `Events would be recorded to ${home}/.hookline/spool.`,
    "",
  ]);
  const named = dry.slice(1, 4).flatMap((line) => line.match(/\b[A-Z][A-Za-z]+\b/g) ?? []);
  expect(new Set(named).size).toBe(30);
  expect(existsSync(settings)).toBe(false);
  expect(existsSync(join(home, ".hookline", "welcome.json"))).toBe(false);
  const first = await run(installCommand);
  expect(first).toContain(`Wrote ${settings} (user scope, a new file): 34 hooks added, for 30 events.`);
  expect(first).toContain(`${home}/.hookline/spool`);
  expect(first).toContain("To verify:");
  expect(readFileSync(join(home, ".hookline", "launch"), "utf8")).toContain(process.execPath);
  expect(await run(installCommand)).toBe(
    `Nothing to change: the hooks are already installed in ${settings} (user scope).\n`,
  );
  expect(await run(uninstallCommand)).toBe(
    `Removed ${settings} (user scope); it contained only 34 Hookline hooks.\nRecorded data stays in ${home}/.hookline.\n`,
  );
  expect(await run(uninstallCommand)).toMatch(/^Nothing to change: /);
});

it("prints the same as JSON", async () => {
  expect(Object.keys(JSON.parse(await run(installCommand, "--json")))).toEqual([
    "scope",
    "dryRun",
    "settings",
    "createdFile",
    "changed",
    "handlers",
    "events",
    "hooks",
    "home",
    "spool",
    "launcher",
    "mcp",
    "guard",
    "approve",
  ]);
  expect(Object.keys(JSON.parse(await run(uninstallCommand, "--json")))).toEqual([
    "scope",
    "dryRun",
    "settings",
    "changed",
    "removedHandlers",
    "removedFile",
    "remaining",
    "recording",
    "home",
  ]);
});

it("refuses an unknown scope as misuse, and bad settings as a failure", async () => {
  await expect(run(installCommand, "--scope", "team")).rejects.toMatchObject({ code: "usage" });
  await run(installCommand);
  writeFileSync(join(home, ".claude", "settings.json"), "{,");
  await expect(run(installCommand)).rejects.toMatchObject({ code: "settings_invalid" });
});

it("switches the guard and remote answers on and off, and remembers it", async () => {
  const settings = join(home, ".claude", "settings.json");
  const kinds = () =>
    [...readFileSync(settings, "utf8").matchAll(/: hookline (ask-\S+) /g)].map(([, kind]) => kind!).sort();
  const config = () => JSON.parse(readFileSync(join(home, ".hookline", "config.json"), "utf8"));
  await expect(run(installCommand, "--fail-closed")).rejects.toMatchObject({ code: "usage" });
  expect(await run(installCommand, "--guard", "--dry-run")).toContain("Would write");
  expect(existsSync(join(home, ".hookline"))).toBe(false);

  expect(await run(installCommand, "--guard")).toMatch(
    /The guard is on: .*run unchecked, with one notice per session\./,
  );
  expect(config()).toEqual({ guard: { on: true, failClosed: false } });
  const guardOnly = await run(installCommand, "--guard", "--no-approve", "--dry-run", "--scope", "project");
  expect(guardOnly).toContain("- PermissionRequest: record, check with the policy\n");
  const both = await run(installCommand, "--approve", "--dry-run", "--scope", "project");
  expect(both).toContain("- PermissionRequest: record, let the request be answered from Hookline\n");
  expect(kinds()).toEqual(["ask-guard", "ask-permission", "ask-prompt"]);
  expect(readFileSync(settings, "utf8")).toContain("--max-time 2 ");
  const before = readFileSync(settings, "utf8");
  await run(installCommand);
  expect(readFileSync(settings, "utf8")).toBe(before);

  const { guard, approve } = JSON.parse(await run(installCommand, "--fail-closed", "--approve", "--json"));
  expect({ guard, approve }).toEqual({ guard: { failClosed: true }, approve: { holdSeconds: 120 } });
  expect(config()).toEqual({ guard: { on: true, failClosed: true }, approve: { on: true } });
  expect(readFileSync(settings, "utf8")).toContain("--max-time 123 ");

  await run(installCommand, "--no-guard");
  expect(config()).toMatchObject({ guard: { on: false }, approve: { on: true } });
  expect(kinds()).toEqual(["ask-permission", "ask-prompt"]);
  expect(await run(installCommand, "--no-approve")).toContain("The guard is off.");
  expect(kinds()).toEqual(["ask-prompt"]);
  await run(uninstallCommand);
  expect(existsSync(settings)).toBe(false);
});

describe("the MCP server that an install of a project added", () => {
  const file = () => join(home, ".claude.json");
  const servers = () => Object.keys(JSON.parse(readFileSync(file(), "utf8")).mcpServers ?? {});
  const inProject = async (command: unknown, name: string, ...rawArgs: string[]): Promise<string> => {
    const project = join(home, name);
    mkdirSync(project, { recursive: true });
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(project);
    try {
      return await run(command, "--scope", "project", ...rawArgs);
    } finally {
      cwd.mockRestore();
    }
  };

  it.each([undefined, "", "{}\n", '{\n  "numStartups": 3\n}\n', '{"mcpServers":{"other":{}}}'])(
    "is removed with it, leaving the file as it was: %j",
    async (text) => {
      if (text !== undefined) writeFileSync(file(), text);
      await inProject(installCommand, "shop", "--mcp");
      expect(servers()).toContain("hookline");
      const dry = await inProject(uninstallCommand, "shop", "--dry-run");
      expect(dry).toContain(`Would remove Hookline's MCP server from ${file()}.\n`);
      expect(servers()).toContain("hookline");
      const output = await inProject(uninstallCommand, "shop");
      expect(output).toContain(`Removed Hookline's MCP server from ${file()}.\n`);
      expect(existsSync(file()) ? readFileSync(file(), "utf8") : undefined).toBe(text);
      expect(existsSync(join(home, ".hookline", "install.json"))).toBe(false);
      expect(await inProject(uninstallCommand, "shop")).not.toContain("MCP");
    },
  );

  it("is removed with it, while other programs' entries stay", async () => {
    await inProject(installCommand, "shop", "--mcp");
    const { mcpServers } = JSON.parse(readFileSync(file(), "utf8"));
    writeFileSync(file(), JSON.stringify({ mcpServers: { ...mcpServers, other: {} }, numStartups: 1 }));
    await inProject(uninstallCommand, "shop");
    expect(readFileSync(file(), "utf8")).toBe('{"mcpServers":{"other":{}},"numStartups":1}');
  });

  it("is removed although the user's own install, which did not request it, stays", async () => {
    await run(installCommand);
    await inProject(installCommand, "shop", "--mcp");
    await inProject(uninstallCommand, "shop");
    expect(existsSync(file())).toBe(false);
  });

  it("stays while another install uses it", async () => {
    await inProject(installCommand, "shop", "--mcp");
    await inProject(installCommand, "docs", "--mcp");
    await run(installCommand, "--mcp");
    for (const project of ["shop", "docs"]) {
      expect(await inProject(uninstallCommand, project)).not.toContain("MCP");
      expect(servers()).toEqual(["hookline"]);
    }
    expect(await run(uninstallCommand)).toContain("Removed Hookline's MCP server");
    expect(existsSync(file())).toBe(false);
  });

  it("stays where it was before, with the user's own install", async () => {
    await run(installCommand, "--mcp");
    const record = join(home, ".hookline", "install.json");
    // As an earlier version left it, without recording which install uses the server.
    const { mcpWantedBy: _, ...old } = JSON.parse(readFileSync(record, "utf8"));
    writeFileSync(record, JSON.stringify(old));
    await inProject(installCommand, "shop", "--mcp");
    await inProject(uninstallCommand, "shop");
    expect(servers()).toEqual(["hookline"]);
  });
});

it("adds waiting hooks where rules may answer, and writes nothing while the rules are invalid", async () => {
  const settings = join(home, ".claude", "settings.json");
  mkdirSync(join(home, ".hookline"));
  const rules = join(home, ".hookline", "rules.json");
  writeFileSync(rules, `{\n  "prompts": [{ "find": "x" }]\n}`);
  await expect(run(installCommand)).rejects.toMatchObject({ code: "rules_invalid" });
  expect(existsSync(settings)).toBe(false);
  writeFileSync(rules, `{ "prompts": [{ "find": "secret", "then": "block" }] }`);
  await run(installCommand);
  const { UserPromptSubmit } = JSON.parse(readFileSync(settings, "utf8")).hooks;
  expect(JSON.stringify(UserPromptSubmit)).toContain("http://hookline/api/ask/react");
});
