import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrustApprovals, TrustReport } from "../../src/control/control-contract.ts";
import type { HooksAnswer, HooksResult } from "../../src/serve/hooks-contract.ts";
import type { PolicyReport, RecipeResult, RulesPreview } from "../../src/serve/policy-contract.ts";
import { mountTmpfs } from "../hook/run-command.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

// What a page changes on disk, through the routes of a real daemon.

let hookline: Hookline;
let settings: string;
let base: string;
let token: string;
beforeAll(async () => {
  hookline = openHookline();
  settings = join(hookline.root, ".claude", "settings.json");
  await hookline.start();
  base = `http://127.0.0.1:${(await hookline.status()).port}`;
  token = readFileSync(hookline.home.tokenFile, "utf8").trim();
});
afterAll(() => hookline.close());

const rules = (): string => readFileSync(hookline.home.rules, "utf8");
const preview = (text: string, change: unknown): Promise<RulesPreview> =>
  hookline.ask("POST", "/api/rules/preview", { text, change });

const ruleOf = (match: string, then: string, reason: string | null = null) => ({
  match,
  then,
  reason,
  project: null,
});

describe("rules", () => {
  it("are drafted one change at a time, and written only when saved", async () => {
    const rule = ruleOf("Bash(git push*)", "ask", "Look first.");
    const first = await preview("", { type: "add", rule });
    expect(first).toMatchObject({ problems: [], tools: [rule], rules: [{ does: "ask", kind: "tool" }] });
    const second = await preview(first.text, { type: "add", rule: { ...rule, match: "Read", reason: null } });
    const moved = await preview(second.text, { type: "move", index: 1, to: 0 });
    expect(moved.tools.map(({ match }) => match)).toEqual(["Read", "Bash(git push*)"]);
    await expect(hookline.ask("GET", "/api/policy")).resolves.toMatchObject({ text: null, tools: [] });
    await hookline.ask("PUT", "/api/rules", { text: moved.text, was: null });
    expect(rules()).toBe(moved.text);
    expect(await hookline.ask<PolicyReport>("GET", "/api/policy")).toMatchObject({ tools: moved.tools });
    const request = { toolName: "Bash", toolInput: { command: "git push" }, mode: "default", cwd: "/" };
    const verdict = await hookline.ask("POST", "/api/control/policy/test", request);
    expect(verdict).toMatchObject({ verdict: "ask", reason: "Look first." });
  });

  it("that are wrong are named with their place, and never written", async () => {
    const before = rules();
    const wrong = ruleOf("Bash(", "deny");
    const draft = await preview(before, { type: "add", rule: wrong });
    expect(draft.problems).toEqual([
      { line: expect.any(Number), column: expect.any(Number), message: expect.stringContaining("bracket") },
    ]);
    expect(draft.text.split("\n")[draft.problems[0]!.line - 1]).toContain('"match": "Bash("');
    await expect(hookline.ask("PUT", "/api/rules", { text: draft.text, was: before })).rejects.toThrow(
      /400 .*rules_invalid/,
    );
    await expect(preview(before, { type: "remove", list: "tools", index: 9 })).rejects.toThrow(
      /404 .*rule_unknown/,
    );
    for (const change of [
      { type: "add", rule: ruleOf("Bash", "explode") },
      { type: "remove", list: "__proto__", index: 0 },
      { type: "move", index: -1, to: 0 },
    ])
      await expect(preview(before, change)).rejects.toThrow(/400 .*body_invalid/);
    expect(rules()).toBe(before);
  });

  it("are not written to a full disk, which is said in one sentence", async () => {
    const folder = join(hookline.root, "small");
    mkdirSync(folder);
    const unmount = mountTmpfs(folder, "size=8k");
    if (unmount === undefined) return;
    try {
      const target = join(folder, "rules.json");
      writeFileSync(target, "{}");
      rmSync(hookline.home.rules);
      symlinkSync(target, hookline.home.rules);
      const text = `{ "tools": [{ "match": "Read", "then": "allow", "reason": "${"x".repeat(20_000)}" }] }`;
      await expect(hookline.ask("PUT", "/api/rules", { text })).rejects.toThrow(
        /409 .*disk_full.*is full; nothing was changed/,
      );
      expect(readFileSync(target, "utf8")).toBe("{}");
      expect(readdirSync(folder)).toEqual(["rules.json"]);
    } finally {
      rmSync(hookline.home.rules);
      unmount();
    }
  });
});

describe("recipes", () => {
  it("are added with options and removed, as the command does", async () => {
    const added = await hookline.ask<RecipeResult>("PUT", "/api/recipes/protect-paths", {
      options: { paths: "*.lock,migrations/**" },
    });
    expect(added).toMatchObject({ install: false, guard: true });
    expect(added.policy.recipes.find(({ name }) => name === "protect-paths")).toMatchObject({ inUse: true });
    const byPage = rules();
    expect((await hookline.run("recipes", "remove", "protect-paths")).code).toBe(0);
    await hookline.run("recipes", "add", "protect-paths", "--set=paths=*.lock,migrations/**");
    expect(rules()).toBe(byPage);
    const removed = await hookline.ask<RecipeResult>("DELETE", "/api/recipes/protect-paths");
    expect(removed.policy.rules).toEqual([]);
  });

  it("are refused with a reason: unknown, not in use, without an option they need", async () => {
    const refused = [
      ["PUT", "/api/recipes/..%2F..%2Fetc", /unknown_recipe/],
      ["DELETE", "/api/recipes/protect-paths", /recipe_not_added/],
      ["PUT", "/api/recipes/protect-paths", /recipe_option/],
    ] as const;
    for (const [method, path, why] of refused) await expect(hookline.ask(method, path)).rejects.toThrow(why);
    const odd = { options: { constructor: "x" } };
    await expect(hookline.ask("PUT", "/api/recipes/protect-paths", odd)).rejects.toThrow(/recipe_option/);
  });

  it("leave a file with a mistake as it is", async () => {
    writeFileSync(hookline.home.rules, '{ "tools": 1 }');
    await expect(hookline.ask("PUT", "/api/recipes/warn-uncommitted")).rejects.toThrow(/rules_invalid/);
    expect(rules()).toBe('{ "tools": 1 }');
    rmSync(hookline.home.rules);
  });
});

