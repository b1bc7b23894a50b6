import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { needs } from "../support/needs.ts";
import { pressAnswer } from "./press-answer.ts";
import { type AskingHome, openAskingHome, wantsTo } from "./waiting-home.ts";

needs(import.meta.filename, "chromium");

// Everything a user can do on the pages, by keyboard only; the test stops the daemon.

let browser: Browser;
let context: BrowserContext;
let page: Page;
let home: AskingHome;
let ids: AskingHome["ids"];

beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), openAskingHome()]);
  ids = home.ids;
  const permissions = ["clipboard-read", "clipboard-write", "notifications"];
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions });
  page = await context.newPage();
  await page.goto((await home.hookline.run("open", "--print")).stdout.trim());
  await page.locator("[data-card]").nth(1).waitFor();
});
afterAll(async () => {
  await browser.close();
  await home.hookline.close();
});

/** Generous for a loaded machine. */
const until = <T>(read: () => T | Promise<T>) => expect.poll(read);
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
const isFocused = async (target: Locator): Promise<boolean> =>
  (await target.and(page.locator(":focus")).count()) === 1;
/** Being reachable by Tab is part of the test. */
async function tabTo(target: Locator, maxPresses = 60): Promise<void> {
  await target.waitFor();
  for (let n = 0; n < maxPresses; n++) {
    if (await isFocused(target)) return;
    await press("Tab");
  }
  throw new Error(`Tab does not come to ${target}`);
}
const focusedText = (): Promise<string> => page.evaluate("document.activeElement.textContent");
const path = (): string => new URL(page.url()).pathname;
const clipboard = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");
const button = (name: string | RegExp): Locator => page.getByRole("button", { name });
async function keysToldHere(): Promise<string[]> {
  await press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  const told = await help.locator("dt").allInnerTexts();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return told.map((keys) => keys.replace(/\s+/g, " "));
}
async function choose(text: string): Promise<void> {
  await press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).waitFor();
  await page.keyboard.type(text);
  await press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Waits until it is stable: the last events may still be on their way to the page. */
async function settled<T>(read: () => Promise<T>): Promise<T> {
  for (let last = await read(); ; ) {
    await sleep(700);
    const now = await read();
    if (JSON.stringify(now) === JSON.stringify(last)) return now;
    last = now;
  }
}

