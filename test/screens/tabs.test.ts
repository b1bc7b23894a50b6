import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Card } from "../../src/control/control-contract.ts";
import { openBrowser } from "../support/browser.ts";
import { needs } from "../support/needs.ts";
import { pressAnswer } from "./press-answer.ts";
import { openRequestHome, type RequestHome } from "./request-home.ts";

needs(import.meta.filename, "chromium");

// Many tabs of one browser, and cards that are not on the screen.

const TABS = 9;
let browser: Browser;
let context: BrowserContext;
let home: RequestHome;

beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), openRequestHome()]);
  context = await browser.newContext({ viewport: { width: 1280, height: 700 } });
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

async function open(): Promise<Page> {
  const page = await context.newPage();
  await page.goto((await home.hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
  return page;
}

const cardOf = (page: Page, session: string): Locator =>
  page.locator(`[data-request][data-session='${session}']`);
const allow = async (page: Page, session: string): Promise<void> => {
  await page.bringToFront();
  const card = cardOf(page, session);
  await pressAnswer(card, () => card.getByRole("button", { name: "Allow once" }).click());
};

it("shows a request in more tabs than a browser has connections, and any of them answers it", async () => {
  const tabs: Page[] = [];
  for (let n = 0; n < TABS; n++) tabs.push(await open());
  for (const [session, at] of [
    ["first", 0],
    ["last", TABS - 1],
  ] as const) {
    await home.begin(session);
    const { answer } = home.ask(session, "Bash", { command: "npm test" });
    for (const tab of tabs) await expect.poll(() => tab.title()).toBe("(1) Hookline");
    await allow(tabs[at]!, session);
    expect(await answer).toContain('"allow"');
    for (const tab of tabs) await expect.poll(() => tab.title()).toBe("Hookline");
  }
  // The tab that holds the shared stream is closed, and another one takes over.
  await tabs.shift()!.close();
  await home.begin("after");
  const { answer } = home.ask("after", "Bash", { command: "npm test" });
  for (const tab of tabs) await expect.poll(() => tab.title()).toBe("(1) Hookline");
  await allow(tabs[3]!, "after");
  expect(await answer).toContain('"allow"');
  for (const tab of tabs) await tab.close();
});

it("holds a background agent while its card is visible, and not while it is scrolled out", async () => {
  const page = await open();
  const agent = { agent_id: "a1", agent_type: "Explore" };
  const statusOf = async (session: string): Promise<string | undefined> => {
    const { cards } = await home.hookline.ask<{ cards: Card[] }>(
      "GET",
      `/api/control/cards?session=${session}`,
    );
    return cards[0]?.status;
  };
  await home.begin("near");
  const near = home.ask("near", "Bash", { command: "echo near" }, agent);
  await cardOf(page, "near").waitFor();
  for (let n = 0; n < 12; n++) {
    await home.begin(`filler-${n}`);
    home.ask(`filler-${n}`, "Bash", { command: `echo ${n}` });
    await cardOf(page, `filler-${n}`).waitFor();
  }
  expect(near.output()).toBeNull();
  await home.begin("far");
  const far = home.ask("far", "Bash", { command: "echo far" }, agent);
  await cardOf(page, "far").waitFor();
  expect((await cardOf(page, "far").boundingBox())!.y).toBeGreaterThan(700);
  expect(await far.answer).toBe("");
  expect(await statusOf("far")).toBe("terminal");
});
