import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SessionDetail } from "../../src/serve/contract.ts";
import { costText } from "../../src/shown/cost-text.ts";
import { answerCard, freePort, openBrowser } from "../support/browser.ts";
import { openSteering, type Steering } from "../support/control.ts";
import type { FakeApi, FakeRequest, Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";

needs(import.meta.filename, "chromium");

// Driven sessions from the page, on a phone-sized screen in a real browser: start, stream, ask, answer, stop,
// resume, fork; and a daemon crash in between.

const WORDS = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const DATABASE = "Which database?";
let browser: Browser;
let here: Steering;
let page: Page;

beforeAll(async () => {
  const port = await freePort();
  // A daemon started by a person has their key; a browser provides none.
  const env = (api: FakeApi) => ({
    HOOKLINE_PORT: String(port),
    ANTHROPIC_API_KEY: "sk-test",
    ANTHROPIC_BASE_URL: api.url,
  });
  [browser, here] = await Promise.all([openBrowser(), openSteering(answers, { env })]);
  const { body } = await here.ask<{ address: string }>("POST", "/api/login/code", {});
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  page = await context.newPage();
  await page.goto(body.address);
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await here?.close();
});

function answers({ lastUserText }: FakeRequest): Turn {
  const bash = (command: string): Turn => ({ tools: [{ name: "Bash", input: { command } }] });
  const [, name] = /make (\w+)/.exec(lastUserText) ?? [];
  if (name === "costly") return { ...bash("touch costly"), usage: { input_tokens: 40_000 } };
  if (name !== undefined) return bash(`touch ${name}`);
  if (lastUserText.includes("count")) return { text: WORDS, wordMs: 50 };
  if (lastUserText.includes("choose")) {
    const options = [
      { label: "Postgres", description: "big" },
      { label: "SQLite", description: "small" },
    ];
    const question = { question: DATABASE, header: "Store", multiSelect: false, options };
    return { tools: [{ name: "AskUserQuestion", input: { questions: [question] } }] };
  }
  if (lastUserText.includes("hostile"))
    return { text: "<img src=x onerror=alert(1)> [a](https://example.com) \u202eevil" };
  return { text: `well: ${lastUserText.slice(0, 60)}` };
}

const turns = (count: number): Promise<unknown> =>
  expect.poll(() => page.locator(".turn-end").count()).toBe(count);
const say = async (text: string): Promise<void> => {
  await page.fill(".composer textarea", text);
  await page.press(".composer textarea", "Enter");
};
const texts = (selector: string): Promise<string[]> => page.locator(selector).allTextContents();
const press = (name: string | RegExp): Promise<void> => page.getByRole("button", { name }).first().click();
const answer = (name: string): Promise<void> => answerCard(page.locator(".inline-request"), name);
const isMade = (name: string) => existsSync(join(here.scratch.project, name));
const lastAsked = () => here.api.requests.findLast(({ isSide }) => !isSide)!.body;
const go = (path: string) => page.goto(new URL(path, page.url()).href);

it("shows what a folder contains before any of it runs, and uses it only when approved", async () => {
  const folder = join(here.scratch.home, "hooked");
  mkdirSync(join(folder, ".claude"), { recursive: true });
  const hook = { type: "command", command: "echo hostile-hook" };
  const hooks = { PreToolUse: [{ hooks: [hook] }] };
  writeFileSync(join(folder, ".claude/settings.json"), JSON.stringify({ hooks }));
  await go("/steer");
  await page.getByText("Billed to the API key in ANTHROPIC_API_KEY").waitFor();
  await page.getByLabel("Folder").fill("/no/such/folder");
  await press(/^Start$/);
  await page.getByRole("alert").getByText("Folder not found").waitFor();
  await page.getByLabel("Folder").fill(folder);
  const step = page.locator(".trust-step");
  await step.getByText("echo hostile-hook").waitFor();
  expect(await page.getByRole("button", { name: /^Start$/ }).isDisabled()).toBe(true);
  await press("Continue without them");
  expect(await page.getByRole("button", { name: /^Start$/ }).isEnabled()).toBe(true);
  await press("Cancel");
  await press("Approve exactly this");
  await page.getByText("This folder's hooks, servers and permissions are approved.").waitFor();
  expect(await page.getByRole("button", { name: /^Start$/ }).isEnabled()).toBe(true);
});

it("completes a folder while it is typed, and asks for it before it says who pays", async () => {
  await go("/steer");
  const field = page.getByLabel("Folder");
  await field.fill(`${here.scratch.home}/hoo`);
  await page.getByRole("option").getByText(`${here.scratch.home}/hooked/`).waitFor();
  await field.press("ArrowDown");
  await field.press("Enter");
  expect(await field.inputValue()).toBe(`${here.scratch.home}/hooked/`);
  await page.getByText("This folder's hooks, servers and permissions are approved.").waitFor();
  const y = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
  expect(await y("#steer-folder")).toBeLessThan(await y(".billing-panel"));
});

it("streams, asks, is answered, stopped and resumed, and shows everything once across reloads", async () => {
  await page.getByLabel("Folder").fill(here.scratch.project);
  await page.getByLabel("First message").fill("count");
  await press(/^Start$/);
  await page.waitForSelector(".in-progress");
  await page.reload();
  await page.waitForSelector(".in-progress");
  await turns(1);
  expect(await texts(".message.answer")).toEqual([WORDS]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);

  await say("make it");
  await page.waitForSelector(".inline-request");
  expect(await texts(".inline-request [data-shown]")).toEqual(["Bash", "touch it"]);
  await answer("Allow once");
  await turns(2);
  expect(isMade("it")).toBe(true);

  await say("make another");
  await page.waitForSelector(".inline-request");
  await press("Deny with a reason");
  await page.getByLabel("What the agent should do instead").fill("leave it");
  await answer("Send and deny");
  await turns(3);
  expect(isMade("another")).toBe(false);
  expect((await texts(".call-view")).at(-1)).toContain("leave it");

  await say("count again");
  await page.waitForSelector(".in-progress");
  await press("Stop");
  await turns(4);
  expect((await texts(".turn-end")).at(-1)).toContain("stopped");

  await press(/^Close$/);
  await page.waitForSelector("text=closed by you");
  expect(await texts(".message.prompt")).toHaveLength(4);
  await say("and now?");
  await turns(5);
  expect((await texts(".message.answer")).at(-1)).toBe("well: and now?");
});

it("completes commands and files in a message, and sends a file's content and an image to the model", async () => {
  writeFileSync(join(here.scratch.project, "notes.txt"), "the lighthouse is green");
  const field = page.locator(".composer textarea");
  await field.fill("/compac");
  await page.getByRole("option", { name: "/compact" }).waitFor();
  await field.press("Tab");
  expect(await field.inputValue()).toBe("/compact ");
  await field.fill("look at @not");
  await page.getByRole("option", { name: "@notes.txt" }).waitFor();
  await field.press("Enter");
  expect(await field.inputValue()).toBe("look at @notes.txt ");
  const png = Buffer.from(PNG, "base64");
  await page.locator(".composer input[type=file]").setInputFiles([
    { name: "dot.png", mimeType: "image/png", buffer: png },
    { name: "a.svg", mimeType: "image/svg+xml", buffer: png },
  ]);
  await page.getByRole("alert").getByText("Not attached: a.svg").waitFor();
  await page.locator(".composer .attachment img").waitFor();
  await field.press("Enter");
  await turns(6);
  expect(await page.locator(".composer .attachment").count()).toBe(0);
  expect((await texts(".message.prompt")).at(-1)).toContain("1 image");
  const sent = JSON.stringify(lastAsked().messages);
  expect(sent).toContain("the lighthouse is green");
  expect(sent).toContain(PNG);
});

it("answers a question from Now, allows for the session, changes mode and model, and forks", async () => {
  await say("choose");
  const chat = page.url();
  await page.waitForSelector(".inline-request");
  await go("/");
  const card = page.getByRole("region", { name: "Needs you" }).locator(".request-card:not(.settled)");
  await card.getByLabel(/^SQLite/).check();
  await answerCard(card, /^Answer/);
  await page.goto(chat);
  await turns(7);
  expect(await texts(".call-body .chosen")).toEqual([" SQLite small"]);
  // Only the conversation scrolls: a longer document would leave too little room to read a request.
  expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);

  await say("make same");
  await page.waitForSelector(".inline-request");
  await answer("Allow for this session");
  await turns(8);
  await say("make same");
  await turns(9);
  expect(await texts(".notice")).toContainEqual(expect.stringContaining("Allowed for this session"));

  await page.getByLabel("Mode", { exact: true }).selectOption("bypassPermissions");
  await page.getByLabel("Model").fill("claude-haiku-4-5");
  await page.getByLabel("Model").press("Enter");
  await expect.poll(() => texts(".notice")).toContain("Model changed to haiku-4.5");
  await say("make unasked");
  await turns(10);
  expect(isMade("unasked")).toBe(true);
  expect(lastAsked().model).toBe("claude-haiku-4-5");

  await press(/^Fork$/);
  await page.getByText("Forked from").waitFor();
  expect(page.url()).not.toBe(chat);
  await say("what was said?");
  await turns(1);
  expect(JSON.stringify(lastAsked().messages)).toContain("count again");
});

