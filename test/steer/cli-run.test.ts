import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askDaemon } from "../../src/client/ask-daemon.ts";
import { pickCredentials } from "../../src/control/caller-credentials.ts";
import { DrivenSession } from "../../src/control/control-contract.ts";
import type { Envelope } from "../../src/control/envelope.ts";
import { resolveHome } from "../../src/home.ts";
import type { SessionDetail } from "../../src/serve/contract.ts";
import { claudeBinary, claudeEnv, createScratch, runClaude, type Scratch } from "../support/claude.ts";
import { type CliRun, homeOf, runHookline } from "../support/cli.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { needs } from "../support/needs.ts";
import { openTmux, type TmuxSession } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

const BIN = join(import.meta.dirname, "../../bin/hookline");

const bash = (command: string): Turn => ({
  tools: [{ name: "Bash", input: { command, description: "Run" } }],
});
const TURNS: readonly (readonly [RegExp, Turn])[] = [
  [/^refuse/, { error: { status: 403, type: "permission_error", message: "Not this key" } }],
  [/^sleep/, { text: "never seen", delayMs: 60_000 }],
];

let scratch: Scratch;
let api: FakeApi;
let env: Record<string, string>;

beforeAll(async () => {
  scratch = await createScratch();
  api = await openFakeApi(({ lastUserText }) => {
    const line = lastUserText.split("\n").at(-1) ?? "";
    const touched = /^touch (\S+)/.exec(line)?.[1];
    if (touched !== undefined) return bash(`touch ${touched}`);
    return TURNS.find(([pattern]) => pattern.test(line))?.[1] ?? { text: `ANSWER ${line.slice(0, 40)}` };
  });
  scratch.onCleanup(() => api.close());
  mkdirSync(homeOf(scratch), { recursive: true, mode: 0o700 });
  writeFileSync(
    join(homeOf(scratch), "config.json"),
    JSON.stringify({ control: { claude: claudeBinary }, memory: { embedder: null } }),
  );
  env = { ...claudeEnv(scratch, { api }), HOOKLINE_PORT: "0" };
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
});
afterAll(() => scratch?.cleanup());

const run = (...args: string[]): Promise<CliRun> => runHookline(scratch, ["run", ...args], env);
const isThere = (name: string): boolean => existsSync(join(scratch.project, name));

