import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openFakeAgent } from "../support/fake-agent.ts";
import { needs } from "../support/needs.ts";
import { openRequestHome, type RequestHome } from "./request-home.ts";

needs(import.meta.filename, "chromium");

// Everything has one name and one count on every page.

const MODEL = "opus-4.5";
let browser: Browser;
let home: RequestHome;
let page: Page;

beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), openRequestHome()]);
  const transcript = join(home.hookline.root, ".claude/projects/shop/one.jsonl");
  mkdirSync(join(transcript, ".."), { recursive: true });
  const usage = { input_tokens: 10, output_tokens: 20 };
  const content = [{ type: "text", text: "Hello" }];
  const message = { id: "m1", role: "assistant", model: "claude-opus-4-5-20251101", content, usage };
  const timestamp = new Date().toISOString();
  const line = { sessionId: "one", timestamp, type: "assistant", uuid: "u1", message };
  writeFileSync(transcript, `${JSON.stringify({ ...line, requestId: "r1", cwd: "/home/dev/shop" })}\n`);
  await home.fire("one", "SessionStart", { source: "startup", transcript_path: transcript });
  await home.begin("one");
  await home.begin("two");
  home.ask("one", "Bash", { command: "touch a" });
  home.ask("two", "Bash", { command: "touch b" });
  home.ask("two", "Bash", { command: "touch c" });
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto((await home.hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

async function go(path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.locator(".connection.live").waitFor();
}

it("uses one name for a model on every page", async () => {
  await go("/");
  const preview = async (): Promise<string> => {
    // Retries: the list may have moved under the pointer.
    await page.mouse.move(0, 0);
    await page.locator('a[href="/s/one"]').first().hover();
    return (await page.getByRole("complementary").locator(".facts").allTextContents()).join();
  };
  await expect.poll(preview, { interval: 500 }).toContain(MODEL);
  await go("/sessions");
  const options = page.getByLabel("Model").locator("option");
  await expect.poll(() => options.allTextContents()).toEqual(["Any model", MODEL]);
  for (const path of ["/usage", "/s/one?tab=cost"]) {
    await go(path);
    await page.locator("td, th", { hasText: MODEL }).first().waitFor();
    expect(await page.locator("body").textContent()).not.toContain("opus-4-5");
  }
});

it("counts sessions that need a person, with their requests where there are more", async () => {
  const statusBar = page.locator(".status-bar .needYou");
  await expect.poll(() => page.title()).toBe("(3) Hookline");
  await go("/sessions");
  await expect.poll(() => statusBar.textContent()).toBe("2 need you (3 requests)");
  expect(await page.locator(".chip.asks").textContent()).toMatch(/Needs you\s*2$/);
  await go("/away");
  const glance = page.locator(".glance .ask");
  await expect.poll(() => glance.textContent()).toBe("2 waiting for you (3 requests)");
  expect(await glance.getAttribute("href")).toBe("/");
});

it("counts lost sessions equally in the status bar, the status line and top", async () => {
  const agents = ["killed-1", "killed-2"].map((id) => openFakeAgent(home.hookline, id));
  for (const agent of agents) {
    await agent.fire("SessionStart", { source: "startup" });
    await agent.fire("UserPromptSubmit", { prompt: "work", prompt_id: `${agent.sessionId}-1` });
  }
  await home.hookline.settle();
  for (const agent of agents) await agent.kill("SIGKILL");
  await expect.poll(() => page.locator(".status-bar .lost").allTextContents()).toEqual(["2 lost"]);
  const statusBar = await page.locator(".status-bar .counts li").allTextContents();
  const line = (await home.hookline.run("status", "--line")).stdout.trim();
  expect(line.split(" | ")[0]).toBe(statusBar.join(" · "));
  expect((await home.hookline.run("top", "--once")).stdout).toContain(statusBar.join(" · "));
  expect(JSON.parse((await home.hookline.run("top", "--once", "--json")).stdout).counts).toBe(
    statusBar.join(" · "),
  );
});
