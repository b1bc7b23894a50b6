import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Sessions known only from transcripts: what the pages say about recording.

let browser: Browser;
let hookline: Hookline;
let page: Page;

beforeAll(async () => {
  hookline = openHookline();
  [browser] = await Promise.all([openBrowser(), hookline.start()]);
  page = await browser.newPage();
  await page.goto((await hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await hookline?.close();
});

const go = async (path: string): Promise<void> => {
  await page.goto(new URL(path, page.url()).href);
  await page.locator(".connection.live").waitFor();
};
const note = (text: string | RegExp) => page.locator(".recording-note", { hasText: text });

/** A session of an hour ago, as Claude Code wrote it. */
function writeTranscript(): string {
  const folder = join(hookline.root, ".claude/projects/-srv-shop");
  mkdirSync(folder, { recursive: true });
  const line = {
    type: "user",
    uuid: "u1",
    promptId: "p1",
    sessionId: "5e551000-0000-4000-8000-000000000001",
    cwd: "/srv/shop",
    timestamp: new Date(Date.now() - 3_600_000).toISOString(),
    message: { role: "user", content: "fix the total" },
  };
  writeFileSync(join(folder, `${line.sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
  return join(hookline.root, ".claude/projects");
}

it("counts no cost for a loaded sample today", async () => {
  await page.locator(".status-bar .today").waitFor();
  expect(await page.locator(".status-bar .today").textContent()).toBe("~$0.00 today");
  await hookline.ask("POST", "/api/sample");
  await page.getByText("Sample: fix the cart's total").first().waitFor();
  expect(await page.locator(".status-bar .today").textContent()).toBe("~$0.00 today");
});

it("Now says that no hooks are installed, with the next step, until some are; old transcripts are not reported as lag", async () => {
  expect(await note("hooks").count()).toBe(0);
  expect((await hookline.run("import", writeTranscript())).code).toBe(0);
  await go("/");
  await note("No hooks installed").waitFor();
  expect(await note("hooks").textContent()).toContain("hookline install");
  expect((await hookline.status()).lagMs).toBeNull();
  expect(await page.locator(".status-bar .lag").count()).toBe(0);
  expect((await hookline.run("install")).code).toBe(0);
  await note("hooks").waitFor({ state: "detached" });
});

it("Now and Health say that recording is paused, where, and until when", async () => {
  await hookline.run("pause", "--project", "30m");
  await go("/");
  await note(/Recording in \/.* is paused until .*\d\d:\d\d\./).waitFor();
  await hookline.run("pause");
  await go("/health");
  await page.locator(".facts", { hasText: "Recording is paused." }).waitFor();
  expect(await page.locator(".facts div").first().textContent()).toContain("is paused until");
  await hookline.run("pause", "--end");
  await page
    .locator(".facts div", { hasText: /^RecordingOn$|Recording.*On/ })
    .first()
    .waitFor();
  await go("/");
  expect(await note("paused").count()).toBe(0);
});

it("does not offer the sample's fictional folder, and shows no Markdown in lists", async () => {
  const about = { session_id: "5e551000-0000-4000-8000-000000000002", cwd: hookline.root, prompt_id: "p2" };
  await hookline.fire({ ...about, hook_event_name: "UserPromptSubmit", prompt: "add it" });
  await hookline.fire({ ...about, hook_event_name: "Stop", last_assistant_message: "Added `expiresAt`." });
  await hookline.settle();
  await go("/sessions");
  await page.getByText("Added expiresAt.").first().waitFor();
  await go("/steer");
  await page.locator(".folder-chip").first().waitFor();
  expect(await page.locator(".folder-chip").allTextContents()).not.toContain("acme-shop");
});
