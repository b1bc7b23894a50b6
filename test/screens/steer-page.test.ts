import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openSteering, type Steering } from "../support/control.ts";
import type { FakeApi, FakeRequest, Turn } from "../support/fake-api.ts";

// A driven session from the page, in a real browser: started, streams, asks, is answered, stopped, resumed; and a
// daemon that dies in between.

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
let browser: Browser;
let steering: Steering | undefined;

beforeAll(async () => {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args });
});
afterAll(() => browser.close());
afterEach(async () => {
  await steering?.close();
  steering = undefined;
});

function answers({ lastUserText }: FakeRequest): Turn {
  const bash = (command: string): Turn => ({ tools: [{ name: "Bash", input: { command } }] });
  if (lastUserText.includes("make it")) return bash("touch made");
  if (lastUserText.includes("make another")) return bash("touch another");
  if (lastUserText.includes("count")) return { text: WORDS, wordMs: 60 };
  if (lastUserText.includes("hostile"))
    return { text: "<img src=x onerror=alert(1)> [a](https://example.com) \u202eevil" };
  return { text: `well: ${lastUserText.slice(0, 40)}` };
}

async function open(): Promise<{ page: Page; here: Steering }> {
  const port = await freePort();
  // A daemon that a person started has their key; a browser lends none.
  const env = (api: FakeApi) => ({
    HOOKLINE_PORT: String(port),
    ANTHROPIC_API_KEY: "sk-test",
    ANTHROPIC_BASE_URL: api.url,
  });
  const here = await openSteering(answers, { env });
  steering = here;
  const { body } = await here.ask<{ address: string }>("POST", "/api/login/code", {});
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(body.address);
  await page.waitForSelector(".strip");
  return { page, here };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const turns = (page: Page, count: number): Promise<void> =>
  page
    .locator(".chat-turn")
    .nth(count - 1)
    .waitFor({ timeout: 30_000 });
const say = async (page: Page, text: string): Promise<void> => {
  await page.fill(".composer textarea", text);
  await page.press(".composer textarea", "Enter");
};
const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();

it("streams, asks, is answered, stopped and resumed, and shows each thing once over reloads", async () => {
  const { page, here } = await open();
  await page.goto(new URL("/steer", page.url()).href);
  await page.getByText("Billed to the API key in ANTHROPIC_API_KEY").waitFor();
  await page.getByLabel("Folder").fill("/no/such/folder");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("alert").getByText("There is no such folder").waitFor();
  await page.getByLabel("Folder").fill(here.scratch.project);
  await page.getByLabel("First message").fill("count");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForSelector(".under-way", { timeout: 30_000 });
  await page.reload();
  await page.waitForSelector(".under-way");
  await turns(page, 1);
  expect(await texts(page, ".chat-said.agent")).toEqual([WORDS]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);

  await say(page, "make it");
  await page.waitForSelector(".asked-here");
  expect(await texts(page, ".asked-here .code-text")).toEqual(["touch made"]);
  await page.getByRole("button", { name: "Allow once" }).click();
  await turns(page, 2);
  expect(existsSync(join(here.scratch.project, "made"))).toBe(true);

  await say(page, "make another");
  await page.waitForSelector(".asked-here");
  await page.getByRole("button", { name: "Deny, and say why" }).click();
  await page.getByLabel("What the agent should do instead").fill("leave it");
  await page.getByRole("button", { name: "Deny with this" }).click();
  await turns(page, 3);
  expect(existsSync(join(here.scratch.project, "another"))).toBe(false);
  expect((await texts(page, ".tool-call")).at(-1)).toContain("leave it");

  await say(page, "count again");
  await page.waitForSelector(".under-way");
  await page.getByRole("button", { name: "Stop", exact: false }).first().click();
  await turns(page, 4);
  expect((await texts(page, ".chat-turn")).at(-1)).toContain("stopped");

  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.waitForSelector("text=closed by a person");
  expect(await texts(page, ".chat-said.user")).toHaveLength(4);
  await say(page, "and now?");
  await turns(page, 5);
  expect((await texts(page, ".chat-said.agent")).at(-1)).toBe("well: and now?");
});

it("comes back after the daemon died: nothing lost, nothing double, and what was asked can be asked again", async () => {
  const { page, here } = await open();
  const { sessionId } = await here.start({ prompt: "hostile" });
  await page.goto(new URL(`/steer/${sessionId}`, page.url()).href);
  await turns(page, 1);
  expect(await page.locator(".chat-log img, .chat-log a").count()).toBe(0);
  expect(await texts(page, ".chat-said.agent")).toEqual([expect.stringContaining("\\u202eevil")]);
  await say(page, "make it");
  await page.waitForSelector(".asked-here");
  const before = await texts(page, ".chat-said");

  await here.daemon.kill("SIGKILL");
  await page.waitForSelector("text=Not connected");
  await page.fill(".composer textarea", "typed meanwhile");
  here.daemon = await here.hookline.start();
  await page.waitForSelector("text=Ask again", { timeout: 30_000 });
  expect(await texts(page, ".chat-said")).toEqual(before);
  // What is to be decided is read whole, also on a phone.
  const cut =
    "[...document.querySelectorAll('.asked-here, .asked-here *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length";
  expect(await page.evaluate(cut)).toBe(0);
  await page.reload();
  await page.waitForSelector("text=Ask again");
  expect(await texts(page, ".chat-said")).toEqual(before);
  expect(await page.inputValue(".composer textarea")).toBe("typed meanwhile");
  await page.fill(".composer textarea", "");
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.locator(".chat-said.user").nth(2).waitFor({ timeout: 30_000 });
  expect(await page.getByRole("button", { name: "Ask again" }).count()).toBe(0);
});
