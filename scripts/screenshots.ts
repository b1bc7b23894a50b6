import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { openDemo } from "./demo/demo-home.ts";
import { PAGES } from "./demo/pages.ts";

/**
 * A picture of every page, light and dark, wide and on a phone, over a home with forty sessions. `--out DIR` (default
 * .tmp/screenshots), `--only TEXT` for those whose name has it, `--lang ko`.
 */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(import.meta.dirname, "../.tmp/screenshots") },
    only: { type: "string", default: "" },
    lang: { type: "string", default: "en" },
  },
});
const demo = await openDemo();
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  if (values.only === "") rmSync(values.out, { recursive: true, force: true });
  mkdirSync(values.out, { recursive: true });
  for (const viewport of SIZES) {
    for (const colorScheme of ["light", "dark"] as const) await takeAll(browser, viewport, colorScheme);
  }
} finally {
  await browser.close();
  await demo.close();
}

async function takeAll(browser: Browser, viewport: (typeof SIZES)[number], colorScheme: "light" | "dark") {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const { stdout } = await demo.hookline.run("open", "--print");
  await page.addInitScript((lang) => localStorage.setItem("hookline.language", lang), values.lang);
  await page.goto(stdout.trim());
  await page.locator(".strip").waitFor();
  for (const { name, path, waitFor, act } of PAGES) {
    if (!name.includes(values.only)) continue;
    await page.goto(new URL(path(demo), page.url()).href);
    await page.locator(waitFor).first().waitFor({ timeout: 30_000 });
    await page.waitForTimeout(300);
    await act?.(page);
    await page.waitForTimeout(200);
    const file = `${name}-${colorScheme}-${viewport.width}x${viewport.height}.png`;
    await page.screenshot({ path: join(values.out, file) });
    console.log(file);
  }
  await context.close();
}
