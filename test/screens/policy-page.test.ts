import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrustReport } from "../../src/control/control-contract.ts";
import { openBrowser } from "../support/browser.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Rules, recipes, approvals and hooks, changed in a real browser, mostly by keyboard.

const AXE = createRequire(import.meta.url).resolve("axe-core");
const HOSTILE = "Bash(echo <img src=x onerror=alert(1)>\u202e*)";
let browser: Browser;
let hookline: Hookline;
let page: Page;
let settings: string;

beforeAll(async () => {
  hookline = openHookline();
  settings = join(hookline.root, ".claude", "settings.json");
  [browser] = await Promise.all([openBrowser(), hookline.start()]);
  const call = { tool_name: "Bash", tool_input: { command: "npm run deploy" }, tool_use_id: "call-1" };
  const about = { session_id: "s1", cwd: hookline.root, prompt_id: "p1" };
  await hookline.fire({ hook_event_name: "PreToolUse", ...about, ...call });
  await hookline.settle();
  // axe is the test's own script and none of the page's.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  page = await context.newPage();
  await page.goto((await hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await hookline?.close();
});

const open = (path: string): Promise<unknown> => page.goto(new URL(path, page.url()).href);
const rules = (): string => readFileSync(hookline.home.rules, "utf8");
const press = async (target: Locator): Promise<void> => {
  await target.focus();
  await page.keyboard.press("Enter");
};
const button = (name: string | RegExp): Locator => page.getByRole("button", { name });
const shown = (): Promise<string[]> => page.locator(".rule-list .rule-text > code").allTextContents();

async function add(match: string, decision: string, reason: string): Promise<void> {
  await press(button("Add rule"));
  const form = page.getByRole("form", { name: "New rule" });
  await form.getByLabel("Matcher").fill(match);
  await form.getByLabel("Decision").selectOption(decision);
  await form.getByLabel("Reason").fill(reason);
  await page.keyboard.press("Enter");
}

async function expectAccessible(): Promise<void> {
  await page.addScriptTag({ path: AXE });
  const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string }[] };
  expect(violations.map(({ id }) => id)).toEqual([]);
}

