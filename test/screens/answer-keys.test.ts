import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ANSWER_KEYS } from "../../src/shown/answer-keys.ts";
import { openBrowser } from "../support/browser.ts";
import { pressAnswer } from "./press-answer.ts";
import { openRequestHome, type RequestHome } from "./request-home.ts";

let browser: Browser;
let home: RequestHome;
let page: Page;

beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), openRequestHome(600)]);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 } })).newPage();
  await page.goto((await home.hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

/** What is granted beyond this one call. */
const granted = (output: string): unknown => {
  const { behavior, updatedPermissions = [] } = JSON.parse(output).hookSpecificOutput.decision;
  const rules = updatedPermissions.flatMap((update: { rules: { ruleContent?: string }[] }) => update.rules);
  return { behavior, rules: rules.map(({ ruleContent = "all" }: { ruleContent?: string }) => ruleContent) };
};

it.each([
  [ANSWER_KEYS.allowOnce, { behavior: "allow", rules: [] }],
  [ANSWER_KEYS.allowExact, { behavior: "allow", rules: ["touch a.txt"] }],
  [ANSWER_KEYS.allowTool, { behavior: "allow", rules: ["all"] }],
  [ANSWER_KEYS.deny, { behavior: "deny", rules: [] }],
])("the key %s on a card grants as much as in the terminal", async (key, expected) => {
  const session = `keys-${key === key.toLowerCase() ? key : `big-${key}`}`;
  await home.begin(session);
  const asking = home.ask(session, "Bash", { command: "touch a.txt" });
  const card = page.locator(`[data-request][data-session='${session}']`);
  await card.locator(".answer-card:enabled .button.primary:enabled").waitFor();
  const height = (await card.boundingBox())!.height;
  await card.focus();
  await card.and(page.locator("[data-answerable=yes]")).waitFor();
  // The hints that appear on focus do not shift the layout.
  await expect.poll(async () => (await card.boundingBox())!.height).toBe(height);
  await pressAnswer(card, () => page.keyboard.press(key));
  expect(granted(await asking.answer)).toEqual(expected);
});

it("asks for the reason with the key that does so in top", async () => {
  await home.begin("why");
  const asking = home.ask("why", "Bash", { command: "touch b.txt" });
  const card = page.locator("[data-request][data-session='why']");
  await card.locator(".answer-card:enabled .button.primary:enabled").waitFor();
  await card.focus();
  await card.and(page.locator("[data-answerable=yes]")).waitFor();
  await page.keyboard.press(ANSWER_KEYS.denyWhy);
  await page.keyboard.type("use c.txt");
  await page.keyboard.press("Enter");
  expect(await asking.answer).toContain("use c.txt");
});
