// A real Chromium, with pages signed in to a daemon.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE_MS } from "./patience.ts";
import { CHROMIUM } from "./programs.ts";

export async function openBrowser(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args, timeout: PATIENCE_MS });
  const newContext = browser.newContext.bind(browser);
  // `newPage` creates its context through this too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** For a daemon that keeps its address across restarts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Answers a request with one of its buttons. Presses again if the card has just moved and ignored the press. */
export async function answerCard(card: Locator, name: string | RegExp): Promise<void> {
  const press = async (): Promise<number> => {
    const button = card.getByRole("button", { name }).first();
    // A request is answerable once its end has been seen.
    await button.scrollIntoViewIfNeeded({ timeout: 1_000 }).catch(() => undefined);
    await button.click({ timeout: 5_000 }).catch(() => undefined);
    await card.waitFor({ state: "detached", timeout: 3_000 }).catch(() => undefined);
    return card.count();
  };
  await expect.poll(press).toBe(0);
}

const FOCUSED_NAME = `(() => {
  const at = document.activeElement;
  const label = document.getElementById(at?.getAttribute("aria-labelledby") ?? "") ?? at?.labels?.[0];
  return at?.getAttribute("aria-label") || (label ?? at)?.textContent || "";
})()`;

/** Presses Tab until the focused element has this name, as a person without a mouse does. */
export async function tabTo(page: Page, name: RegExp, maxPresses = 30): Promise<void> {
  const passed: string[] = [];
  for (let steps = 0; steps <= maxPresses; steps++) {
    const at = (await page.evaluate(FOCUSED_NAME)) as string;
    if (name.test(at.trim())) return;
    passed.push(at.trim().slice(0, 40));
    await page.keyboard.press("Tab");
  }
  throw new Error(`no ${name} within ${maxPresses} steps: ${passed.join(" | ")}`);
}
