import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SessionSnapshot } from "../../src/serve/contract.ts";
import { freePort, openBrowser, tabTo } from "../support/browser.ts";
import { createScratch, openClaudeTmux, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline, until } from "../support/cli.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import type { TmuxSession } from "../support/tmux.ts";
import { type StreamWatcher, watchStream } from "../support/watch-stream.ts";

needs(import.meta.filename, "chromium", "tmux");

// One user, one browser, no mouse: a real Claude Code at a terminal asks, and is answered from the page.

const DATABASE = "Which database should we use?";
const question = {
  question: DATABASE,
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: "a server" },
  ],
};
const STEPS = 8;
const stepCommand = (step: number) => `sleep 0.5 && echo step ${step}`;
const bash = (command: string): Turn => ({
  tools: [{ name: "Bash", input: { command, description: "Run it" } }],
});

/** The model's turn, by the last line of its prompt. */
function turnFor(line: string): Turn {
  if (line.startsWith("run ")) return bash(line.slice(4));
  if (line.startsWith("ask"))
    return { tools: [{ name: "AskUserQuestion", input: { questions: [question] } }] };
  const [, step] = /^step (\d+)/.exec(line) ?? (line.startsWith("work") ? ["", "0"] : []);
  if (step !== undefined && Number(step) < STEPS) return bash(stepCommand(Number(step) + 1));
  return { text: "Well then." };
}

let browser: Browser;
let scratch: Scratch;
let api: FakeApi;
let claude: TmuxSession;
let stream: StreamWatcher;
let context: BrowserContext;
let page: Page;

/** What the browser showed besides its pages. */
const WATCHED = `
  globalThis.notices = [];
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    const { body, tag } = options;
    return show.call(this, title, options).then(() => void notices.push({ body, tag }));
  };
`;

beforeAll(async () => {
  [browser, scratch] = await Promise.all([openBrowser(), createScratch()]);
  mkdirSync(homeOf(scratch), { recursive: true, mode: 0o700 });
  writeFileSync(join(homeOf(scratch), "config.json"), JSON.stringify({ port: await freePort() }));
  await run("install", "--approve");
  await run("up");
  scratch.onCleanup(() => run("down"));
  api = await openFakeApi(({ lastUserText }) => turnFor(lastUserText.split("\n").at(-1) ?? ""));
  scratch.onCleanup(() => api.close());
  stream = await watchStream(scratch);
  const allowed = ["--allowedTools", "Bash(sleep:*)", "Bash(echo:*)"];
  claude = await openClaudeTmux(scratch, {
    api,
    args: ["--permission-mode", "default", ...allowed],
  });
  context = await browser.newContext({ permissions: ["notifications"] });
  await context.addInitScript(WATCHED);
  page = await context.newPage();
  await page.goto((await run("open", "--print")).trim());
  await page.locator(".connection.live").waitFor();
  await claude.waitFor(/❯/);
  await stream.until(() => true);
});
afterAll(async () => {
  await browser?.close();
  await scratch?.cleanup();
});

