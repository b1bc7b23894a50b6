import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { openTrust } from "./trust.ts";
import { unapprovedFiles } from "./unapproved-files.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookline-unused-")));
  mkdirSync(join(home, "shop", ".claude"), { recursive: true });
  mkdirSync(join(home, "shop", ".git"));
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, "shop", ".mcp.json"), "{}");
  writeFileSync(join(home, "shop", "CLAUDE.md"), "Be kind.");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("lists the unapproved files of a project until exactly those are approved", async () => {
  const trust = openTrust({
    file: join(home, "trust.json"),
    nowMs: Date.now,
    driving: claude.driving,
    env: { HOME: home },
  });
  const shop = join(home, "shop");
  // `.claude` is empty, so there is nothing in it to approve.
  expect(await unapprovedFiles(trust, shop)).toEqual([".mcp.json", "CLAUDE.md"]);
  mkdirSync(join(shop, ".claude", "commands"));
  writeFileSync(join(shop, ".claude", "commands", "ship.md"), "Ship it.");
  writeFileSync(join(shop, ".claude", "settings.json"), "{}");
  expect(await unapprovedFiles(trust, shop)).toEqual([".claude", ".mcp.json", "CLAUDE.md"]);
  await trust.approve(shop, (await trust.report(shop)).hash!);
  expect(await unapprovedFiles(trust, shop)).toEqual([]);
  writeFileSync(join(shop, ".mcp.json"), '{"mcpServers":{}}');
  expect(await unapprovedFiles(trust, shop)).toContain(".mcp.json");
  rmSync(shop, { recursive: true });
  // The user's own settings belong to no project.
  expect(await unapprovedFiles(trust, home)).toEqual([]);
});

it("lists files exactly where there is something to approve", async () => {
  const trust = openTrust({
    file: join(home, "trust.json"),
    nowMs: Date.now,
    driving: claude.driving,
    env: { HOME: home },
  });
  const createProject = (...path: string[]): string => {
    const dir = join(home, ...path);
    mkdirSync(join(dir, ".git"), { recursive: true });
    return dir;
  };
  const cases: [string, string, string[]][] = [
    ["empty", ".claude/", []],
    ["empty-inside", ".claude/skills/", []],
    ["left-out", ".claude/worktrees/a.md", []],
    ["skill", ".claude/skills/a/SKILL.md", [".claude"]],
    ["nested", "api/.claude/settings.json", ["api/.claude"]],
    ["rules", ".hookline/rules.json", [".hookline/rules.json"]],
    ["server", ".mcp.json", [".mcp.json"]],
    ["words", "CLAUDE.local.md", ["CLAUDE.local.md"]],
  ];
  for (const [name, file, expected] of cases) {
    const dir = createProject(name);
    mkdirSync(file.endsWith("/") ? join(dir, file) : dirname(join(dir, file)), { recursive: true });
    if (!file.endsWith("/")) writeFileSync(join(dir, file), "{}");
    expect([name, await unapprovedFiles(trust, dir)]).toEqual([name, expected]);
    expect([name, (await trust.report(dir)).hash === null]).toEqual([name, expected.length === 0]);
  }
});
