import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { snapshot } from "../../src/cli/snapshot.testing.ts";
import { openStreamServer } from "../../src/cli/stream-server.testing.ts";
import type { Card } from "../../src/control/control-contract.ts";
import { openSteering, type Steering } from "../support/control.ts";
import type { FakeRequest, Turn } from "../support/fake-api.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { needs } from "../support/needs.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { openTmux, type TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

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

/** In a shell that prints a line before it and its exit afterwards. */
async function openTop({ env, cols = 80, rows = 24, args = "" }: Screen): Promise<TmuxSession> {
  const raw = "stty -a | grep -c -- -icanon";
  const script = `echo "my own line"; ${BIN} top ${args}; echo "left with $?, raw: $(${raw})"; exec sleep 300`;
  const whole = { LANG: "C.UTF-8", TERM: "xterm-256color", ...env };
  const tmux = await openTmux({ command: ["/bin/sh", "-c", script], cwd: "/", env: whole, cols, rows });
  ends.push(() => tmux.kill());
  return tmux;
}

async function expectRestored(tmux: TmuxSession): Promise<string> {
  const screen = await tmux.waitFor(/left with \d+, raw: 0/);
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
  for (const end = Date.now() + PATIENCE_MS; !(await isSo()); await sleep(50))
    if (Date.now() > end) throw new Error(`not within ${PATIENCE_MS} ms: ${isSo}`);
}

function open(): Hookline {
  const hookline = openHookline();
  ends.push(() => hookline.close());
  return hookline;
}

/** The process of `top` itself: the shell's child. */
async function pidOf(tmux: TmuxSession): Promise<number> {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(await tmux.pid())]);
  return Number(stdout.trim());
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
  it("shows requests, and answers permissions and questions", async () => {
    const steering = await steer();
    const { project } = steering.scratch;
    await steering.start({ prompt: "make allowed" });
    await until(async () => (await cards(steering)).length === 1);
    const tmux = await openTop({ env: steering.hookline.env });
    const first = await tmux.waitFor(/y allow once/);
    expect(first).toMatch(/› ◆ permission +\d+s acme-shop +Bash: touch allowed/);
    expect(first).not.toMatch(/MODEL|TOK|▸ BRANCH/);
    await sleep(400);
    await tmux.keys("y");
    await until(() => existsSync(join(project, "allowed")));

    await steering.start({ prompt: "make denied" });
    await tmux.waitFor(/◆ permission[^\n]*touch denied/);
    await tmux.keys("n");
    await tmux.waitFor(/› ◆ permission[^\n]*touch denied[\s\S]*y allow once/);
    await sleep(400);
    await tmux.type("D");
    await tmux.type("not that one");
    await tmux.keys("Enter");
    await tmux.waitFor(/Bash: denied\./);
    const answered = (): boolean =>
      steering.api.requests.some(({ lastUserText }) => /not that one/.test(lastUserText));
    await until(answered);
    expect(existsSync(join(project, "denied"))).toBe(false);

    await steering.start({ prompt: "choose" });
    await tmux.waitFor(/\? question[^\n]*Which database/);
    await tmux.keys("n");
    await tmux.waitFor(/2\. SQLite[\s\S]*1-9 choose/);
    await sleep(400);
    await tmux.keys("2");
    await tmux.waitFor(/AskUserQuestion: answered/);
    await until(() => steering.api.requests.some(({ lastUserText }) => /SQLite/.test(lastUserText)));

    await tmux.keys("q");
    expect(await expectRestored(tmux)).toContain("left with 0");
  });
});