describe("trust", () => {
  it("lists what was approved, and revokes it even when the folder is gone", async () => {
    const repo = join(hookline.root, "repo");
    mkdirSync(repo);
    writeFileSync(join(repo, ".mcp.json"), '{ "mcpServers": { "a": { "command": "node" } } }');
    const { hash } = await hookline.ask<TrustReport>("GET", `/api/control/trust?cwd=${repo}`);
    await hookline.ask("POST", "/api/control/trust", { cwd: repo, hash });
    const listed = await hookline.ask<TrustApprovals>("GET", "/api/control/trust/approvals");
    expect(listed.approvals).toEqual([{ folder: repo, hash, approvedAtIso: expect.any(String) }]);
    rmSync(repo, { recursive: true });
    const left = await hookline.ask("DELETE", `/api/control/trust/approvals?folder=${repo}`);
    expect(left).toEqual({ approvals: [] });
    await expect(hookline.ask("DELETE", "/api/control/trust/approvals?folder=__proto__")).rejects.toThrow(
      /trust_unknown/,
    );
  });
});

describe("hooks", () => {
  const OWN =
    '{\n\t"model": "opus",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}';

  it("are switched as `install` does it, and every byte of the user's own settings stays", async () => {
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, OWN);
    expect(await hookline.ask<HooksAnswer>("GET", "/api/hooks")).toEqual({
      files: [{ path: settings, scope: "user", installed: false, outdated: false }],
      guard: { on: false, failClosed: false },
      approve: { on: false },
      problem: null,
    });
    expect(readFileSync(settings, "utf8")).toBe(OWN);
    const done = await hookline.ask<HooksResult>("PUT", "/api/hooks", { guard: true, approve: true });
    expect(done).toMatchObject({
      files: [{ installed: true, outdated: false }],
      guard: { on: true },
      approve: { on: true },
      written: [{ path: settings, updated: 0, removed: 0 }],
    });
    const byPage = readFileSync(settings, "utf8");
    expect(byPage).toContain("ask-guard");
    expect((await hookline.run("install", "--guard", "--approve")).stdout).toContain("Nothing to change");
    await hookline.ask("PUT", "/api/hooks", { guard: false, approve: false });
    expect(readFileSync(settings, "utf8")).not.toContain("ask-guard");
    expect((await hookline.run("uninstall")).code).toBe(0);
    expect(readFileSync(settings, "utf8")).toBe(OWN);
  });

  it("that no longer fit the configuration are brought up to date", async () => {
    await hookline.ask("PUT", "/api/hooks", { approve: true });
    await hookline.ask("PUT", "/api/config", { key: "approve.holdSeconds", value: 44 });
    const [file] = (await hookline.ask<HooksAnswer>("GET", "/api/hooks")).files;
    expect(file).toMatchObject({ installed: true, outdated: true });
    const done = await hookline.ask<HooksResult>("PUT", "/api/hooks", {});
    expect(done).toMatchObject({ files: [{ outdated: false }], approve: { on: true } });
    expect(done.written).toHaveLength(1);
  });

  it("are not written into settings that are not valid, and nothing is switched", async () => {
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, '{ "model": }');
    const { problem } = await hookline.ask<HooksAnswer>("GET", "/api/hooks");
    expect(problem).toContain("settings.json:1:12 is not valid JSON");
    await expect(hookline.ask("PUT", "/api/hooks", { guard: true })).rejects.toThrow(
      /409 .*settings_invalid/,
    );
    expect(readFileSync(settings, "utf8")).toBe('{ "model": }');
    expect(JSON.parse(readFileSync(hookline.home.configFile, "utf8")).guard.on).toBe(false);
    writeFileSync(settings, before);
    await expect(hookline.ask("PUT", "/api/hooks", { guard: "yes" })).rejects.toThrow(/400 .*body_invalid/);
    await expect(hookline.ask("PUT", "/api/hooks", { settings: "/etc/x" })).rejects.toThrow(/400/);
  });
});

it("sets a model by name and nothing that looks like an option of a program", async () => {
  await hookline.ask("PUT", "/api/config", { key: "memory.model", value: "claude-haiku-4-5" });
  expect(JSON.parse(readFileSync(hookline.home.configFile, "utf8")).memory.model).toBe("claude-haiku-4-5");
  for (const value of ["--dangerous", "a b", "x\n", "", "é"])
    await expect(hookline.ask("PUT", "/api/config", { key: "memory.model", value })).rejects.toThrow(
      /config_invalid/,
    );
  await hookline.ask("PUT", "/api/config", { key: "memory.model", value: null });
});

it("lets nobody in without the token, and no other site with it in the browser's cookie", async () => {
  for (const [method, path] of [
    ["POST", "/api/rules/preview"],
    ["PUT", "/api/recipes/warn-uncommitted"],
    ["DELETE", "/api/control/trust/approvals?folder=/x"],
    ["PUT", "/api/hooks"],
  ] as const) {
    expect((await fetch(base + path, { method })).status).toBe(401);
    const foreign = { authorization: `Bearer ${token}`, origin: "https://evil.example" };
    expect((await fetch(base + path, { method, headers: foreign })).status).toBe(403);
  }
});
