import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { openStreamServer } from "../../src/cli/stream-server.testing.ts";
import type { Card } from "../../src/control/control-contract.ts";
import { openSteering, type Steering } from "../support/control.ts";
import type { FakeRequest, Turn } from "../support/fake-api.ts";
import { type Hookline, openScratch } from "../support/hookline.ts";
import { openTmux, type TmuxSession } from "../support/tmux.ts";

// `hookline top` on a real terminal, over the real daemon and sessions of the real Claude Code.

const BIN = join(import.meta.dirname, "../../bin/hookline");
const HOSTILE = "evil \u001b[2J\u001b]0;owned\u0007 end";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Screen {
  readonly env: Readonly<Record<string, string>>;
  readonly cols?: number;
  readonly rows?: number;
  readonly args?: string;
}

/** In a shell, which has a line before it and says afterwards how it ended. */
async function openTop({ env, cols = 80, rows = 24, args = "" }: Screen): Promise<TmuxSession> {
  const script = `echo "my own line"; ${BIN} top ${args}; echo "left with $?"; exec sleep 300`;
  const whole = { LANG: "C.UTF-8", TERM: "xterm-256color", ...env };
  const tmux = await openTmux({ command: ["/bin/sh", "-c", script], cwd: "/", env: whole, cols, rows });
  ends.push(() => tmux.kill());
  return tmux;
}

async function expectRestored(tmux: TmuxSession): Promise<string> {
  const screen = await tmux.waitFor(/left with \d/);
  expect(screen).toContain("my own line");
  expect(screen).not.toMatch(/STATE +AGE/);
  expect(await tmux.ask("#{alternate_on} #{cursor_flag}")).toBe("0 1");
  return screen;
}

function answers({ lastUserText }: FakeRequest): Turn {
  const make = (name: string): Turn => ({ tools: [{ name: "Bash", input: { command: `touch ${name}` } }] });
  if (lastUserText.startsWith("make ")) return make(lastUserText.slice(5));
  if (lastUserText === "choose") {
    const options = [
      { label: "Postgres", description: "big" },
      { label: "SQLite", description: "small" },
    ];
    const question = { question: "Which database?", header: "Store", multiSelect: false, options };
    return { tools: [{ name: "AskUserQuestion", input: { questions: [question] } }] };
  }
  return { text: "well then" };
}

async function steer(): Promise<Steering> {
  const steering = await openSteering(answers);
  ends.push(() => steering.close());
  return steering;
}

async function cards({ ask }: Steering): Promise<readonly Card[]> {
  return (await ask<{ cards: Card[] }>("GET", "/api/control/cards")).body.cards;
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !(await isSo()); await sleep(50))
    if (Date.now() > end) throw new Error(`not within 20 s: ${isSo}`);
}

function open(): Hookline {
  const hookline = openScratch();
  ends.push(() => hookline.close());
  return hookline;
}

async function work({ fire, root }: Hookline, index = 0): Promise<void> {
  const cwd = join(root, `project-${index}`);
  const session = {
    session_id: `aaaa000${index}-0000-4000-8000-000000000000`,
    cwd,
    transcript_path: "/none",
  };
  await fire({ hook_event_name: "UserPromptSubmit", ...session, prompt: HOSTILE });
}

describe("on 80 columns and 24 lines", () => {
  it("shows who asks, and answers permissions and questions", async () => {
    const steering = await steer();
    const { project } = steering.scratch;
    await steering.start({ prompt: "make allowed" });
    await until(async () => (await cards(steering)).length === 1);
    const tmux = await openTop({ env: steering.hookline.env });
    const first = await tmux.waitFor(/y allows once/);
    expect(first).toMatch(/› ◆ permission +\d+s acme-shop +Bash: touch allowed/);
    expect(first).not.toMatch(/MODEL|TOK|▸ BRANCH/);
    await sleep(400);
    await tmux.keys("y");
    await until(() => existsSync(join(project, "allowed")));

    await steering.start({ prompt: "make denied" });
    await tmux.waitFor(/Bash: touch denied/);
    await tmux.keys("n");
    await tmux.waitFor(/› ◆ permission[^\n]*touch denied[\s\S]*y allows once/);
    await sleep(400);
    await tmux.type("D");
    await tmux.type("not that one");
    await tmux.keys("Enter");
    await tmux.waitFor(/Bash: deny/);
    const told = (): boolean =>
      steering.api.requests.some(({ lastUserText }) => /not that one/.test(lastUserText));
    await until(told);
    expect(existsSync(join(project, "denied"))).toBe(false);

    await steering.start({ prompt: "choose" });
    await tmux.waitFor(/Which database/);
    await tmux.keys("n");
    await tmux.waitFor(/2\. SQLite[\s\S]*1-9 answers/);
    await sleep(400);
    await tmux.keys("2");
    await tmux.waitFor(/AskUserQuestion: answered/);
    await until(() => steering.api.requests.some(({ lastUserText }) => /SQLite/.test(lastUserText)));

    await tmux.keys("q");
    expect(await expectRestored(tmux)).toContain("left with 0");
  });
});

