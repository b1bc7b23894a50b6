import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { openRequestHome, type RequestHome } from "./request-home.ts";

let browser: Browser;
let home: RequestHome;
let page: Page;

beforeAll(async () => {
  [browser, home] = await Promise.all([openBrowser(), openRequestHome(600)]);
  page = await (await browser.newContext()).newPage();
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
});

const newLink = async (): Promise<string> => (await home.hookline.run("open", "--print")).stdout.trim();

it("signs in a tab on the login page when the link is pasted into it", async () => {
  const link = await newLink();
  await page.goto(new URL("/", link).href);
  await page.locator(".login-page").waitFor();
  // Only the fragment differs, so the browser loads nothing.
  await page.goto(link);
  await page.locator(".connection.live").waitFor();
  expect(page.url()).not.toContain("login=");
});

it("removes the code from the address of a signed-in tab", async () => {
  await page.goto(await newLink());
  await expect.poll(() => page.url()).not.toContain("login=");
  await page.locator(".connection.live").waitFor();
});

it("stays on the login page with an invalid code", async () => {
  const other = await (await browser.newContext()).newPage();
  await other.goto(new URL("/", await newLink()).href);
  await other.locator(".login-page").waitFor();
  await other.evaluate("location.hash = '#login=not-a-code'");
  await expect.poll(() => other.url()).not.toContain("login=");
  await other.locator(".login-page").waitFor();
});
