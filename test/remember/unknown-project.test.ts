import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
let project: string;

beforeEach(async () => {
  hookline = openHookline();
  project = join(hookline.root, "acme-shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(hookline.root, "fresh"));
  await hookline.start();
  for (const hook_event_name of ["SessionStart", "UserPromptSubmit", "Stop"])
    await hookline.fire({ hook_event_name, session_id: "s1", cwd: project, prompt: "count the okapis" });
  await hookline.settle();
});
afterEach(() => hookline.close());

const COMMANDS = [
  ["search", "okapis"],
  ["sessions", "--all"],
  ["export"],
  ["context"],
  ["context", "--explain"],
  ["forget", "--dry-run"],
];

it("rejects an unknown project name with the closest match, and accepts a short name", async () => {
  for (const command of COMMANDS) {
    for (const json of [[], ["--json"]]) {
      const wrong = await hookline.run(...command, "--project", "acme-shp", ...json);
      expect([command, wrong]).toEqual([
        command,
        { code: 1, stdout: "", stderr: "hookline: project acme-shp not found; did you mean acme-shop?\n" },
      ]);
    }
    for (const name of ["acme-shop", "acme-shop/", project, join(hookline.root, "fresh")]) {
      const right = await hookline.run(...command, "--project", name);
      expect([command, name, right.code, right.stderr]).toEqual([command, name, 0, expect.any(String)]);
    }
  }
  expect((await hookline.run("search", "okapis", "--project", "acme-shop")).stdout).toContain("okapis");
  expect((await hookline.run("export", "--project", "acme-shop/")).stdout).toContain("okapis");
});
