import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { openTrust } from "./trust.ts";
import { unusedParts } from "./unused-parts.ts";

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

it("names what of a project has no effect, until exactly that is approved", async () => {
  const trust = openTrust({
    file: join(home, "trust.json"),
    nowMs: Date.now,
    driving: claude.driving,
    env: { HOME: home },
  });
  const shop = join(home, "shop");
  expect(await unusedParts(trust, shop, home)).toEqual([".mcp.json", ".claude", "CLAUDE.md"]);
  await trust.approve(shop, (await trust.report(shop)).hash!);
  expect(await unusedParts(trust, shop, home)).toEqual([]);
  writeFileSync(join(shop, ".mcp.json"), '{"mcpServers":{}}');
  expect(await unusedParts(trust, shop, home)).toContain(".mcp.json");
  // The user's own settings are no project's.
  expect(await unusedParts(trust, home, home)).toEqual([]);
});