describe("over three sessions", () => {
  let hookline: Hookline;
  let other: TmuxSession;
  beforeAll(async () => {
    const env = { LANG: "C.UTF-8", TERM: "xterm-256color", PATH: "/usr/bin:/bin" };
    other = await openTmux({ command: ["sleep", "300"], cwd: "/", env });
    const [socket, server, pane] = (await other.ask("#{socket_path} #{pid} #{pane_id}")).split(" ");
    hookline = openHookline({ env: { TMUX: `${socket},${server},0`, TMUX_PANE: pane! } });
    await hookline.start();
    for (const index of [0, 1, 2]) await work(hookline, index);
  });
  afterAll(async () => {
    await hookline.close();
    await other.kill();
  });

  it("shows all columns on 160 by 50, without colours under NO_COLOR, and handles every key", async () => {
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
    await tmux.type("l");
    const tail = await tmux.waitFor(/project-1 · aaaa0001\n\d\d:\d\d:\d\d turn\.start +evil +end/);
    expect(tail).not.toContain("owned");
    await work(hookline, 1);
    await tmux.waitFor(/turn\.start[^\n]*\n[^\n]*turn\.start/);
    await tmux.keys("Escape");
    await tmux.waitFor(/ACTION/);
    await tmux.keys("Escape");
    await tmux.waitFor(/project-2/);
    await tmux.type("B");
    await tmux.waitFor(/\n project-0 *\n[› ] ● busy[^\n]*project-0/);
    await tmux.type("S");
    await tmux.waitFor(/by age/);
    await tmux.type("t");
    await tmux.waitFor(/Cannot jump there: its terminal is unknown/);
    await tmux.type("?");
    await tmux.waitFor(/Press any key to go back/);
    await tmux.keys("C-c");
    await expectRestored(tmux);
  });

  it("has colours otherwise, uses ASCII on request, and adapts to a smaller window", async () => {
    const [coloured, plain] = await Promise.all([
      openTop({ env: hookline.env, cols: 160, rows: 50 }),
      openTop({ env: hookline.env, cols: 160, rows: 50, args: "--ascii" }),
    ]);
    await coloured.waitFor(/● busy/);
    expect(await coloured.styled()).toMatch(/\u001b\[[\d;]*m/);
    expect(await plain.waitFor(/\* busy/)).toMatch(/^[\u0000-\u007f]*$/);
    await coloured.resize(80, 24);
    const small = await coloured.waitFor(/PROJECT +ACTION +CTX TURN +COST/);
    expect(small.match(/STATE/g)).toHaveLength(1);
    expect(small.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    await coloured.resize(120, 30);
    await coloured.waitFor(/PROJECT ▸ BRANCH +ACTION +MODEL/);
  });

  it("leaves the terminal as it was after a TERM and a HUP", async () => {
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      const tmux = await openTop({ env: hookline.env });
      await tmux.waitFor(/● busy/);
      process.kill(await pidOf(tmux), signal);
      await expectRestored(tmux);
    };
    await Promise.all([end("SIGTERM"), end("SIGHUP")]);
  });

  it("goes to the terminal of a session in tmux", async () => {
    const session = { session_id: "s1", cwd: hookline.root, transcript_path: "/none" };
    await hookline.fire({ hook_event_name: "SessionStart", ...session, source: "startup" });
    const tmux = await openTop({ env: hookline.env, cols: 160 });
    await tmux.waitFor(/○ idle/);
    await tmux.type("/idle");
    await tmux.keys("Enter");
    await tmux.waitFor(/\/idle +j\/k/);
    await tmux.type("t");
    await tmux.waitFor(/Its tmux session is detached; attach with: tmux -S \S+ attach -t/);
    await hookline.fire({ hook_event_name: "SessionEnd", ...session, reason: "other" });
  });

  it("supports scripts: once, as JSON, and until a person is needed", async () => {
    const top = (...args: string[]) => hookline.run("top", ...args);
    const [answered, once, noneNeeded, misused] = await Promise.all([
      top("--json"),
      top("--once"),
      top("--once", "--exit-when", "needs-me"),
      top("--exit-when", "never"),
    ]);
    const busy = { activityPhase: "busy" };
    const ended = { state: "completed" };
    expect(JSON.parse(answered.stdout)).toMatchObject({
      source: "live",
      counts: "3 busy",
      sessions: [busy, busy, busy, ended],
      cards: [],
    });
    expect([once.code, once.stdout.includes("\u001b")]).toEqual([0, false]);
    expect([noneNeeded.code, misused.code]).toEqual([1, 2]);
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
    expect((await top("--once", "--exit-when", "needs-me")).code).toBe(0);
  });
});

it("restores the terminal after an error, and reports it", async () => {
  const server = await openStreamServer((stream) => stream.send("reset", { sessions: [] }, "a-1"));
  ends.push(() => server.close());
  const tmux = await openTop({
    env: { PATH: "/usr/bin:/bin", HOME: "/", HOOKLINE_HOME: server.dir },
  });
  await tmux.waitFor(/^(?![\s\S]*Connecting)[\s\S]*STATE +AGE/);
  server.send("reset", { sessions: "these are none" });
  const screen = await expectRestored(tmux);
  expect(screen).toContain("left with 1");
  expect(screen).toMatch(/hookline: .*sessions|expected array/is);
});

it("navigates a thousand sessions, and shows the position", async () => {
  const sessions = Array.from({ length: 1_000 }, (_, index) => {
    const lastEventAtIso = new Date(Date.UTC(2026, 10, 15) - index * 60_000).toISOString();
    return snapshot({ sessionId: `many-${index}`, projectPath: `/w/p${index}`, lastEventAtIso });
  });
  const server = await openStreamServer((stream) => stream.send("reset", { sessions }, "a-1"));
  ends.push(() => server.close());
  const tmux = await openTop({
    env: { PATH: "/usr/bin:/bin", HOME: "/", HOOKLINE_HOME: server.dir },
  });
  await tmux.waitFor(/› ○ idle +\S+ p0 [\s\S]* 1 of 1000 ──/);
  await tmux.type("G");
  await tmux.waitFor(/› ○ idle +\S+ p999 [\s\S]* 1000 of 1000 ──/);
  await tmux.keys("PPage");
  await tmux.waitFor(/ 98\d of 1000 ──/);
  await tmux.keys("Home");
  await tmux.waitFor(/› ○ idle +\S+ p0 /);
});

it("continues without a daemon: reads the database, says so, reconnects, and reports a missing database", async () => {
  const hookline = open();
  const daemon = await hookline.start();
  await work(hookline);
  await hookline.settle();
  await daemon.kill("SIGTERM");
  const tmux = await openTop({ env: hookline.env });
  expect(await tmux.waitFor(/The daemon is not running; read from the database/)).toMatch(
    /● busy.*project-0/,
  );
  await tmux.type("y");
  await tmux.waitFor(/It has no request to answer here/);
  const next = await hookline.start();
  await tmux.waitFor(/^(?![\s\S]*The daemon is not running)[\s\S]*● busy/);
  await next.kill("SIGKILL");
  await tmux.waitFor(/The daemon has not answered for \d+s; showing the last known state[\s\S]*● busy/);
  await tmux.keys("q");
  await expectRestored(tmux);
});
