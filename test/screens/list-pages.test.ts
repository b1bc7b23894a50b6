import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { needs } from "../support/needs.ts";
import { openRequestHome, type RequestHome } from "./request-home.ts";

needs(import.meta.filename, "chromium");

// The pages with lists: cards on Now, search results, usage by day, and addresses that lead nowhere.

const PROMPT = "Backfill the revenue of July, one day at a time";
let browser: Browser;
let home: RequestHome;
let page: Page;

beforeAll(async () => {
  home = await openRequestHome();
  browser = await openBrowser();
  await home.begin("backfill-session", PROMPT);
  const call = (command: string, id: string) => ({
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: id,
  });
  for (const day of ["01", "02", "03"])
    await home.fire("backfill-session", "PostToolUse", {
      ...call(`python -m backfill 2026-07-${day}`, `toolu_${day}`),
      tool_response: { stdout: `14,2${day} rows`, stderr: "", interrupted: false },
    });
  await home.fire("backfill-session", "PostToolUseFailure", {
    ...call("python -m backfill --drop-everything", "toolu_drop"),
    error: "The user doesn't want to proceed with this tool use. The tool use was rejected",
  });
  await home.fire("backfill-session", "Stop", { last_assistant_message: "July is filled." });
  await home.hookline.settle();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto((await home.hookline.run("open", "--print")).stdout.trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

const go = (path: string) => page.goto(new URL(path, page.url()).href);

it("shows a card's keys on focus without moving anything in it", async () => {
  await home.begin("asking-session");
  home.ask("asking-session", "Bash", { command: "npm run deploy", description: "Deploy to staging" });
  await go("/");
  const card = page.locator(".request-card", { hasText: "Deploy to staging" });
  await card.waitFor();
  // Until then it says that its end must be seen.
  await expect.poll(() => card.locator(".button.primary").isEnabled()).toBe(true);
  expect(await card.locator("[data-shown=tool]").textContent()).toBe("Bash");
  const places = () =>
    page.evaluate<number[][]>(
      `[...document.querySelectorAll(".request-card, .answer-card .button")].map((part) => {
        const { left, top, width, height } = part.getBoundingClientRect();
        return [left, top, width, height];
      })`,
    );
  const before = await places();
  expect(before.length).toBeGreaterThan(4);
  expect(await card.locator(".key-hint").first().isVisible()).toBe(false);
  await card.focus();
  expect(await card.locator(".key-hint").first().isVisible()).toBe(true);
  expect(await places()).toEqual(before);
  await home.fire("asking-session", "SessionEnd", { reason: "other" });
});

it("groups near-duplicate results, aligns their titles, and marks a denied call as denied", async () => {
  await go("/search?q=backfill");
  const similar = page.getByRole("button", { name: "2 similar" });
  await similar.waitFor();
  const hits = page.locator("button.hit");
  const grouped = await hits.count();
  await similar.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => hits.count()).toBe(grouped + 2);
  const lefts = await page.evaluate<number[]>(
    `[...document.querySelectorAll("li:not(.inner) > .hit .title")].map((title) => title.getBoundingClientRect().left)`,
  );
  expect(lefts.length).toBe(grouped);
  expect(new Set(lefts).size).toBe(1);
  const denied = page.locator("button.hit", { hasText: "--drop-everything" }).first();
  expect(await denied.locator(".about").textContent()).toContain("denied");
  expect(await denied.locator(".about").textContent()).not.toContain("failed");
});

it("shows one day of the usage with its sessions, and exports the days as CSV", async () => {
  await go("/usage?days=7");
  await page.locator(".chart-panel summary").click();
  const day = page.locator("button.day").first();
  const name = await day.textContent();
  await day.click();
  await page.locator(".day-panel").getByRole("link", { name: PROMPT }).waitFor();
  expect(new URL(page.url()).searchParams.get("day")).toBe(name);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const [head, ...rows] = readFileSync(await (await download).path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(head).toMatch(/^day,cost_usd,/);
  expect(rows.map((row) => row.split(",")[0])).toEqual([name]);
});

it("says what was not found, and offers pages and sessions with a similar name or id", async () => {
  await go("/serch");
  await page.locator("main").getByText("/serch").waitFor();
  expect(await page.locator("main p a").first().getAttribute("href")).toBe("/search");
  await go("/s/backfill-sesame");
  await page.locator("main").getByText("backfill-sesame").waitFor();
  await page.locator(".similar-sessions").getByText(PROMPT).waitFor();
  expect(await page.locator("main .ways a").first().getAttribute("href")).toBe("/sessions");
});

it.each(["light", "dark"] as const)("outlines the selected segment clearly, %s", async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await go("/usage?days=7");
  await page.locator(".switch button[aria-pressed=true]").first().waitFor();
  const [shadow, around] = await page.evaluate<string[]>(`(() => {
    const pressed = document.querySelector(".switch button[aria-pressed=true]");
    return [getComputedStyle(pressed).boxShadow, getComputedStyle(pressed.parentElement).backgroundColor];
  })()`);
  const outline = /rgb\([^)]*\)/.exec(shadow!)![0];
  expect(contrast(outline, around!)).toBeGreaterThanOrEqual(3);
});

it("fades the side of a row of filters on which there are more", async () => {
  const phone = await page.context().newPage();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto(new URL("/sessions", page.url()).href);
  const chips = phone.locator(".filter-bar .chips");
  await expect.poll(() => chips.getAttribute("data-more")).toBe("right");
  await phone.evaluate(`document.querySelector(".filter-bar .chips").scrollTo(9_999, 0)`);
  await expect.poll(() => chips.getAttribute("data-more")).toBe("left");
  await phone.close();
});

function contrast(a: string, b: string): number {
  const [low, high] = [a, b].map(luminance).sort((one, other) => one - other);
  return (high! + 0.05) / (low! + 0.05);
}

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
