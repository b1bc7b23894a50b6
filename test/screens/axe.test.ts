import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Demo, openDemo } from "../../scripts/demo/demo-home.ts";
import { PAGES } from "../../scripts/demo/pages.ts";
import type { SessionsPage } from "../../src/serve/contract.ts";
import { openBrowser } from "../support/browser.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Every page with content, checked for screen readers, small screens and contrast.

const AXE = createRequire(import.meta.url).resolve("axe-core");
let browser: Browser;
let demo: Demo;

beforeAll(async () => {
  [browser, demo] = await Promise.all([openBrowser(), openDemo()]);
});
afterAll(async () => {
  await browser.close();
  await demo.close();
});

async function open(options: BrowserContextOptions): Promise<Page> {
  // The test itself loads axe as a script.
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const { stdout } = await demo.hookline.run("open", "--print");
  await page.addInitScript({ path: AXE });
  await page.goto(stdout.trim());
  await page.locator(".status-bar").waitFor();
  return page;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Retries: content may change during a scan, such as a card that becomes answerable. */
async function lookAt(page: Page): Promise<readonly Violation[]> {
  for (let looks = 1; ; looks++) {
    const { violations } = (await page.evaluate(`axe.run({ resultTypes: ["violations"] })`)) as {
      violations: Violation[];
    };
    if (violations.length === 0 || looks === 3) return violations;
    await page.waitForTimeout(1_000);
  }
}

describe("every page, over forty sessions", () => {
  it("shows three waiting sessions, one lost and one rate limited", async () => {
    const { sessions } = await demo.hookline.ask<SessionsPage>("GET", "/api/sessions?limit=100");
    const count = (matches: (session: (typeof sessions)[number]) => boolean) =>
      sessions.filter(matches).length;
    expect({
      all: sessions.length,
      waiting: count(({ needsPerson }) => needsPerson),
      lost: count(({ state }) => state === "lost"),
      limited: count(({ activityPhase }) => activityPhase === "rate_limited"),
    }).toEqual({ all: 40, waiting: 3, lost: 1, limited: 1 });
  });

  // Both themes and both widths, each once: colours do not depend on the width.
  it.each([
    { colorScheme: "light", width: 1440, height: 900 },
    { colorScheme: "dark", width: 390, height: 844 },
  ] as const)("has nothing that axe objects to, $colorScheme, $width wide", async (look) => {
    const { colorScheme, ...viewport } = look;
    const page = await open({ colorScheme, viewport });
    if (viewport.width > 640) await page.getByText("5 h 35%").waitFor();
    const found: string[] = [];
    for (const { name, path, waitFor, act } of PAGES) {
      await page.goto(new URL(path(demo), page.url()).href);
      await page.locator(waitFor).first().waitFor();
      await act?.(page);
      const violations = await lookAt(page);
      found.push(
        ...violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${name}: ${id} ${target} ${failureSummary}`),
        ),
      );
      const overflow: number = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (overflow > 0) found.push(`${name}: ${overflow} px too wide`);
    }
    expect(found).toEqual([]);
  });
});
