import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visibleText, visibleTrailingBlanks } from "../../src/shown/visible-text.ts";
import { openBrowser } from "../support/browser.ts";
import { needs } from "../support/needs.ts";
import { HIDING } from "./hidden-text-cases.ts";
import { pressAnswer } from "./press-answer.ts";
import { type Asking, openRequestHome, type RequestHome } from "./request-home.ts";

needs(import.meta.filename, "chromium");

// An agent controls every word on its card: no part of a request can be hidden from the person who answers it.

let browser: Browser;
let home: RequestHome;
let page: Page;
const askings = new Map<string, Asking>();
const NAMES = Object.keys(HIDING);

beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), openRequestHome(600)]);
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  page = await context.newPage();
  await page.goto((await home.hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

const selectorOf = (name: string): string => `[data-request][data-session='${name}']`;
const cardOf = (name: string): Locator => page.locator(selectorOf(name));

/** Every text and number of an input, including field names. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...leavesOf(inner),
  ]);
}

/** Fields that the card shows by meaning, not by name; a multiple choice is a checkbox. */
const UNNAMED = new Set([
  ...["command", "plan", "old_string", "new_string", "edits", "questions", "question", "options"],
  ...["label", "description", "multiSelect", "true", "false"],
]);

/** Measured in the page: each part is visible, inside its box, and left to right. */
const MEASURE = `((card) => {
  const found = [];
  const box = card.querySelector(".shown-box");
  const { left, right } = card.getBoundingClientRect();
  if (box.scrollWidth > box.clientWidth + 1) found.push("wider than its box");
  const checkOrder = (text) => {
    const range = document.createRange();
    for (let index = 0, last = null; index < Math.min(text.data.length, 200); index++) {
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      const { top, left: x, width } = range.getBoundingClientRect();
      if (width > 0 && last !== null && Math.abs(top - last.top) < 2 && x < last.x - 0.5)
        found.push("not in order: " + JSON.stringify(text.data.slice(0, index + 1)));
      if (width > 0) last = { top, x };
    }
  };
  for (const label of card.querySelectorAll(".shown-part .label")) checkOrder(label.firstChild);
  for (const shown of card.querySelectorAll("[data-shown]")) {
    const name = shown.dataset.shown.slice(0, 40);
    if (!shown.checkVisibility({ opacityProperty: true, visibilityProperty: true })) found.push("hidden: " + name);
    if (shown.querySelector(":not(span)") !== null) found.push("an element in " + name);
    const { width, height, left: from, right: to } = shown.getBoundingClientRect();
    if (width < 1 || height < 1) found.push("no room: " + name);
    if (from < left || to > right) found.push("outside: " + name);
    for (let at = shown.parentElement; at !== card; at = at.parentElement) {
      const { overflowY } = getComputedStyle(at);
      if (at !== box && overflowY !== "visible") found.push("cut by " + at.className);
    }
    const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      const { data } = texts.currentNode;
      checkOrder(texts.currentNode);
      for (const sign of data.matchAll(/OWNED/g)) {
        range.setStart(texts.currentNode, sign.index);
        range.setEnd(texts.currentNode, sign.index + 5);
        range.startContainer.parentElement.scrollIntoView({ block: "nearest" });
        let rect = range.getClientRects()[0];
        const view = box.getBoundingClientRect();
        box.scrollTop += rect.top - view.top - view.height / 2;
        scrollBy(0, box.getBoundingClientRect().top - 200);
        rect = range.getClientRects()[0];
        const at = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
        if (rect.width < 8 || rect.height < 8) found.push("too small: " + name);
        if (at === null || !shown.contains(at)) found.push("covered by " + (at?.outerHTML ?? "nothing").slice(0, 100));
      }
    }
  }
  const style = getComputedStyle(card.querySelector("[data-shown]"));
  if (style.whiteSpaceCollapse !== "break-spaces" || style.direction !== "ltr") found.push(style.whiteSpaceCollapse);
  return found;
})`;

describe(`${NAMES.length} ways to hide something on a card`, () => {
  it("are enough", () => expect(NAMES.length).toBeGreaterThanOrEqual(50));

  it.each(NAMES)("%s", async (name) => {
    const { tool, input, more = {} } = HIDING[name]!;
    const asking = home.ask(name, tool, input, more);
    askings.set(name, asking);
    const card = cardOf(name);
    await card.locator("[data-shown]").first().waitFor();
    const shown = await card.locator("[data-shown]").allTextContents();
    const labels = await card.locator(".label").allTextContents();
    expect(shown[0]).toBe(visibleText(tool));
    const there = [...shown, ...labels].join("\n");
    expect(there).toContain("OWNED");
    for (const leaf of leavesOf(input))
      if (!UNNAMED.has(leaf))
        // Inside JSON a text is quoted.
        for (const line of visibleText(visibleTrailingBlanks(leaf)).split("\n"))
          expect(there.includes(line) || there.includes(JSON.stringify(line).slice(1, -1)), line).toBe(true);
    expect(await page.evaluate(`${MEASURE}(document.querySelector("${selectorOf(name)}"))`)).toEqual([]);
    expect(asking.output()).toBeNull();
    // The daemon takes an answer only for what the page has rendered.
    const deny = card.getByRole("button", { name: /^(?:Deny|Keep planning|Decline to answer)$/ });
    await pressAnswer(card, () => deny.click());
    expect(JSON.parse(await asking.answer)).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "deny" } },
    });
    await home.fire(name, "SessionEnd", { reason: "other" });
    await page.mouse.move(5, 5);
    await sleep(50);
  });
});