/** Without a port of its own: uses the configured one. */
async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHookline(scratch, args, { HOOKLINE_PORT: "" });
  if (code !== 0) throw new Error(`hookline ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** An Enter while the terminal is still being drawn may be lost. */
async function say(text: string): Promise<void> {
  await claude.type(text);
  const hasHeard = () => api.requests.some(({ lastUserText }) => lastUserText.endsWith(text));
  for (let tries = 0; tries < 5 && !hasHeard(); tries++) {
    await claude.keys("Enter");
    await until(hasHeard, 3_000).catch(() => undefined);
  }
}

const needsYou = () => page.getByRole("region", { name: "Needs you" });
/** The pending request, not a placeholder for a settled one. */
const card = () => needsYou().locator(".request-card:not(.settled)");
/** A card that has just arrived accepts no answer for a moment. */
async function focusCard(): Promise<void> {
  await page.keyboard.press("j");
  await page.locator(".request-card[data-answerable=yes]:focus:has(.answer-card:enabled)").waitFor();
}
const title = () => page.title();
const icon = () => page.getAttribute("#favicon", "href");
const isThere = (name: string) => existsSync(join(scratch.project, name));
const mine = (): SessionSnapshot => stream.sessions().at(-1)!;
const atRest = (): Promise<unknown> => expect.poll(() => mine().activityPhase).toBe("interactable");
const toldModel = (text: string): Promise<unknown> => {
  const words = JSON.stringify(text).slice(1, -1);
  const isTold = () => api.requests.some(({ body }) => JSON.stringify(body.messages).includes(words));
  return expect.poll(isTold).toBe(true);
};

it("shows a permission with its exact command, and allows it by keyboard", async () => {
  expect([await title(), await icon()]).toEqual(["Hookline", "/icon.svg"]);
  const command = 'touch "made by page.txt" && echo $((1 + 1))';
  await say(`run ${command}`);
  await card().getByRole("button", { name: "Allow once" }).waitFor();
  const { waiting } = await stream.until((session) => session.waiting !== null);
  expect(waiting!.text).toBe(command);
  expect(await card().locator("[data-shown=command]").textContent()).toBe(command);
  expect([await title(), await icon()]).toEqual(["(1) Hookline", "/icon-waiting.svg"]);
  await claude.waitFor(/Do you want to proceed/);
  expect(isThere("made by page.txt")).toBe(false);

  await focusCard();
  await page.keyboard.press("y");
  await card().waitFor({ state: "detached" });
  await expect.poll(() => isThere("made by page.txt")).toBe(true);
  await expect.poll(title).toBe("Hookline");
  expect(await icon()).toBe("/icon.svg");
  await atRest();
});

it("has a question answered with one of its options", async () => {
  await say("ask me");
  await card().getByText(DATABASE).waitFor();
  await claude.waitFor(/Which database/);
  await focusCard();
  await tabTo(page, /^SQLite/);
  await page.keyboard.press("ArrowDown");
  await tabTo(page, /^Answer$/);
  await page.keyboard.press("Enter");
  await card().waitFor({ state: "detached" });
  await toldModel(`"${DATABASE}"="Postgres"`);
  await atRest();
});

it("denies with a reason, and notifies an unfocused user", async () => {
  await page.keyboard.press("g");
  await page.keyboard.press(",");
  await tabTo(page, /^Notifications/, 60);
  await page.keyboard.press("Space");
  await page.getByRole("switch", { name: "Notifications", checked: true }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  // Playwright makes every page believe that it has focus.
  await page.evaluate("document.hasFocus = () => false");
  await say("run touch refused.txt");
  await expect
    .poll(() => page.evaluate("notices"))
    .toEqual([{ body: "touch refused.txt", tag: expect.any(String) }]);
  const [{ tag }] = (await page.evaluate("notices")) as [{ tag: string }];
  expect(tag).toBe((await stream.until((session) => session.waiting !== null)).waiting!.requestId);
  await page.evaluate("delete document.hasFocus");
  await focusCard();
  await tabTo(page, /^Deny with a reason/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("Take the other file.");
  await page.keyboard.press("Enter");
  await card().waitFor({ state: "detached" });
  await toldModel("Take the other file.");
  expect(isThere("refused.txt")).toBe(false);
  await atRest();
});

it("shows that it is disconnected while the daemon is down, and every call once afterwards", async () => {
  const { sessionId } = mine();
  const session = await context.newPage();
  // Tall enough to show everything: content far outside the window is not rendered.
  await session.setViewportSize({ width: 1_000, height: 3_000 });
  await session.goto(new URL(`/s/${sessionId}`, page.url()).href);
  await say("work");
  const subjects = () => session.locator(".call-view .subject").allTextContents();
  await expect.poll(subjects).toContain(stepCommand(2));
  const { pid } = JSON.parse(readFileSync(join(homeOf(scratch), "daemon.json"), "utf8")) as { pid: number };
  process.kill(pid, "SIGKILL");
  for (const subject of [page, session]) await subject.getByText(/Disconnected since/).waitFor();
  await until(() => api.requests.some(({ lastUserText }) => lastUserText.includes("step 5")));
  expect(await subjects()).not.toContain(stepCommand(6));
  await run("up");
  stream = await watchStream(scratch);
  for (const one of [page, session]) await one.locator(".connection.live").waitFor();

  const commands = Array.from({ length: STEPS }, (_, index) => stepCommand(index + 1));
  await expect
    .poll(async () => (await subjects()).filter((subject) => subject.startsWith("sleep")))
    .toEqual(commands);
  const kept = () =>
    queryDatabase(
      scratch,
      `SELECT payload_json ->> '$.toolInput.command' AS command FROM events
       WHERE event_type = 'tool_observation' AND session_id = '${sessionId}' ORDER BY timestamp`,
    ).map(({ command }) => String(command));
  await expect.poll(() => kept().filter((command) => command.startsWith("sleep"))).toEqual(commands);
  await atRest();
  expect(await subjects()).toHaveLength(kept().length);
  await expect.poll(() => needsYou().textContent()).toContain("All clear. Nothing needs you.");
  await expect.poll(() => page.getByRole("region", { name: "Running" }).textContent()).toContain("idle");
  await session.close();
});
