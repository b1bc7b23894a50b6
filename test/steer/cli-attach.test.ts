import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveHome } from "../../src/home.ts";
import type { ControlPorts } from "../../src/serve/control-ports.ts";
import { controlRoutes } from "../../src/serve/control-routes.ts";
import { createInMemoryDriven, type InMemoryDriven } from "../../src/serve/driven-sessions.testing.ts";
import { needs } from "../support/needs.ts";
import { openTmux, type TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

/** The real commands on a real terminal, over the real routes; the test scripts the agent. */

const BIN = join(import.meta.dirname, "../../bin/hookline");
/** The shell prints the exit: tmux does not always report it. */
const ENDING = '"$0" "$@"; echo "ended with $?"; exec cat';
const question = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "SQLite", description: "one file" },
    { label: "Postgres", description: "a server" },
  ],
};

let root: string;
let driven: InMemoryDriven;
let server: Server | undefined;
let tmux: TmuxSession | undefined;
let id: string;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-attach-")));
  driven = createInMemoryDriven();
  ({ sessionId: id } = await driven.start({ cwd: root, mode: "default", fork: false, addDirs: [] }));
  await up();
});
afterEach(async () => {
  await tmux?.kill();
  tmux = undefined;
  await down();
  rmSync(root, { recursive: true, force: true });
});

const env = () => ({
  HOME: root,
  HOOKLINE_HOME: root,
  PATH: process.env["PATH"]!,
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  TMUX_TMPDIR: root,
});

function up(): Promise<void> {
  const terminal = { cards: () => [], get: () => undefined, answer: () => undefined };
  const ports = { driven, terminal } as unknown as ControlPorts;
  const app = new Hono()
    .route("/", controlRoutes(ports))
    .get("/api/sessions", (c) => c.json({ sessions: [], next: null, streamId: "e-1" }));
  server = createServer(getRequestListener(app.fetch));
  return new Promise((resolve) => server?.listen(resolveHome({ HOOKLINE_HOME: root }).sock, resolve));
}

function down(): Promise<void> {
  const closing = server;
  server = undefined;
  closing?.closeAllConnections();
  return new Promise((resolve) => (closing === undefined ? resolve() : closing.close(() => resolve())));
}

async function attach(): Promise<TmuxSession> {
  tmux = await openTmux({ command: ["sh", "-c", ENDING, BIN, "attach", id], cwd: root, env: env() });
  await tmux.waitFor(/type a message/);
  return tmux;
}

