import { chmodSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Login, first run, health and settings, in a real browser and by keyboard.

const AXE = createRequire(import.meta.url).resolve("axe-core");
let browser: Browser;
let hookline: Hookline;
let daemon: DaemonChild;
let context: BrowserContext;
let page: Page;
const hosts = new Set<string>();
const errors: string[] = [];

beforeAll(async () => {
  hookline = openHookline();
  [browser, daemon] = await Promise.all([openBrowser(), hookline.start()]);
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  page = await context.newPage();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto((await hookline.run("open", "--print")).stdout.trim());
  await page.getByText("live").waitFor();
});
afterAll(async () => {
  await browser.close();
  await hookline.close();
});

const press = async (name: string | RegExp, role: "button" | "switch" = "button"): Promise<void> => {
  await page.getByRole(role, { name }).focus();
  await page.keyboard.press("Enter");
};

describe("a browser signed in by hookline open", () => {
  it("keeps no code in its address, hides its cookie from scripts, and contacts only the daemon", async () => {
    const port = String((await hookline.status()).port);
    expect(page.url()).toBe(`http://127.0.0.1:${port}/`);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.reload();
    await page.getByText("live").waitFor();
    expect([...hosts]).toEqual([`127.0.0.1:${port}`]);
    expect(errors).toEqual([]);
  });

  it("runs no script and loads no picture that did not come with the page", async () => {
    const blocked = await page.evaluate(`new Promise((resolve) => {
      const seen = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        seen.push(event.effectiveDirective);
        if (seen.length === 2) resolve([globalThis.ran ?? null, ...seen.sort()]);
      });
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
      new Image().src = "https://127.0.0.1:1/seen.png";
    })`);
    expect(blocked).toEqual([null, "img-src", "script-src-elem"]);
  });

  it("passes axe on its first page, in light and in dark", async () => {
    const bare = await browser.newContext({
      storageState: await context.storageState(),
      viewport: { width: 390, height: 844 },
      // The test's own script is not part of the page.
      bypassCSP: true,
    });
    const first = await bare.newPage();
    await first.goto(page.url());
    await first.getByRole("region", { name: "Get started" }).waitFor();
    await first.addScriptTag({ path: AXE });
    for (const colorScheme of ["light", "dark"] as const) {
      await first.emulateMedia({ colorScheme });
      const { violations } = (await first.evaluate("axe.run()")) as { violations: { id: string }[] };
      expect(violations.map(({ id }) => `${colorScheme}: ${id}`)).toEqual([]);
    }
    expect(await first.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await bare.close();
  });

  it("shows the next step, loads a sample by keyboard, and hides the checklist after the first real event", async () => {
    const list = page.getByRole("region", { name: "Get started" });
    await list.waitFor();
    await press("Load a sample session");
    await page.waitForURL(/\/s\/sample-/);
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.getByText("Sample: fix the cart's total").waitFor();
    await list.waitFor();
    const hostile = "<img src=x onerror=alert(1)> \u202etxt";
    const about = { session_id: "s1", cwd: hookline.root, prompt_id: "p1" };
    await hookline.fire({ ...about, hook_event_name: "UserPromptSubmit", prompt: hostile });
    await page.getByText("<img src=x onerror=alert(1)> \\u202etxt").first().waitFor();
    await list.waitFor({ state: "detached" });
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("loses one page that breaks, and no other", async () => {
    await page.route("**/assets/usage-*", (route) => route.abort());
    await page.goto(new URL("/usage", page.url()).href);
    await page.getByRole("heading", { name: "Something went wrong on this page" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    await page.unroute("**/assets/usage-*");
  });

  it("notices a daemon that hangs with open connections, and its recovery", async () => {
    const other = await context.newPage();
    await other.clock.install();
    await other.goto(page.url());
    await other.getByText("live").waitFor();
    process.kill(daemon.pid, "SIGSTOP");
    try {
      await other.clock.fastForward(41_000);
      await other.getByText("Disconnected since").waitFor();
    } finally {
      process.kill(daemon.pid, "SIGCONT");
    }
    await other.clock.fastForward(41_000);
    await other.getByText("live").waitFor();
    await other.close();
  });

  it("shows what doctor finds, and repairs it", async () => {
    chmodSync(hookline.home.spool, 0o755);
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByText("hooks_installed").waitFor();
    await press(/^Fix \d+/);
    await page.locator(".checks.fixed").waitFor();
  });

  it("changes a setting, shows that it needs a restart, and signs out", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(",");
    await press(/Allow messages/, "switch");
    const messages = page.getByRole("switch", { name: /Allow messages/ });
    await expect.poll(() => messages.getAttribute("aria-checked")).toBe("true");
    expect(await page.getByText("hookline up --restart").count()).toBe(0);
    await press(/Read transcripts/, "switch");
    await page.getByText("hookline up --restart").waitFor();
    await press(/^Log out$/);
    await page.getByRole("heading", { name: "Open Hookline from your terminal" }).waitFor();
    expect(await context.cookies()).toEqual([]);
  });
});

it("shows only the login page to a browser that is not signed in", async () => {
  const stranger = await browser.newPage();
  await stranger.goto(new URL("/sessions", page.url()).href);
  await stranger.getByRole("heading", { name: "Open Hookline from your terminal" }).waitFor();
  expect(await stranger.locator("[data-row]").count()).toBe(0);
});
