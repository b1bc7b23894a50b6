import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Card } from "../../src/control/control-contract.ts";
import {
  describeOrder,
  orders,
  type Requester,
  type Step,
} from "../../src/control/terminal/request-orders.testing.ts";
import type { SessionSnapshot } from "../../src/serve/contract.ts";
import { freePort, openBrowser } from "../support/browser.ts";
import { createScratch, openClaudeTmux, type Scratch } from "../support/claude.ts";
import { homeOf, runHookline } from "../support/cli.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import type { TmuxSession } from "../support/tmux.ts";
import { pressAnswer } from "./press-answer.ts";

needs(import.meta.filename, "chromium", "tmux");

// A real Claude Code in a terminal, with background subagents, and a real browser: orders of events for two and
// three requests. Only what was shown is answered, no request vanishes, and the counts are correct.

const HOLD_SECONDS = 12;
/** From the model's answer to the card: Claude Code starts two hooks in between, slowly on a busy machine. */
const ASKED_MS = 45_000;
let browser: Browser;
let scratch: Scratch;
let api: FakeApi;
let page: Page;
/** The request an agent makes in its turn. */
const gates = new Map<string, PromiseWithResolvers<void>>();
let current: readonly Requester[] = [];

beforeAll(async () => {
  [browser, scratch] = await Promise.all([openBrowser(), createScratch()]);
  mkdirSync(homeOf(scratch), { recursive: true, mode: 0o700 });
  const approve = { holdSeconds: HOLD_SECONDS };
  const config = { port: await freePort(), approve, memory: { embedder: null } };
  writeFileSync(join(homeOf(scratch), "config.json"), JSON.stringify(config));
  await run("install", "--approve");
  await run("up");
  scratch.onCleanup(() => run("down"));
  // A session being killed may still call its model, and must not get the next one's script.
  let playing: string | undefined;
  api = await openFakeApi(async ({ lastUserText, agentId, sessionId }) => {
    const line = lastUserText.split("\n").at(-1) ?? "";
    const [, name] = /^look (\w+)/.exec(line) ?? [];
    if (agentId !== undefined) return name === undefined ? { text: "Looked." } : bash(name);
    if (line.startsWith("both")) return { tools: both };
    if (line.startsWith("go")) {
      playing = sessionId;
      return { tools: agents() };
    }
    if (sessionId !== playing) return { text: "Too late." };
    const main = current.find(({ by, name: request }) => by === "main" && !begun.has(request));
    return main === undefined ? { text: "Well then." } : bash(main.name);
  });
  scratch.onCleanup(() => api.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 1600 } });
  page = await context.newPage();
  await page.goto((await run("open", "--print")).trim());
  await page.locator(".connection.live").waitFor();
});
afterAll(async () => {
  await browser?.close();
  await scratch?.cleanup();
});

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHookline(scratch, args, { HOOKLINE_PORT: "" });
  if (code !== 0) throw new Error(`hookline ${args.join(" ")}: ${stderr}`);
  return stdout;
}

const begun = new Set<string>();

async function bash(name: string): Promise<Turn> {
  begun.add(name);
  await gates.get(name)!.promise;
  return { tools: [{ name: "Bash", input: { command: commandOf(name), description: `Make ${name}` } }] };
}

function agents(): NonNullable<Turn["tools"]> {
  const asking = current.filter(({ by }) => by === "agent");
  return asking.map(({ name }) => ({
    name: "Agent",
    input: { description: `Agent ${name}`, prompt: `look ${name}`, subagent_type: "general-purpose" },
  }));
}

const commandOf = (name: string): string => `touch ${name}.txt`;
const cards = (): Locator => page.locator("article.request-card[data-request]:not(.over)");
const shownCommands = (): Promise<string[]> =>
  cards().locator("[data-shown=command], .recorded-request .code-text").allTextContents();