describe("on 160 columns and 50 lines", () => {
  it("shows all columns without a colour when NO_COLOR says so, filters, sorts, opens, helps", async () => {
    const hookline = open();
    await hookline.start();
    for (const index of [0, 1, 2]) await work(hookline, index);
    const env = { ...hookline.env, NO_COLOR: "1" };
    const tmux = await openTop({ env, cols: 160, rows: 50 });
    const screen = await tmux.waitFor(/project-2/);
    expect(screen).toMatch(/PROJECT ▸ BRANCH +ACTION +MODEL +CTX +TURN +TOK +COST/);
    expect(await tmux.styled()).not.toMatch(/\u001b\[[\d;]*m/);
    await tmux.type("/project-1");
    await tmux.keys("Enter");
    await tmux.waitFor(/\/project-1 +j\/k/);
    expect(await tmux.screen()).not.toMatch(/project-[02]/);
    await tmux.keys("Enter");
    await tmux.waitFor(/evil end[\s\S]*j\/k scroll/);
    await tmux.keys("Escape");
    await tmux.waitFor(/ACTION/);
    await tmux.keys("Escape");
    await tmux.waitFor(/project-2/);
    await tmux.type("s");
    await tmux.waitFor(/by age/);
    await tmux.type("?");
    await tmux.waitFor(/Any key goes back/);
    await tmux.keys("C-c");
    await expectRestored(tmux);
  });

  it("has colours otherwise, and only signs of ASCII when it is asked to", async () => {
    const hookline = open();
    await hookline.start();
    await work(hookline);
    const [coloured, plain] = [
      await openTop({ env: hookline.env, cols: 160, rows: 50 }),
      await openTop({ env: hookline.env, cols: 160, rows: 50, args: "--ascii" }),
    ];
    await coloured.waitFor(/● busy/);
    expect(await coloured.styled()).toMatch(/\u001b\[[\d;]*m/);
    expect(await plain.waitFor(/\* busy/)).toMatch(/^[\u0000-\u007f]*$/);
  });
});

describe("the terminal is as it was", () => {
  it("after a TERM", async () => {
    const hookline = open();
    await hookline.start();
    const tmux = await openTop({ env: hookline.env });
    await tmux.waitFor(/STATE +AGE/);
    const { stdout } = await promisify(execFile)("pgrep", ["-P", String(await tmux.pid())]);
    process.kill(Number(stdout.trim()), "SIGTERM");
    await expectRestored(tmux);
  });

  it("after something broke, which is then told", async () => {
    const server = await openStreamServer((stream) => stream.send("reset", { sessions: [] }, "a-1"));
    ends.push(() => server.close());
    const hookline = open();
    const tmux = await openTop({ env: { ...hookline.env, HOOKLINE_HOME: server.dir } });
    await tmux.waitFor(/STATE +AGE/);
    server.send("reset", { sessions: "these are none" });
    const screen = await expectRestored(tmux);
    expect(screen).toContain("left with 1");
    expect(screen).toMatch(/hookline: .*sessions|expected array/is);
  });
});

it("goes on without a daemon: reads the database, says so, and comes back", async () => {
  const hookline = open();
  const daemon = await hookline.start();
  await work(hookline);
  await hookline.settle();
  await until(() => hookline.query("SELECT 1 FROM session_snapshots").length > 0);
  await daemon.kill("SIGTERM");
  const tmux = await openTop({ env: hookline.env });
  expect(await tmux.waitFor(/No daemon runs: read from the database/)).toMatch(/● busy.*project-0/);
  await hookline.start();
  await tmux.waitFor(/^(?![\s\S]*No daemon runs)[\s\S]*● busy/);
  const once = await hookline.run("top", "--once");
  expect(once.stdout).toMatch(/^hookline top +1 busy/);
});

it("is for scripts, too: once, as JSON, and until somebody is needed", async () => {
  const hookline = open();
  await hookline.start();
  await work(hookline);
  await hookline.settle();
  const json = JSON.parse((await hookline.run("top", "--json")).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({
    source: "live",
    counts: "1 busy",
    sessions: [{ activityPhase: "busy" }],
    cards: [],
  });
  const once = await hookline.run("top", "--once");
  expect([once.code, once.stdout.includes("\u001b")]).toEqual([0, false]);
  expect((await hookline.run("top", "--once", "--exit-when", "needs-me")).code).toBe(1);
  expect((await hookline.run("top", "--exit-when", "never")).code).toBe(2);
  const waiting = hookline.run("top", "--exit-when", "needs-me");
  await sleep(500);
  await hookline.fire({
    hook_event_name: "PermissionRequest",
    session_id: "aaaa0000-0000-4000-8000-000000000000",
    cwd: hookline.root,
    transcript_path: "/none",
    tool_name: "Bash",
    tool_input: { command: "make" },
  });
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining("Bash: make") });
  expect((await hookline.run("top", "--once", "--exit-when", "needs-me")).code).toBe(0);
});