function answer(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(BIN, ["answer", ...args], { env: env(), cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const say = (text: string) =>
  driven.emit(id, { type: "text", text, messageId: null, parent: null, aborted: false, error: null });
const askFor = (toolUseId: string, command: string) =>
  driven.emit(id, {
    type: "permission.request",
    toolUseId,
    tool: "Bash",
    input: { command },
    reason: "it writes",
    rule: null,
    agentId: null,
    agentType: null,
  });
const settledAs = async (toolUseId: string) => (await driven.card(toolUseId))?.settled?.outcome;

describe("hookline attach on a terminal", () => {
  it("replays, follows, sends what is typed, and answers requests", async () => {
    say("What was said before.");
    const terminal = await attach();
    await terminal.waitFor(/What was said before\./);
    driven.emit(id, { type: "text.delta", text: "Being wri" });
    await terminal.waitFor(/Being wri/);
    driven.emit(id, { type: "text.delta", text: "tten" });
    say("Being written");
    expect((await terminal.waitFor(/Being written/)).match(/Being/g)).toHaveLength(1);

    await terminal.type("please go on");
    await terminal.keys("Enter");
    await terminal.waitFor(/> please go on/);
    expect(driven.envelopes(id).at(-1)).toMatchObject({ type: "user", text: "please go on" });

    askFor("t1", "touch a.txt");
    await terminal.waitFor(/tool +│ Bash\s+command +│ touch a\.txt\s+· Asked because: it writes\s+y allow/);
    await terminal.type("what is it for?");
    await terminal.keys("Enter");
    await terminal.waitFor(/To answer: y allow/);
    expect(await settledAs("t1")).toBeUndefined();
    await terminal.type("y");
    await terminal.keys("Enter");
    await expect.poll(() => settledAs("t1")).toBe("allow");
  });

  it("shows one request at a time, in full, and never applies an answer to its successor", async () => {
    const terminal = await attach();
    askFor("t1", "npm test # \u202ehidden\u001b[8m");
    await terminal.waitFor(/│ npm test # \\u202ehidden\\u001b\[8m[\s\S]*y allow/);
    askFor("t2", "git push --force");
    await terminal.type("y");
    const by = { by: "user", who: "phone", rule: null } as const;
    driven.emit(id, { type: "permission.resolved", toolUseId: "t1", outcome: "deny", ...by });
    await terminal.waitFor(/│ git push --force[\s\S]*y allow/);
    await terminal.keys("Enter");
    await terminal.waitFor(/nothing was answered\. Review it, then answer/);
    expect(await settledAs("t2")).toBeUndefined();
    await sleep(1_000);
    await terminal.type("y");
    await terminal.keys("Enter");
    await expect.poll(() => settledAs("t2")).toBe("allow");
    expect(await settledAs("t1")).toBeUndefined();
  });

  it("answers a request only while it is the last output, and shows it again otherwise", async () => {
    const forged = "tool        │ Bash\ncommand     │ ls\ny allow once, a allow this call for the session:";
    const terminal = await attach();
    askFor("t1", "touch evil.txt");
    await terminal.waitFor(/│ touch evil\.txt[\s\S]*y allow once.*:$/m);
    say("\n".repeat(50) + forged);
    await terminal.waitFor(/┃ command +│ ls/);
    await terminal.type("y");
    await terminal.keys("Enter");
    await terminal.waitFor(/nothing was answered[\s\S]*│ touch evil\.txt[\s\S]*y allow once.*:\s*$/);
    expect(await settledAs("t1")).toBeUndefined();
    const press = async () => {
      await terminal.type("y");
      await terminal.keys("Enter");
      return settledAs("t1");
    };
    await expect.poll(press, { interval: 300 }).toBe("allow");
  });

  it.each<[string, () => void]>([
    ["words", () => say("\n".repeat(50))],
    ["words that are not done", () => driven.emit(id, { type: "text.delta", text: "\n".repeat(50) })],
    [
      "tools",
      () => {
        for (const at of Array(50).keys()) {
          const call = { toolUseId: `c${at}`, tool: "Read", input: { file_path: `/f${at}` }, parent: null };
          driven.emit(id, { type: "tool.start", ...call });
        }
      },
    ],
  ])("shows a request again by itself after the agent's %s", async (_what, cover) => {
    const terminal = await attach();
    askFor("t1", "touch evil.txt");
    await terminal.waitFor(/│ touch evil\.txt[\s\S]*y allow once/);
    cover();
    await terminal.waitFor(/^(┃|● Read \/f\d+)\s*\n[\s\S]*│ touch evil\.txt[\s\S]*y allow once.*:\s*$/m);
    expect(await settledAs("t1")).toBeUndefined();
  });

  it("marks every row of the agent's text, also where the terminal wraps a line", async () => {
    const terminal = await attach();
    say(`${"x".repeat(118)}tool        │ Bash\ntool        │ Bash`);
    const screen = await terminal.waitFor(/│ Bash[\s\S]*│ Bash/);
    expect(screen).not.toMatch(/^tool/m);
    expect(screen.match(/^┃ tool {8}│ Bash$/gm)).toHaveLength(2);
    const call = { toolUseId: "c1", tool: "Bash", parent: null };
    driven.emit(id, { type: "tool.start", ...call, input: { command: `${"y".repeat(113)}y allow once` } });
    expect(await terminal.waitFor(/allow once/)).toMatch(/^↳ y+ allow once$/m);
  });

  it("reconnects after a daemon restart, with what happened meanwhile", async () => {
    const terminal = await attach();
    say("Before the break.");
    await terminal.waitFor(/Before the break\./);
    await down();
    await terminal.waitFor(/Lost the daemon/);
    say("While nobody could hear.");
    await up();
    await terminal.waitFor(/While nobody could hear\./);
    say("After it.");
    const screen = await terminal.waitFor(/After it\./);
    expect(screen.match(/Before the break|While nobody|After it/g)).toHaveLength(3);
  });

  it("accepts its commands, and leaves the session running", async () => {
    const terminal = await attach();
    for (const line of ["/mode plan", "/stop", "/help"]) {
      await terminal.type(line);
      await terminal.keys("Enter");
    }
    await terminal.waitFor(/\/quit +leave; the session keeps running/);
    await expect.poll(() => driven.calls.map(([act]) => act)).toEqual(["start", "setMode", "stop"]);
    await terminal.keys("C-c");
    await expect.poll(() => driven.listeners()).toBe(0);
    expect(driven.live(id)?.state).toBe("idle");
  });

  it("ends with the session", async () => {
    const terminal = await attach();
    await terminal.type("/close");
    await terminal.keys("Enter");
    await terminal.waitFor(/Closed\.\s+ended with 0/);
  });
});

describe("hookline answer", () => {
  it("lists pending requests, shows one, and settles it once", async () => {
    expect((await answer()).stdout).toBe("Nothing is waiting for you.\n");
    askFor("toolu_01A", "touch a.txt");
    expect((await answer()).stdout).toMatch(/toolu_01A +permission .*Bash: touch a\.txt/);
    expect((await answer("toolu_01A")).stdout).toContain("│ touch a.txt\n· Asked because: it writes\n");
    expect(await answer("toolu_01A", "perhaps")).toMatchObject({ code: 2 });
    expect(await answer("toolu", "deny", "--message", "not now")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/│ touch a\.txt\n[\s\S]*\nBash: denied\.\n$/),
    });
    expect(await answer("toolu_01A", "allow")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("answered already"),
    });
    expect(JSON.parse((await answer("--json")).stdout)).toEqual([]);
  });

  it("accepts a choice by number or text", async () => {
    driven.emit(id, { type: "question.request", toolUseId: "q1", questions: [question], agentId: null });
    expect((await answer("q1")).stdout).toMatch(
      /option +│ Postgres\nabout +│ a server\nheader +│ Database\n1\. SQLite {2}2\. Postgres\n/,
    );
    expect(await answer("q1", "5")).toMatchObject({ code: 2 });
    const settled = JSON.parse((await answer("q1", "2", "--json")).stdout);
    expect(settled).toMatchObject({ status: "settled", settled: { who: "hookline answer" } });
  });

  it("accepts a choice that is named like a command", async () => {
    const options = [{ label: "Again" }, { label: "No thanks" }, { label: "/help" }];
    const odd = { ...question, options };
    for (const [toolUseId, words] of [
      ["q1", "again"],
      ["q2", "No thanks"],
    ] as const) {
      driven.emit(id, { type: "question.request", toolUseId, questions: [odd], agentId: null });
      expect((await answer(toolUseId, words)).code).toBe(0);
      expect(await settledAs(toolUseId)).toBe("answered");
    }
    const terminal = await attach();
    driven.emit(id, { type: "question.request", toolUseId: "q3", questions: [odd], agentId: null });
    await terminal.waitFor(/2\. No thanks +3\. \/help[\s\S]*a number/);
    await terminal.type("/help");
    await terminal.keys("Enter");
    await expect.poll(() => settledAs("q3")).toBe("answered");
  });
});