async function until(check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

async function listed(): Promise<readonly Pick<Card, "input" | "status">[]> {
  return JSON.parse(await run("answer", "--json")) as Card[];
}

async function statusOf(name: string): Promise<string | undefined> {
  const found = (await listed()).find(
    (card) => (card.input as { command?: string }).command === commandOf(name),
  );
  return found?.status;
}

/** The terminal shows one dialog after the other, in the order in which they became available. */
function isPlayable(asking: readonly Requester[], steps: readonly Step[]): boolean {
  const dialogs: string[] = [];
  const held = new Set<string>();
  const isAgent = (name: string): boolean => asking.find((request) => request.name === name)?.by === "agent";
  let hasStarted = false;
  for (const step of steps) {
    if (step.act === "stop") return false;
    if (step.act === "restart") {
      for (const { name } of asking) if (isAgent(name)) return false;
      continue;
    }
    hasStarted ||= step.act === "ask";
    if ((step.act === "ask" && !isAgent(step.of)) || (step.act === "release" && isAgent(step.of)))
      dialogs.push(step.of);
    if (step.act === "terminal" && dialogs[0] !== step.of) return false;
    if (step.act === "terminal" || step.act === "page") {
      const at = dialogs.indexOf(step.of);
      if (at !== -1) dialogs.splice(at, 1);
    }
    if (step.act === "ask" && isAgent(step.of)) held.add(step.of);
    if (step.act === "page" || step.act === "release") held.delete(step.of);
    // Losing focus releases all agents at once: which of them then comes first is undefined.
    if (step.act === "release" && held.size > 0) return false;
    // An agent is held for 15 s: on a slow machine few steps fit into that.
    const asked = steps.findIndex(
      (request) => request.act === "ask" && "of" in step && request.of === step.of,
    );
    if (step.act === "page" && isAgent(step.of) && steps.indexOf(step) - asked > 2) return false;
    // The main agent's hold takes long, and waiting agents would be released meanwhile.
    if (step.act === "release" && !isAgent(step.of)) return false;
  }
  return hasStarted;
}

/** This many orders, evenly spread, of those that end with everything answered. */
function chosen(asking: readonly Requester[], count: number): Step[][] {
  const all = [...orders(asking, [])].filter(
    (steps) =>
      isPlayable(asking, steps) &&
      asking.every(({ name }) =>
        steps.some((step) => (step.act === "page" || step.act === "terminal") && step.of === name),
      ),
  );
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / count)]!);
}

const both = [
  { name: "Write", input: { file_path: "one.txt", content: "one" } },
  { name: "Bash", input: { command: "touch two.txt", description: "Make two" } },
];

it("shows one card for each of two calls in a message, also while the pointer stays on the allowed one", async () => {
  both[0]!.input.file_path = join(scratch.project, "one.txt");
  const claude = await openClaudeTmux(scratch, { api, args: ["--permission-mode", "default"], rows: 50 });
  onTestFinished(() => claude.kill());
  await claude.waitFor(/❯/);
  // Includes each placeholder that appeared for a moment.
  const seen = new Set<string>();
  await page.exposeFunction("seen", (keys: string[]) => keys.forEach((key) => void seen.add(key)));
  await page.evaluate(`new MutationObserver(() => window.seen([...document.querySelectorAll("[data-request]")]
    .map((one) => one.dataset.request))).observe(document.body, { subtree: true, childList: true, attributes: true })`);
  await claude.type("both");
  await claude.press("Enter", /Write|one\.txt/);
  const first = cards().filter({ hasText: "one.txt" });
  await first.locator(".answer-card").waitFor({ timeout: ASKED_MS });
  // The registry reports that it waits, since the terminal shows its own dialog.
  await claude.waitFor(/Do you want to/);
  await until(async () => {
    const [session] = JSON.parse(await run("sessions", "--json")) as SessionSnapshot[];
    expect(session!.evidence.map(({ source }) => source)).toContain("registry");
  });
  await pressAnswer(first, () => first.getByRole("button", { name: "Allow once" }).click());
  const second = cards().filter({ hasText: "touch two.txt" });
  await second.locator(".answer-card").waitFor({ timeout: ASKED_MS });
  // An answer of one's own leaves no trace that would push the next card down.
  expect(await page.locator(".request-card.settled").count()).toBe(0);
  expect(seen.size).toBe(2);
  await page.mouse.move(2, 2);
  await pressAnswer(second, () => second.getByRole("button", { name: "Allow once" }).click());
  await until(async () => expect(await page.title()).toBe("Hookline"));
});

let cases = 0;
const CASES = [
  { by: ["main", "agent"], count: 5 },
  { by: ["agent", "agent"], count: 4 },
  { by: ["main", "agent", "agent"], count: 5 },
] as const;
const all = CASES.flatMap(({ by, count }) => {
  const asking = by.map((who, at) => ({ name: "abc"[at]!, by: who }));
  return chosen(asking, count).map((steps) => ({ asking, steps, title: describeOrder(steps) }));
});

/**
 * An agent is held for at most 15 s, and the first agent that calls the model gets the script: if a step took longer,
 * or an agent never asked, another order was played.
 */
class OtherOrder extends Error {}

it.each(all)("$title", async ({ asking, steps }) => {
  for (let tries = 1; ; tries++) {
    try {
      return await play(asking, steps);
    } catch (error) {
      if (!(error instanceof OtherOrder) || tries === 3) throw error;
      await until(async () => expect(await page.title()).toBe("Hookline"));
    }
  }
});

async function play(asking: readonly Requester[], steps: readonly Step[]): Promise<void> {
  const prefix = `case${++cases}`;
  const own = (name: string): string => `${prefix}${name}`;
  current = asking.map(({ name, by }) => ({ name: own(name), by }));
  begun.clear();
  for (const { name } of current) gates.set(name, Promise.withResolvers());
  const claude = await openClaudeTmux(scratch, { api, args: ["--permission-mode", "default"], rows: 50 });
  try {
    await claude.waitFor(/❯/);
    await claude.type("go");
    // An Enter while the terminal is still being drawn may be lost.
    await claude.press("Enter", /background agent|Agent /);
    await until(async () => expect(begun.size).toBe(current.length));
    await playSteps(claude, steps, own);
  } catch (error) {
    await tellWhy(claude);
    throw error;
  } finally {
    await claude.kill();
  }
}

