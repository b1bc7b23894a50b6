// A real Chromium, and pages of it that a daemon let in.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./programs.ts";

export function openBrowser(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** For a daemon that has the same address in each of its lives. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const NAME_OF_FOCUS = `(() => {
  const at = document.activeElement;
  const label = document.getElementById(at?.getAttribute("aria-labelledby") ?? "") ?? at?.labels?.[0];
  return at?.getAttribute("aria-label") || (label ?? at)?.textContent || "";
})()`;

/** Goes from one focusable thing to the next until one says so, as a person without a mouse does. */
export async function tabTo(page: Page, name: RegExp, most = 30): Promise<void> {
  const passed: string[] = [];
  for (let steps = 0; steps <= most; steps++) {
    const at = (await page.evaluate(NAME_OF_FOCUS)) as string;
    if (name.test(at.trim())) return;
    passed.push(at.trim().slice(0, 40));
    await page.keyboard.press("Tab");
  }
  throw new Error(`no ${name} within ${most} steps: ${passed.join(" | ")}`);
}