describe("by keyboard", () => {
  it("opens every page, and lists the keys that work there", async () => {
    const told = new Map<string, string[]>();
    const places = ["s /sessions", "f /search", "d /steer", "u /usage", "a /away", "p /policy", "h /health"];
    for (const [letter, to] of [...places, ", /settings", "n /"].map(
      (one) => one.split(" ") as [string, string],
    )) {
      await press("g", letter);
      await until(path).toBe(to);
      await page.locator("main h1").first().waitFor();
      // Out of a field that the page focused.
      await press("Escape");
      told.set(to, await keysToldHere());
    }
    for (const keys of told.values())
      expect(keys).toEqual(expect.arrayContaining(["?", "Ctrl K", "n", "g s"]));
    expect(told.get("/")).not.toContain("p");
    expect(told.get("/settings")).not.toContain("[ ]");
    expect(told.get("/policy")).toEqual(expect.arrayContaining(["1", "2", "3", "4"]));
  });

  it("answers the focused request, and not one that has just arrived", async () => {
    await press("n", "n");
    await until(focusedText).toContain("Two devices changed the same paragraph");
    await press("n");
    await until(focusedText).toContain("npx prisma migrate deploy");
    const sent: string[] = [];
    page.on("request", (request) => request.url().endsWith("/answer") && sent.push(request.postData() ?? ""));
    const shop = page.locator(`[data-session='${ids.shop}'][data-answerable='yes']`);
    await shop.locator(".answer-card:enabled").waitFor();
    expect(await keysToldHere()).toEqual(expect.arrayContaining(["a", "d", "c", "s", "m"]));
    // A key on its way arrives at the moment the card appears.
    await page.evaluate(`new MutationObserver(() => {
      const card = document.querySelector("[data-session='late'][data-answerable]");
      if (card === null || !card.querySelector("[data-answer='d']")) return;
      if (window.early !== undefined) return;
      window.early = true;
      card.focus();
      card.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true, attributes: true })`);
    await home.begins("late", "Clean up");
    await home.asks(wantsTo("late", "npm run clean"));
    await until(() => page.evaluate("window.early")).toBe(true);
    const late = page.locator("[data-session='late'][data-answerable='yes']");
    await late.waitFor();
    expect(sent).toEqual([]);
    await late.focus();
    await pressAnswer(late, () => press("d"));
    expect(await home.answered("late")).toContain('"deny"');
    expect(sent).toHaveLength(1);
    await home.hookline.fire({ hook_event_name: "Stop", session_id: "late", cwd: "/home/dev/other" });
    await page.locator("[data-session='late'][data-answerable]").waitFor({ state: "detached" });
    await press("n");
    await shop.and(page.locator(":focus")).waitFor();
    await pressAnswer(shop, () => press("y"));
    expect(await home.answered(ids.shop)).toContain('"allow"');
    await page.locator(`[data-session='${ids.shop}'][data-answerable]`).waitFor({ state: "detached" });
    await home.goesOn(ids.shop, "Bash", "toolu_demo_deploy");
  });

  it("answers a question with the number of an option", async () => {
    const card = page.locator(`[data-session='${ids.quill}'][data-answerable='yes']`);
    await press("n");
    await card.waitFor();
    await until(() => isFocused(card)).toBe(true);
    await card.locator(".answer-card:enabled").waitFor();
    await press("2");
    expect(await card.getByRole("radio").nth(1).isChecked()).toBe(true);
    await pressAnswer(card, () => press("Enter"));
    expect(await home.answered(ids.quill)).toContain("The newer one, the other in history");
    await home.goesOn(ids.quill, "AskUserQuestion", "toolu_demo_ask");
    await page.getByText("All clear. Nothing needs you.").waitFor();
  });

  it("keeps a list still under the focus, and moves it on request", async () => {
    const running = page.getByRole("region", { name: "Running" });
    // The answered session moves among the running ones; only then is the list in its final order.
    await running.locator(`[data-session='${ids.quill}']`).waitFor();
    const rows = running.locator("[data-row] .title");
    await settled(() => rows.allInnerTexts());
    // A row that moves while it gets the focus loses it, and then nothing pins the list.
    await until(async () => {
      if (!(await running.locator(":focus").count())) await press("j");
      return running.locator(":focus").count();
    }).toBe(1);
    const before = await settled(() => rows.allInnerTexts());
    await home.begins("new-one", "A session that has just begun");
    // Another session may continue at the same moment, and move as well.
    await button(/\d updates?/).waitFor();
    expect(await rows.allInnerTexts()).toEqual(before);
    await press("u");
    await until(() => rows.allInnerTexts().then(([first]) => first)).toBe("A session that has just begun");
    expect((await rows.allInnerTexts()).toSorted()).toEqual(
      ["A session that has just begun", ...before].toSorted(),
    );
  });

  it("filters, stars, mutes and copies sessions, and saves a view", async () => {
    await press("g", "s", "/");
    await page.keyboard.type("ferry");
    await until(() => page.locator("tbody [data-session]").count()).toBe(1);
    // Keys type letters in a field.
    await press("g", "n", "Backspace", "Backspace");
    expect(path()).toBe("/sessions");
    await tabTo(page.locator("tbody a"));
    await press("s", "m", "c");
    await until(clipboard).toContain(`claude --resume ${ids.ferry}`);
    await press("w");
    await until(clipboard).toMatch(new RegExp(`/s/${ids.ferry}$`));
    await page.getByRole("img", { name: "Muted" }).waitFor();
    await press("/", "Control+a", "Backspace");
    const starred = button("Starred");
    await tabTo(starred);
    await press("Enter");
    await until(() => page.locator("tbody [data-session]").count()).toBe(1);
    await page.locator("main").focus();
    await tabTo(button(/Save view/));
    await press("Enter");
    await page.keyboard.type("My stars");
    await press("Enter");
    await press("g", "s");
    await page.getByRole("link", { name: "My stars" }).waitFor();
    await page.reload();
    await tabTo(page.getByRole("link", { name: "My stars" }));
    await press("Enter");
    await until(() => new URL(page.url()).search).toBe("?star=1");
  });

  it("opens a session, shows its parts, and goes to the next one", async () => {
    await page.locator("tbody a").waitFor();
    await press("j", "Enter");
    await until(path).toBe(`/s/${ids.ferry}`);
    await page.getByRole("tab").first().waitFor();
    for (const [at, tab] of ["Timeline", "Transcript", "Files", "Cost", "Memory", "Raw"].entries()) {
      await press(String(at + 1));
      await until(() => page.getByRole("tab", { selected: true }).innerText()).toContain(tab);
    }
    await press("1", " ");
    await button(/^Pause/).waitFor();
    await press(" ");
    await button(/^Replay/).waitFor();
    await press("2", "p");
    await until(focusedText).toContain("Two people can book");
    await press("e");
    await until(focusedText).toContain("npx vitest run src/booking");
    await press("p");
    await until(focusedText).toContain("The desk moves guests");
    await press("P");
    await until(focusedText).toContain("Two people can book");
    await press("f");
    await until(() => button(/^Follow/).getAttribute("aria-pressed")).toBe("true");
    await press("c");
    await until(clipboard).toContain(`claude --resume ${ids.ferry}`);
    await press("w");
    await until(clipboard).toBe(page.url());
    await press("s");
    await until(() => button(/^Star/).getAttribute("aria-pressed")).toBe("false");
    expect(await button(/^Mute/).getAttribute("aria-pressed")).toBe("true");
    expect(await keysToldHere()).toEqual(
      expect.arrayContaining(["1", "6", "p", "P", "e", "f", "c", "w", "s", "m"]),
    );
    await press("g", "n");
    await page.locator("[data-row]").first().waitFor();
    await press("j", "Enter");
    const first = page.url();
    await press("]");
    await until(() => page.url()).not.toBe(first);
    await press("[");
    await until(() => page.url()).toBe(first);
  });

  it("navigates, copies, and changes theme and language in the palette", async () => {
    await choose("dark");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await choose("korean");
    await page.getByRole("link", { name: "지금" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("ko");
    await press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("english");
    await press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Now", exact: true }).waitFor();
    await choose("copy resume");
    await until(clipboard).toContain("claude --resume");
    await choose("rotate staging");
    await page.getByRole("heading", { name: "Rotate the staging certificates" }).waitFor();
    await choose("load a sample");
    await page.waitForURL(/\/s\/sample-/);
    await choose("remove the sample");
    await choose("start a session");
    await until(path).toBe("/steer");
  });

  it("changes settings, and switches single keys off and on", async () => {
    await press("g", ",");
    const single = page.getByRole("switch", { name: /Single-key shortcuts/ });
    await tabTo(single);
    await press("Enter", "g", "n");
    expect([path(), await single.getAttribute("aria-checked")]).toEqual(["/settings", "false"]);
    await choose("turn on single-key");
    await press("g", "h");
    await until(path).toBe("/health");
    await choose("settings");
    await tabTo(page.getByRole("switch", { name: /Allow messages/ }), 120);
    await press("Enter");
    const messages = page.getByRole("switch", { name: /Allow messages/ });
    await until(() => messages.getAttribute("aria-checked")).toBe("true");
    await page.locator("main").focus();
    await tabTo(page.getByRole("button", { name: "Light", exact: true }));
    await press("Enter");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("light");
  });

  it("tests rules on recorded calls", async () => {
    await press("g", "p");
    await page.locator(".tabs a").nth(1).waitFor();
    await press("2");
    const rules = page.getByRole("textbox");
    await tabTo(rules);
    await press("Control+a");
    await page.keyboard.insertText('{ "tools": [{ "match": "Bash(npx vitest*)", "then": "deny" }] }');
    await press("Tab", "Enter");
    await page.getByText("3 differ from the active rules").waitFor();
    expect(await page.locator(".replay-answer").innerText()).toContain("npx vitest run src/booking");
  });

  it("reaches every page from the bottom bar on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await tabTo(button("More"), 120);
    await press("Enter");
    await tabTo(page.getByRole("dialog").getByRole("link", { name: "Health" }));
    await press("Enter");
    await until(path).toBe("/health");
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe("an unattended page", () => {
  it("notifies about sessions that need a person, except muted ones", async () => {
    await press("g", "n");
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
    await choose("turn on notifications");
    // A browser in a test always has focus.
    await page.evaluate("document.hasFocus = () => false");
    await home.hookline.fire({ ...wantsTo(ids.ferry, "git push --force"), prompt_id: "ferry-x" });
    await home.hookline.fire(wantsTo("new-one", "git push"));
    const shown = (): Promise<string[]> =>
      page.evaluate(
        "navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) => all.map(({ body }) => body))",
      );
    await until(() => page.locator(".requests > [data-session]").count()).toBe(2);
    await until(shown).toEqual([expect.stringContaining("git push")]);
    expect(await shown()).not.toContainEqual(expect.stringContaining("--force"));
  });

  it("marks what ended since the last visit, until it is seen", async () => {
    await home.hookline.fire({
      hook_event_name: "SessionEnd",
      session_id: "late",
      cwd: "/home/dev/other",
      reason: "other",
    });
    // As if this browser was unused for two hours.
    await page.addInitScript(
      "sessionStorage.once ??= localStorage.setItem('hookline.looked', JSON.stringify([Date.now() - 7.2e6, 1])) ?? 1",
    );
    await page.reload();
    await page.getByRole("img", { name: "ended while you were away" }).first().waitFor();
    await tabTo(button("Mark all as seen"), 120);
    await press("Enter");
    await page.getByRole("img", { name: "ended while you were away" }).first().waitFor({ state: "detached" });
  });

  it("can be installed, and shows since when the daemon is unreachable", async () => {
    const tools = await context.newCDPSession(page);
    const { installabilityErrors } = await tools.send("Page.getInstallabilityErrors");
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
    await home.daemon.kill("SIGTERM");
    await page.getByRole("alert").getByText("Disconnected since").waitFor();
    expect(await page.getByText("live", { exact: true }).count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).filter")).toBe(
      "grayscale(1)",
    );
    await page.reload();
    await page.getByRole("heading", { name: "The daemon is not running" }).waitFor();
    expect(await page.locator("code").innerText()).toBe("hookline up");
  });
});
