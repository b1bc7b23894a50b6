import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { openBrowser } from "../test/support/browser.ts";
import { openDemo } from "./demo/demo-home.ts";
import { PAGES } from "./demo/pages.ts";

/**
 * Takes a screenshot of every page, light and dark, desktop and phone, of a home with forty sessions. `--out
 * DIR` (default .tmp/screenshots), `--only TEXT` filters by name, `--lang ko`, `--readme` takes those that
 * README.md shows, into docs/pictures.
 */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const PICTURES = join(import.meta.dirname, "../docs/pictures");
const IN_README: ReadonlySet<string> = new Set([
  "now-light-1440x900.png",
  "now-dark-1440x900.png",
  "session-timeline-dark-1440x900.png",
  "session-transcript-light-1440x900.png",
  "search-light-1440x900.png",
  "steer-chat-dark-1440x900.png",
  "now-light-390x844.png",
  "sessions-dark-390x844.png",
  "session-transcript-light-390x844.png",
  "steer-chat-dark-390x844.png",
]);

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(import.meta.dirname, "../.tmp/screenshots") },
    only: { type: "string", default: "" },
    lang: { type: "string", default: "en" },
    readme: { type: "boolean", default: false },
  },
});
const out = values.readme ? PICTURES : values.out;
const demo = await openDemo();
const browser = await openBrowser();
try {
  if (values.only === "") rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const viewport of SIZES) {
    for (const colorScheme of ["light", "dark"] as const) await takeAll(browser, viewport, colorScheme);
  }
} finally {
  await browser.close();
  await demo.close();
}

async function takeAll(browser: Browser, viewport: (typeof SIZES)[number], colorScheme: "light" | "dark") {
  const isPhone = viewport.width < 640;
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: "reduce",
    isMobile: isPhone,
    hasTouch: isPhone,
  });
  const page = await context.newPage();
  const { stdout } = await demo.hookline.run("open", "--print");
  await page.addInitScript((lang) => localStorage.setItem("hookline.language", lang), values.lang);
  await page.goto(stdout.trim());
  await page.locator(".status-bar").waitFor();
  for (const { name, path, waitFor, act } of PAGES) {
    const file = `${name}-${colorScheme}-${viewport.width}x${viewport.height}.png`;
    if (!name.includes(values.only) || (values.readme && !IN_README.has(file))) continue;
    await page.goto(new URL(path(demo), page.url()).href);
    await page.locator(waitFor).first().waitFor({ timeout: 30_000 });
    await page.waitForTimeout(300);
    await act?.(page);
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(out, file) });
    console.log(file);
  }
  await context.close();
}
