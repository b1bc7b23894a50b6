import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchAnswer } from "../../src/serve/contract.ts";
import { openBrowser, tabTo } from "../support/browser.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Search over what real hooks reported, by keyboard: search as you type, pin, edit, forget.

const PROMPT = "Why does the kiosk print receipts twice after a restart?";
const ANSWER = "The kiosk queued each receipt before the printer had said it was done.";
let browser: Browser;
let hookline: Hookline;
let page: Page;

beforeAll(async () => {
  hookline = openHookline();
  [browser] = await Promise.all([openBrowser(), hookline.start()]);
  await tell("kiosk", [PROMPT, "grep -rn receipt src/kiosk", ANSWER]);
  await tell("other", ["Make the login page load faster", "npm run build", "It loads in half the time."]);
  await hookline.settle();
  const context = await browser.newContext();
  page = await context.newPage();
  await page.goto((await hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await hookline?.close();
});

/** One turn of a session through the real hook commands. */
async function tell(
  name: string,
  [prompt, command, answer]: readonly [string, string, string],
): Promise<void> {
  const base = { session_id: `session-${name}`, cwd: `/srv/${name}`, prompt_id: `prompt-${name}` };
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${name}` };
  const tool_response = { stdout: "src/kiosk/print.ts: receipt", stderr: "", interrupted: false };
  for (const payload of [
    { hook_event_name: "SessionStart", source: "startup" },
    { hook_event_name: "UserPromptSubmit", prompt },
    { hook_event_name: "PostToolUse", ...call, tool_response },
    { hook_event_name: "Stop", last_assistant_message: answer },
    { hook_event_name: "SessionEnd", reason: "other" },
  ])
    expect(await hookline.fire({ ...base, ...payload })).toMatchObject({ code: 0, stderr: "" });
}

const titles = () => page.locator("button.hit .title").allTextContents();
const panel = () => page.getByRole("complementary");
const search = (q: string) =>
  hookline.ask<SearchAnswer>("GET", `/api/search?q=${encodeURIComponent(q)}&limit=40`);

it("searches as you type, marks matches, and opens, pins and edits results by keyboard", async () => {
  await page.keyboard.press("/");
  await page.locator("input[type=search]:focus").waitFor();
  await page.keyboard.type("rece");
  await expect.poll(() => page.locator("button.hit mark").allTextContents()).toContain("rece");
  await page.keyboard.type("ipts twice");
  await expect.poll(async () => (await titles())[0]).toBe(PROMPT);
  // The summary of its turn has the same title, and may be above it.
  const hit = page.locator("button.hit", { has: page.locator(".item-type.prompt") });
  await expect.poll(() => hit.locator("mark").allTextContents()).toEqual(["receipts", "twice"]);

  await page.keyboard.press("ArrowDown");
  while ((await hit.and(page.locator(":focus")).count()) === 0) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await panel().getByRole("heading", { name: PROMPT }).waitFor();
  await page.keyboard.press("p");
  await panel().getByRole("button", { name: "Unpin" }).waitFor();
  await page.locator("button.hit[aria-pressed=true]").getByText("pinned").waitFor();

  await page.keyboard.press("e");
  const field = panel().getByLabel("Title");
  await field.waitFor();
  // The key that opens it is not typed into it.
  expect(await field.inputValue()).toBe(PROMPT);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Kiosk receipts come out doubled");
  await page.keyboard.press("Enter");
  await panel().getByText("edited by you").waitFor();
  await expect.poll(titles).toContain("Kiosk receipts come out doubled");
  const { hits } = await search("doubled");
  expect(hits[0]).toMatchObject({ title: "Kiosk receipts come out doubled", why: { pinned: true } });
});

it("shows what will be forgotten, confirms, and removes it from search, database and log", async () => {
  const remaining = () =>
    hookline.query("SELECT id FROM memory_items WHERE session_id = 'session-kiosk'").length;
  const before = remaining();
  expect(before).toBeGreaterThan(1);
  await page.keyboard.press("x");
  const dialog = page.getByRole("dialog", { name: "Delete permanently?" });
  await dialog.getByText(/Deletes 1 memory/).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(remaining()).toBe(before);

  await page.keyboard.press("x");
  await dialog.getByText(/1 memory/).waitFor();
  // A key right after the one that closes it opens it again.
  await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("x")]);
  await dialog.getByText(/1 memory/).waitFor();
  await tabTo(page, /^Only this/);
  await page.keyboard.press("ArrowDown");
  await dialog.getByText(/and 1 session\./).waitFor();
  await tabTo(page, /^Delete$/);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await panel().waitFor({ state: "detached" });
  await expect.poll(titles).not.toContain("Kiosk receipts come out doubled");
  await expect.poll(remaining).toBe(0);
  const found = async () => (await search("receipts")).hits.map(({ sessionId }) => sessionId);
  await expect.poll(found).not.toContain("session-kiosk");
  const log = join(hookline.home.stream, "lifecycle.jsonl");
  await expect.poll(() => readFileSync(log, "utf8")).not.toContain("receipts");
  expect(
    hookline.query("SELECT id FROM memory_items WHERE session_id = 'session-other'").length,
  ).toBeGreaterThan(1);
});
