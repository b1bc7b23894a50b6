import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandDef, runCommand } from "citty";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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
  expect(await run(installCommand, "--dry-run")).toBe(
    `Would write ${settings} (user scope, a new file): 34 hooks added, for 30 events.\nEvents would be recorded into ${home}/.hookline/spool.\n`,
  );
  expect(existsSync(settings)).toBe(false);
  const first = await run(installCommand);
  expect(first).toContain(`Wrote ${settings} (user scope, a new file): 34 hooks added, for 30 events.`);
  expect(first).toContain(`${home}/.hookline/spool`);
  expect(first).toContain("To verify:");
  expect(readFileSync(join(home, ".hookline", "launch"), "utf8")).toContain(process.execPath);
  expect(await run(installCommand)).toBe(
    `Nothing to change: ${settings} (user scope) has Hookline's hooks.\n`,
  );
  expect(await run(uninstallCommand)).toBe(
    `Removed ${settings} (user scope), which held nothing but 34 hooks of Hookline.\nWhat was recorded stays in ${home}/.hookline.\n`,
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
    "home",
    "spool",
    "launcher",
    "mcp",
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