describe("the rules", () => {
  it("are added, tried on history and saved by keyboard", async () => {
    await open("/policy");
    await add("Bash(npm run deploy*)", "deny", "Deploys are for people.");
    await expect.poll(shown).toEqual(["Bash(npm run deploy*)"]);
    await expect.poll(() => page.evaluate("document.activeElement.dataset.act")).toBe("add");
    await press(button("Test on history"));
    await page.locator(".draft-bar .judged", { hasText: "npm run deploy" }).waitFor();
    expect(await page.locator(".draft-bar .judged").textContent()).toContain("now ask");
    await press(button("Save rules"));
    await page.getByText(`Saved to ${hookline.home.rules}`).waitFor();
    expect(JSON.parse(rules()).tools).toEqual([
      expect.objectContaining({ match: "Bash(npm run deploy*)", reason: "Deploys are for people." }),
    ]);
  });

  it("that are wrong stay in the form with a reason", async () => {
    await add("Bash(", "deny", "");
    const form = page.getByRole("form", { name: "New rule" });
    await expect.poll(() => form.getByRole("alert").textContent()).toContain("bracket");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    expect(await shown()).toHaveLength(1);
    expect(await page.locator(".draft-bar").count()).toBe(0);
  });

  it("show hostile text as text, and are moved, edited and removed", async () => {
    await add(HOSTILE, "ask", "");
    await expect
      .poll(shown)
      .toEqual(["Bash(npm run deploy*)", "Bash(echo <img src=x onerror=alert(1)>\\u202e*)"]);
    expect(await page.locator("main img").count()).toBe(0);
    await press(button(/^Move Bash\(echo .* up$/));
    await expect.poll(async () => (await shown())[1]).toBe("Bash(npm run deploy*)");
    await press(button("Edit Bash(npm run deploy*)"));
    const form = page.getByRole("form", { name: /^Edit/ });
    await form.getByLabel("Decision").selectOption("ask");
    await press(form.getByRole("button", { name: "Apply" }));
    await form.waitFor({ state: "detached" });
    await press(button(/^Remove Bash\(echo/));
    await expect.poll(shown).toEqual(["Bash(npm run deploy*)"]);
    await expectAccessible();
    await press(button("Save rules"));
    await page.getByText(`Saved to ${hookline.home.rules}`).waitFor();
    expect(rules()).toContain('"then": "ask"');
    expect(JSON.parse(rules()).tools).toHaveLength(1);
  });

  it("are not saved over another change of the file", async () => {
    await add("Read", "allow", "");
    await button("Save rules").waitFor();
    const other = '{ "tools": [{ "match": "WebFetch", "then": "deny" }] }';
    writeFileSync(hookline.home.rules, other);
    await press(button("Save rules"));
    await page.getByText("rules.json changed since you opened it. Nothing was saved.").waitFor();
    expect(rules()).toBe(other);
    await press(button("Load the file again"));
    await expect.poll(shown).toEqual(["WebFetch"]);
  });

  it("of an invalid file are shown with the line that is wrong, and edited as JSON", async () => {
    writeFileSync(hookline.home.rules, '{\n  "tools": [{ "match": "Read", "then": "perhaps" }]\n}\n');
    await open("/policy");
    const problem = page.locator(".rule-problems li");
    await problem.waitFor();
    expect(await problem.textContent()).toContain("rules.json:2:32");
    expect(await problem.locator("mark").textContent()).toBe('"then": "perhaps" }]');
    await press(page.getByRole("link", { name: "Edit as JSON" }));
    await page.getByLabel("Rules as JSON").fill('{ "tools": [{ "match": "Read", "then": "allow" }] }');
    await page.locator(".rule-problems").waitFor({ state: "detached" });
    await press(button("Save rules"));
    await page.getByText("Saved to").waitFor();
    expect(rules()).toContain('"allow"');
  });
});

it("switches a recipe on with its options, and off", async () => {
  await open("/policy?tab=recipes");
  const toggle = page.getByRole("switch", { name: "protect-paths" });
  await press(toggle);
  await page.getByRole("textbox", { name: /^paths/ }).fill("*.lock");
  await expectAccessible();
  await page.keyboard.press("Enter");
  await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
  await page.getByText("once the guard is on").waitFor();
  expect(JSON.parse(rules()).protect).toEqual([{ path: "*.lock", recipe: "protect-paths" }]);
  await press(toggle);
  await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("false");
  expect(JSON.parse(rules()).protect).toEqual([]);
});

it("lists what was approved, and revokes it", async () => {
  const repo = join(hookline.root, "repo");
  mkdirSync(repo);
  writeFileSync(join(repo, ".mcp.json"), '{ "mcpServers": { "a": { "command": "node" } } }');
  const { hash } = await hookline.ask<TrustReport>("GET", `/api/control/trust?cwd=${repo}`);
  await hookline.ask("POST", "/api/control/trust", { cwd: repo, hash });
  await open("/policy?tab=trust");
  const row = page.locator(".approval-list li");
  await row.waitFor();
  expect(await row.textContent()).toContain(repo);
  expect(await row.textContent()).toContain(`Content hash ${hash!.slice(0, 12)}`);
  await expectAccessible();
  await press(button(`Revoke approval of ${repo}`));
  await page.getByText("No project is approved.").waitFor();
  const after = await hookline.ask<TrustReport>("GET", `/api/control/trust?cwd=${repo}`);
  expect(after.trusted).toBe(false);
});

describe("the settings", () => {
  it("turn the guard on and off in the file that they name", async () => {
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{ "model": "opus" }');
    await open("/settings");
    const guard = page.getByRole("switch", { name: "Guard", exact: true });
    await guard.waitFor();
    await page.getByText(`installs all hooks in ${settings}`).waitFor();
    await press(guard);
    await page.getByText(`Updated ${settings}:`).waitFor();
    await expect.poll(() => guard.getAttribute("aria-checked")).toBe("true");
    expect(readFileSync(settings, "utf8")).toContain("ask-guard");
    await expectAccessible();
    await press(guard);
    await expect.poll(() => guard.getAttribute("aria-checked")).toBe("false");
    expect(readFileSync(settings, "utf8")).not.toContain("ask-guard");
  });

  it("say why they change nothing where the file is broken", async () => {
    writeFileSync(settings, '{ "model": ');
    await open("/settings");
    await page.getByText("The hooks can't be changed:").waitFor();
    expect(await page.getByRole("switch", { name: "Guard", exact: true }).isDisabled()).toBe(true);
    expect(readFileSync(settings, "utf8")).toBe('{ "model": ');
  });

  it("name a model, explain themselves, and copy a path with one press", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByLabel("Model for summaries").fill("claude-haiku-4-5");
    await page.keyboard.press("Enter");
    await page.getByText("hookline up --restart").waitFor();
    expect(JSON.parse(readFileSync(hookline.home.configFile, "utf8")).memory.model).toBe("claude-haiku-4-5");
    const row = page.locator(".setting-row", { hasText: "memory.model" });
    expect(await row.locator(".about").textContent()).toContain(
      "A Claude model that writes better summaries",
    );
    await press(page.locator(".place-list li", { hasText: "config.json" }).getByRole("button"));
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(hookline.home.configFile);
  });
});

it("fills the Health page's width, also on a phone", async () => {
  await open("/health");
  await page.getByText("hooks_installed").waitFor();
  const widths = (): Promise<[number, number]> =>
    page.evaluate(
      "[...document.querySelectorAll('.health-page, .health-page > section')].slice(0, 2).map((part) => part.clientWidth)",
    );
  const [whole, checks] = await widths();
  expect(checks).toBe(whole);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/health", "/settings", "/policy", "/policy?tab=recipes", "/policy?tab=trust"]) {
    await open(path);
    await page.locator("main h2").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }
});