/** The visible state, for the failure message. */
async function tellWhy(claude: TmuxSession): Promise<void> {
  const parts = [claude.screen(), run("answer", "--json"), run("tail", "--json", "-n", "40")];
  const shown = await cards().allTextContents();
  console.error([...(await Promise.all(parts)), ...shown].join("\n"));
}

async function playSteps(
  claude: TmuxSession,
  steps: readonly Step[],
  own: (name: string) => string,
): Promise<void> {
  const waiting: string[] = [];
  for (const step of steps) {
    if (!("of" in step)) continue;
    const name = own(step.of);
    const card = cards().filter({
      has: page.locator("[data-shown=command]", { hasText: commandOf(name) }),
    });
    if (step.act === "ask") {
      gates.get(name)!.resolve();
      waiting.push(name);
      await card
        .locator(".answer-card")
        .waitFor({ timeout: ASKED_MS })
        .catch(async (error: unknown) => {
          const told = [await claude.screen(), await run("tail", "--json", "-n", "100")].join("\n");
          const isAsked = told.includes(commandOf(name));
          throw (await statusOf(name)) === "terminal" || !isAsked ? new OtherOrder() : error;
        });
    } else if (step.act === "release") {
      // A user who looks elsewhere has the dialog in the terminal.
      await page.goto(new URL("/settings", page.url()).href);
      await until(async () => expect(await statusOf(name)).toBe("terminal"));
      await page.goto(new URL("/", page.url()).href);
    } else {
      if (step.act === "page")
        await pressAnswer(card, () => card.getByRole("button", { name: "Allow once" }).click()).catch(
          async (error: unknown) => {
            throw (await statusOf(name)) === "terminal" ? new OtherOrder() : error;
          },
        );
      else {
        await claude.waitFor(new RegExp(`${commandOf(name)}[^]*Do you want to proceed`));
        await sleep(700);
        await claude.keys("Enter");
      }
      waiting.splice(waiting.indexOf(name), 1);
      await until(async () => expect(existsSync(join(scratch.project, `${name}.txt`))).toBe(true));
    }
    await page.mouse.move(2, 2);
    await until(async () => {
      expect((await shownCommands()).sort()).toEqual(waiting.map(commandOf).sort());
      expect(await page.title()).toBe(waiting.length === 0 ? "Hookline" : `(${waiting.length}) Hookline`);
    });
    const listed = JSON.parse(await run("answer", "--json")) as { input?: { command?: string } }[];
    expect(listed.map(({ input }) => (input as { command?: string }).command).sort()).toEqual(
      waiting.map(commandOf).sort(),
    );
    for (const { name: other } of current)
      expect(existsSync(join(scratch.project, `${other}.txt`)) && waiting.includes(other)).toBe(false);
  }
}

it("leaves all three to their terminal when the daemon is killed, and shows them again", async () => {
  const asking = ["main", "agent", "agent"].map(
    (by, at) => ({ name: `killed${"abc"[at]}`, by }) as Requester,
  );
  current = asking;
  begun.clear();
  for (const { name } of current) gates.set(name, Promise.withResolvers());
  await page.goto(new URL("/", page.url()).href);
  const claude = await openClaudeTmux(scratch, { api, args: ["--permission-mode", "default"], rows: 50 });
  onTestFinished(() => claude.kill());
  await claude.waitFor(/❯/);
  await claude.type("go");
  // An Enter while the terminal is still being drawn may be lost.
  await claude.press("Enter", /background agent|Agent /);
  await until(async () => expect(begun.size).toBe(3));
  for (const { name } of current) gates.get(name)!.resolve();
  await until(async () => expect(await cards().locator(".answer-card").count()).toBe(3)).catch(
    async (error: unknown) => {
      await tellWhy(claude);
      throw error;
    },
  );
  process.kill(Number(readFileSync(join(homeOf(scratch), "daemon.pid"), "utf8")), "SIGKILL");
  await page.locator(".connection.lost").waitFor();
  await run("up");
  await page.locator(".connection.live").waitFor();
  const left = new Set(current.map(({ name }) => name));
  for (let rest = 3; rest > 0; rest--) {
    await until(async () => {
      expect((await shownCommands()).sort()).toEqual([...left].map(commandOf).sort());
      expect(await page.title()).toBe(`(${rest}) Hookline`);
    });
    const screen = await claude.waitFor(/Do you want to proceed/);
    const front = [...left].find((name) => screen.includes(commandOf(name)))!;
    await sleep(700);
    await claude.keys("Enter");
    await until(async () => expect(existsSync(join(scratch.project, `${front}.txt`))).toBe(true));
    left.delete(front);
  }
  await until(async () => expect(await page.title()).toBe("Hookline"));
});