it("shows the same cost in header, list and everywhere else, also in its first turn", async () => {
  const { sessionId } = await here.start({ prompt: "make costly", maxBudgetUsd: 5 });
  await go(`/steer/${sessionId}`);
  await page.waitForSelector(".inline-request");
  const path = `/api/sessions/${sessionId}`;
  const cost = async () => (await here.ask<SessionDetail>("GET", path)).body.session.cost;
  await expect.poll(async () => (await cost()).micros).toBeGreaterThan(10_000);
  const text = costText(await cost())!;
  await expect.poll(() => texts(".chat-head .cost")).toEqual([`${text} of $5.00`]);
  await go("/steer");
  const row = page.locator(`.driven-row[href='/steer/${sessionId}'] .number`).first();
  await expect.poll(() => row.textContent()).toBe(text);
  expect((await here.hookline.run("sessions")).stdout).toContain(` ${text} `);
  await go("/sessions");
  await expect.poll(() => texts(".cost.number")).toContain(text);
});

it("recovers from a daemon crash during streaming: partial text is cut off, and nothing is duplicated", async () => {
  const { sessionId } = await here.start({ prompt: "count" });
  await go(`/steer/${sessionId}`);
  await expect.poll(() => texts(".in-progress")).toEqual([expect.stringContaining("word5")]);
  await here.daemon.kill("SIGKILL");
  await page.waitForSelector("text=Disconnected. Reconnecting");
  const [read = ""] = await texts(".in-progress");
  here.daemon = await here.hookline.start();
  await page.waitForSelector("text=Closed:");
  expect(await texts(".message")).toEqual([expect.stringContaining("count"), `${read} · interrupted`]);
  expect(WORDS.startsWith(read) && read.length < WORDS.length).toBe(true);
  await say("go on");
  await turns(1);
  expect(await texts(".message")).toEqual([
    expect.stringContaining("count"),
    `${read} · interrupted`,
    expect.stringContaining("go on"),
    "well: go on",
  ]);
});