describe("text that does not fit", () => {
  /** The marker drawn before each line, and the right edge of its last letter. */
  const drawn = async (name: string, command: string): Promise<{ numbers: string[]; lastAt: number }> => {
    const asking = home.ask(name, "Bash", { command }, {});
    await cardOf(name).locator("[data-shown=command]").waitFor();
    const found = await page.evaluate(`(() => {
      const shown = document.querySelector("${selectorOf(name)} [data-shown=command]");
      const numbers = [...shown.querySelectorAll(".line")].map((line) => {
        const { content, position } = getComputedStyle(line, "::before");
        return position === "absolute" && parseFloat(getComputedStyle(line).paddingLeft) > 8 ? content : "none";
      });
      const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
      while (texts.nextNode());
      const range = document.createRange();
      range.setStart(texts.currentNode, texts.currentNode.data.length - 1);
      range.setEnd(texts.currentNode, texts.currentNode.data.length);
      return { numbers, lastAt: range.getBoundingClientRect().left };
    })()`);
    await home.fire(name, "SessionEnd", { reason: "other" });
    await asking.answer;
    return found as { numbers: string[]; lastAt: number };
  };

  it("is distinguishable from a separate line, and keeps every space", async () => {
    const head = "npm test # nothing else".padEnd(200, ".");
    expect((await drawn("joined", `${head} rm -r build`)).numbers).toEqual([]);
    expect((await drawn("parted", `${head}\nrm -r build`)).numbers).toEqual(['"1"', '"2"']);
    const [many, fewer] = [
      await drawn("many", `echo 'x${" ".repeat(400)}y'`),
      await drawn("fewer", `echo 'x${" ".repeat(399)}y'`),
    ];
    expect(many.lastAt).not.toBe(fewer.lastAt);
  });

  it("cannot be answered by a key while none of it is on the screen", async () => {
    const small = await page.context().newPage();
    await small.setViewportSize({ width: 390, height: 300 });
    await small.goto(page.url());
    const asking = home.ask("small", "Bash", { command: "echo first\nrm x # END", description: "Look" }, {});
    const card = small.locator(selectorOf("small"));
    await card.locator(".shown-box").waitFor();
    const put = (selector: string, at: string): Promise<unknown> =>
      small.evaluate(`(() => {
        document.querySelector("main").style.padding = "100vh 12px";
        const found = document.querySelector("${selectorOf("small")} ${selector}").getBoundingClientRect();
        const line = document.querySelector(".frame > .top").getBoundingClientRect().bottom;
        scrollBy({ top: found.${at} - line, behavior: "instant" });
      })()`);
    await put(".shown-box", "top");
    await small.locator(`${selectorOf("small")}[data-answerable=yes]`).waitFor();
    const allow = card.locator(".answer-card .button.primary");
    await card.locator(".answer-card .button.primary:enabled").waitFor();
    await put(".shown-box", "bottom");
    await small.locator(`${selectorOf("small")}[data-answerable=no]`).waitFor();
    await expect.poll(() => allow.isDisabled()).toBe(true);
    await home.fire("small", "SessionEnd", { reason: "other" });
    await asking.answer;
    await small.close();
  });

  it("does not count as seen behind the menu of a narrow window", async () => {
    const narrow = await page.context().newPage();
    await narrow.setViewportSize({ width: 500, height: 480 });
    await narrow.goto(page.url());
    const steps = Array.from({ length: 8 }, (_, at) => `echo step ${at}`);
    const command = ["npm test", ...steps, "echo last"].join("\n");
    const askings = ["low-1", "low-2"].map((name) => home.ask(name, "Bash", { command }, {}));
    const card = narrow.locator(selectorOf("low-1"));
    const allow = card.locator(".answer-card .button.primary:enabled");
    await narrow.locator(selectorOf("low-2")).waitFor();
    await card.locator(".shown-end").waitFor({ state: "attached" });
    /** Below the upper edge of the menu, after it was put so far below it. */
    const put = (by: number): Promise<unknown> =>
      narrow.evaluate(`(() => {
        // Enough room around it to scroll it anywhere.
        document.querySelector("main").style.padding = "100vh 12px";
        const card = document.querySelector("${selectorOf("low-1")}");
        card.querySelector(".shown-box").scrollTop = 9999;
        const below = () =>
          card.querySelector(".shown-end").getBoundingClientRect().bottom -
          document.querySelector(".menu").getBoundingClientRect().top;
        scrollBy({ top: below() - ${by}, behavior: "instant" });
        return below();
      })()`);
    for (let tries = 0; tries < 10; tries++) {
      expect(await put(20)).toBeGreaterThan(0);
      await sleep(150);
    }
    expect(await allow.count()).toBe(0);
    await put(-40);
    await allow.waitFor();
    for (const name of ["low-1", "low-2"]) await home.fire(name, "SessionEnd", { reason: "other" });
    await Promise.all(askings.map(({ answer }) => answer));
    await narrow.close();
  });
});