/** A `hookline run` in progress. */
function begin(...args: string[]): {
  child: ChildProcess;
  stderr: () => string;
  ended: Promise<number | null>;
} {
  const child = spawn(BIN, ["run", ...args], {
    env,
    cwd: scratch.project,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  scratch.onCleanup(() => child.kill("SIGKILL"));
  return { child, stderr: () => stderr, ended: new Promise((resolve) => child.on("close", resolve)) };
}

async function onTerminal(...args: string[]): Promise<TmuxSession> {
  const session = await openTmux({
    // The shell prints the exit: tmux does not always report it.
    command: ["sh", "-c", '"$0" "$@"; echo "ended with $?"; exec cat', BIN, ...args],
    cwd: scratch.project,
    env: { ...env, TMUX_TMPDIR: scratch.root },
  });
  scratch.onCleanup(() => session.kill());
  return session;
}

async function enter(terminal: TmuxSession, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.keys("Enter");
}

describe("hookline run", () => {
  it("starts the daemon, names the account that pays, and prints the answer", async () => {
    const { code, stdout, stderr } = await run("hello there");
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "ANSWER hello there\n" });
    expect(stderr).toMatch(/API key/i);
    expect(stderr).not.toContain("sk-test");
  });

  it("prints every envelope with --json, without a gap, and closes the session", async () => {
    const { code, stdout, stderr } = await run("as lines", "--json");
    expect(code, stderr).toBe(0);
    const envelopes = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Envelope);
    const stored = envelopes.filter(({ seq }) => seq > 0);
    const { sessionId } = stored[0]!;
    expect(stored.some(({ type }) => type === "result")).toBe(true);
    const closed = await runHookline(scratch, ["attach", sessionId, "--json"], env);
    const all = closed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Envelope);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1));
    expect(all.at(-1)).toMatchObject({ type: "state", state: "closed" });
    expect(all).toEqual(expect.arrayContaining(stored));
  });

  it("fails with the outcome of the turn", async () => {
    const { code, stdout, stderr } = await run("refuse me");
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stderr).toMatch(/api_error \(403\)/);
  });

  it("leaves requests to `hookline answer` when it has no terminal", async () => {
    const running = begin("touch answered.txt");
    await expect.poll(running.stderr).toMatch(/hookline answer toolu\S+ allow/);
    const [, id] = /hookline answer (toolu\S+) allow/.exec(running.stderr())!;
    const listed = await runHookline(scratch, ["answer"], env);
    const [, beginning] = /^ *(toolu\S+) .*touch answered\.txt · Run$/m.exec(listed.stdout)!;
    expect(id).toMatch(new RegExp(`^${beginning}`));
    const sessions = await runHookline(scratch, ["sessions", "--needs-me"], { ...env, COLUMNS: "80" });
    expect(sessions.stdout).toMatch(
      /^◆ permission .* » Bash: touch.*\n.*touch answered\.txt · Run → hookline answer$/m,
    );
    const { stdout } = await runHookline(scratch, ["status", "--json"], env);
    expect(JSON.parse(stdout)).toMatchObject({
      steering: {
        guard: "off",
        approve: false,
        driven: { running: 1, waiting: 1, queued: 0 },
        requests: { pending: 1, lost: 0 },
        rules: [],
      },
    });
    expect(isThere("answered.txt")).toBe(false);
    expect(await runHookline(scratch, ["answer", beginning!, "allow"], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/│ touch answered\.txt\n[\s\S]*\nBash: allowed\.\n$/),
    });
    expect(await running.ended).toBe(0);
    expect(isThere("answered.txt")).toBe(true);
    expect(await runHookline(scratch, ["answer", id!, "allow"], env)).toMatchObject({ code: 1 });
  });

  it("stops the turn at Ctrl-C, and fails", async () => {
    const running = begin("sleep long");
    await expect
      .poll(() => api.requests.some((request) => request.lastUserText.endsWith("sleep long")))
      .toBe(true);
    running.child.kill("SIGINT");
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toMatch(
      /^hookline: Stopped after .+\.\nTo continue the session: `hookline run --resume [\w-]{8} "…"`\.$/m,
    );
  });

  it("continues with --resume, in a copy with --fork, and stops at --budget", async () => {
    const lines = async (...args: string[]): Promise<Envelope[]> => {
      const { stdout } = await run(...args, "--json");
      return stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Envelope);
    };
    const said = () => JSON.stringify(api.requests.findLast(({ isSide }) => !isSide)!.body.messages);
    const [first] = await lines("begin here");
    const resumed = await lines("go on", "--resume", first!.sessionId);
    expect(new Set(resumed.map(({ sessionId }) => sessionId))).toEqual(new Set([first!.sessionId]));
    expect(resumed.filter(({ type }) => type === "result")).toHaveLength(1);
    expect(said()).toContain("begin here");
    const [forked] = await lines("another way", "--resume", first!.sessionId, "--fork");
    expect(forked!.sessionId).not.toBe(first!.sessionId);
    expect(said()).toContain("go on");
    const poor = await run("dear", "--budget", "0.0001");
    expect(poor).toMatchObject({ code: 1, stderr: expect.stringContaining("max_budget") });
    const unknown = await run("go on", "--resume", "no-such-session");
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("is not the id") });
    const elsewhere = join(scratch.home, "elsewhere");
    mkdirSync(elsewhere);
    const there = await runHookline(
      scratch,
      ["run", "from afar", "--resume", first!.sessionId],
      env,
      elsewhere,
    );
    expect(there).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`folder, ${scratch.project} (use --cwd`),
    });
    const short = await lines("and on", "--resume", first!.sessionId.slice(0, 8));
    expect(short[0]!.sessionId).toBe(first!.sessionId);
  });

  it("starts a fork of a terminal session with its own cost, start and duration", async () => {
    const { sessionId: parent } = await runClaude(scratch, { prompt: "in a terminal", api });
    await runClaude(scratch, { prompt: "and once more", api, args: ["--resume", parent!] });
    const begunAt = new Date().toISOString();
    const { stdout } = await run("another way", "--resume", parent!, "--fork", "--json");
    const { sessionId: fork } = JSON.parse(stdout.split("\n")[0]!) as Envelope;
    const detail = async (id: string): Promise<SessionDetail> =>
      JSON.parse((await runHookline(scratch, ["session", id, "--json"], env)).stdout) as SessionDetail;
    await expect
      .poll(async () => (await detail(fork)).session, { interval: 500 })
      .toMatchObject({ turnCount: 1, state: "completed", cost: { micros: 800 } });
    const { session, usage } = await detail(fork);
    expect(session.startedAtIso >= begunAt).toBe(true);
    expect(usage).toMatchObject({ cost: { micros: 800 }, total: { input: 100, output: 20 } });
    expect(usage.beyondMessages).toEqual([]);
  });

  it("is not offered for resuming by `down` when the fork was never used", async () => {
    const { stdout } = await run("a parent", "--json");
    const { sessionId: parent } = JSON.parse(stdout.split("\n")[0]!) as Envelope;
    const home = resolveHome({ HOOKLINE_HOME: homeOf(scratch) });
    const fork = () =>
      askDaemon(home, DrivenSession, `/api/control/sessions/${parent}/fork`, {
        method: "POST",
        body: { credentials: pickCredentials(env) },
      });
    await fork();
    const alone = await runHookline(scratch, ["down"], env);
    expect(alone.stdout).toBe("Stopped. 1 driven session ended with it, 0 of them busy.\n");
    await runHookline(scratch, ["up"], env);
    await fork();
    const stored = await run("stay", "--keep", "--json");
    const { sessionId: used } = JSON.parse(stored.stdout.split("\n")[0]!) as Envelope;
    const both = await runHookline(scratch, ["down"], env);
    expect(both.stdout).toContain("2 driven sessions ended with it");
    expect(both.stdout).toContain(`hookline run --resume ${used} `);
  });

  it("ends with a clear message when the daemon is killed and restarts", async () => {
    const running = begin("sleep through it");
    await expect
      .poll(() => api.requests.some((request) => request.lastUserText.endsWith("sleep through it")))
      .toBe(true);
    const { pid } = JSON.parse((await runHookline(scratch, ["status", "--json"], env)).stdout) as {
      pid: number;
    };
    process.kill(pid, "SIGKILL");
    expect((await runHookline(scratch, ["up"], env)).code).toBe(0);
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toMatch(
      /Lost the daemon[\s\S]*Hookline was stopped\.\nTo continue the session: `hookline run --resume [\w-]{8} "…"`\./,
    );
  });

  it("reports each refusal with its own code", async () => {
    expect(await run("hi", "--cwd", "/no/such/folder")).toMatchObject({ code: 1 });
    expect(await run("hi", "--mode", "yolo")).toMatchObject({ code: 2 });
    expect(await run("hi", "--fork")).toMatchObject({ code: 2 });
    expect(await run("hi", "--budget", "much")).toMatchObject({ code: 2 });
    expect(await runHookline(scratch, ["attach", "no-such-session"], env)).toMatchObject({ code: 1 });
  });
});

describe("on a terminal", () => {
  it("run asks inline and follows the answer", async () => {
    const terminal = await onTerminal("run", "touch placed.txt");
    await terminal.waitFor(/tool +│ Bash\s+description +│ Run\s+command +│ touch placed\.txt[\s\S]*y allow/);
    await enter(terminal, "y");
    await terminal.waitFor(/ended with 0/);
    expect(isThere("placed.txt")).toBe(true);
  });

  it("attach continues a kept session, answers it, and closes it", async () => {
    const stored = await run("first words", "--keep");
    const [, id] = /hookline attach (\S+?)`/.exec(stored.stderr)!;
    const terminal = await onTerminal("attach", id!);
    await terminal.waitFor(/ANSWER first words/);
    await enter(terminal, "and more");
    await terminal.waitFor(/ANSWER and more/);
    await enter(terminal, "touch denied.txt");
    await terminal.waitFor(/tool +│ Bash\s+description +│ Run\s+command +│ touch denied\.txt/);
    await enter(terminal, "n not that file");
    await terminal.waitFor(/denied by hookline attach[\s\S]*Done in/);
    expect(isThere("denied.txt")).toBe(false);
    await enter(terminal, "/close");
    await terminal.waitFor(/ended with 0/);
  });
});