it("repeats a lost request after a daemon crash, and keeps the typed draft", async () => {
  const { sessionId } = await here.start({ prompt: "hostile" });
  await go(`/steer/${sessionId}`);
  await turns(1);
  expect(await page.locator(".chat-log img, .chat-log a").count()).toBe(0);
  expect(await texts(".message.answer")).toEqual([expect.stringContaining("\\u202eevil")]);
  await say("make late");
  await page.waitForSelector(".inline-request");
  const before = await texts(".message");

  await here.daemon.kill("SIGKILL");
  await page.waitForSelector("text=Disconnected. Reconnecting");
  await page.fill(".composer textarea", "typed meanwhile");
  here.daemon = await here.hookline.start();
  await page.waitForSelector("text=Ask again");
  expect(await texts(".message")).toEqual(before);
  // The request is read in full, also on a phone.
  const cut =
    "[...document.querySelectorAll('.inline-request, .inline-request *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length";
  expect(await page.evaluate(cut)).toBe(0);
  await page.reload();
  await page.waitForSelector("text=Ask again");
  expect(await texts(".message")).toEqual(before);
  expect(await page.inputValue(".composer textarea")).toBe("typed meanwhile");
  await page.fill(".composer textarea", "");
  // A card that has just moved cannot be pressed, and on a busy machine the page may still be settling.
  await expect
    .poll(
      async () => {
        const again = page.getByRole("button", { name: "Ask again" });
        if ((await again.count()) > 0)
          await again
            .first()
            .click({ timeout: 5_000 })
            .catch(() => undefined);
        return page.locator(".message.prompt").count();
      },
      { interval: 3_000 },
    )
    .toBe(3);
  expect(await page.getByRole("button", { name: "Ask again" }).count()).toBe(0);
});
