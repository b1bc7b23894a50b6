import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { CardAnswer } from "../../src/control/control-contract.ts";
import type { DrivenSessionsOptions } from "../../src/control/driven-sessions.ts";
import type { Envelope } from "../../src/control/envelope.ts";
import { isAlive } from "../../src/monitor/processes.ts";
import {
  type AttachedSession,
  createInMemoryLocks,
  type DrivenScratch,
  openDriven,
} from "../support/driven.ts";
import type { Script, ToolCall } from "../support/fake-api.ts";
import { PATIENCE_MS } from "../support/patience.ts";

// The acceptance scenarios of driven sessions, on the real Agent SDK against the fake API.

let opened: DrivenScratch | undefined;

async function open(script: Script, options?: Partial<DrivenSessionsOptions>): Promise<DrivenScratch> {
  opened = await openDriven(script, options);
  return opened;
}

afterEach(async () => {
  await opened?.scratch.cleanup();
  opened = undefined;
});

const bash = (command: string): { tools: ToolCall[] } => ({ tools: [{ name: "Bash", input: { command } }] });
const write = (file_path: string, content = "x\n"): { tools: ToolCall[] } => ({
  tools: [{ name: "Write", input: { file_path, content } }],
});

/** A turn that writes to a path the test computes at run time. */
function writes(path: () => string): Script {
  let asked = false;
  return (request) => {
    if (request.agentId !== undefined || asked) return { text: "done" };
    asked = true;
    return write(path());
  };
}

function expectGapless(envelopes: readonly Envelope[]): void {
  const sequence = envelopes.filter(({ type }) => type !== "text.delta").map(({ seq }) => seq);
  expect(sequence).toEqual(sequence.map((_, index) => index + 1));
}

async function answer(
  { sessions }: DrivenScratch,
  session: AttachedSession,
  given: CardAnswer,
  type: "permission.request" | "question.request" = "permission.request",
): Promise<void> {
  const { toolUseId } = await session.waitFor(type, (asked) => !isSettled(session, asked.toolUseId));
  await sessions.answer(session.sessionId, toolUseId, given);
}

function isSettled(session: AttachedSession, toolUseId: string): boolean {
  const settled = [...session.ofType("permission.resolved"), ...session.ofType("question.resolved")];
  return settled.some((resolved) => resolved.toolUseId === toolUseId);
}

it("1 deltas add up to the text, then result and idle", async () => {
  const { start } = await open([{ text: "Hello there you", wordMs: 20 }]);
  const session = await start({ prompt: "hi" });
  await session.untilIdle();
  const deltas = session.ofType("text.delta").map(({ text }) => text);
  expect(deltas).toEqual(["Hello ", "there ", "you"]);
  expect(session.ofType("text")).toMatchObject([{ text: "Hello there you", aborted: false, error: null }]);
  expect(session.ofType("init")[0]).toMatchObject({ claudeSessionId: session.sessionId });
  const [result] = session.ofType("result");
  expect(result).toMatchObject({
    ok: true,
    outcome: "completed",
    messageIds: [session.ofType("user")[0]!.messageId],
  });
  expect(session.states()).toEqual(["idle", "thinking", "responding", "thinking", "idle"]);
});

it("2 an allowed permission writes the file", async () => {
  const driven = await open(writes(() => join(opened!.scratch.project, "made.txt")));
  const session = await driven.start({ prompt: "write" });
  await answer(driven, session, { decision: "allow", who: "Ann" });
  await session.untilIdle();
  expect(readFileSync(join(driven.scratch.project, "made.txt"), "utf8")).toBe("x\n");
  const [asked] = session.ofType("permission.request");
  expect(asked).toMatchObject({ tool: "Write", agentId: null });
  const { toolUseId } = asked!;
  expect(session.ofType("decision")).toMatchObject([{ toolUseId, verdict: "ask", rule: asked!.rule }]);
  expect(session.ofType("permission.resolved")).toMatchObject([
    { toolUseId, outcome: "allow", by: "user", who: "Ann" },
  ]);
  expect(session.ofType("tool.end")).toMatchObject([{ toolUseId, tool: "Write", ok: true }]);
  expect(session.states()).toContain("awaiting_permission");
});

it("3 a denied permission writes nothing, and is counted", async () => {
  const driven = await open(writes(() => join(opened!.scratch.project, "made.txt")));
  const session = await driven.start({ prompt: "write" });
  await answer(driven, session, { decision: "deny", message: "not there" });
  await session.untilIdle();
  expect(existsSync(join(driven.scratch.project, "made.txt"))).toBe(false);
  expect(session.ofType("result")[0]).toMatchObject({ ok: true, denials: [{ tool: "Write" }] });
  expect(driven.api.requests.at(-1)!.lastUserText).toContain("not there");
});

it("4 a client that attaches later sees a pending permission and answers it", async () => {
  const driven = await open(writes(() => join(opened!.scratch.project, "made.txt")));
  const first = await driven.start({ prompt: "write" });
  const { toolUseId } = await first.waitFor("permission.request");
  first.detach();
  const second = await driven.watch(first.sessionId);
  expect(second.ofType("permission.request")).toMatchObject([{ toolUseId }]);
  expect(driven.sessions.live(first.sessionId)).toMatchObject({
    state: "awaiting_permission",
    pending: [{ toolUseId, kind: "permission", toolName: "Write", status: "pending", source: "driven" }],
  });
  expect(driven.sessions.cards()).toHaveLength(1);
  await answer(driven, second, { decision: "allow" });
  await second.untilIdle();
  expect(driven.sessions.cards()).toHaveLength(0);
  expectGapless(second.envelopes);
  expect(first.ofType("result")).toHaveLength(0);
});

const QUESTIONS = {
  questions: [
    {
      question: "Which database?",
      header: "DB",
      multiSelect: false,
      options: [
        { label: "Postgres", description: "a" },
        { label: "SQLite", description: "b" },
      ],
    },
    {
      question: "Which features?",
      header: "Features",
      multiSelect: true,
      options: [
        { label: "Auth", description: "a" },
        { label: "Export", description: "b" },
      ],
    },
  ],
};

it("5 a question with several choices is answered; a wrong key is refused", async () => {
  const driven = await open([{ tools: [{ name: "AskUserQuestion", input: QUESTIONS }] }, { text: "thanks" }]);
  const session = await driven.start({ prompt: "ask me" });
  const { toolUseId, questions } = await session.waitFor("question.request");
  expect(questions).toHaveLength(2);
  const give = (answer: CardAnswer) => driven.sessions.answer(session.sessionId, toolUseId, answer);
  await expect(give({ answers: { DB: "Postgres" } })).rejects.toMatchObject({ code: "answer_invalid" });
  await expect(give({ decision: "allowAll" })).rejects.toMatchObject({ code: "answer_invalid" });
  expect(driven.sessions.live(session.sessionId)?.state).toBe("awaiting_answer");
  const answers = { "Which database?": "Postgres", "Which features?": "Auth, Export" };
  expect(await give({ answers })).toMatchObject({ status: "settled", kind: "question" });
  await session.untilIdle();
  expect(session.ofType("question.resolved")).toMatchObject([{ outcome: "answered", answers }]);
  expect(driven.api.requests.at(-1)!.lastUserText).toContain('"Which features?"="Auth, Export"');
});

it("6 bypass: secrets are denied, files that run later are asked about, the rest runs", async () => {
  const files = [".env", ".mcp.json", "free.txt"];
  const driven = await open((request) => {
    const next = files[request.body.messages!.filter(({ role }) => role === "assistant").length];
    return next === undefined ? { text: "done" } : write(join(opened!.scratch.project, next), "{}\n");
  });
  const session = await driven.start({ prompt: "write", mode: "bypassPermissions" });
  const asked = await session.waitFor("permission.request");
  expect(asked.input).toMatchObject({ file_path: join(driven.scratch.project, ".mcp.json") });
  await answer(driven, session, { decision: "deny" });
  await session.untilIdle();
  expect(session.ofType("decision").map(({ verdict }) => verdict)).toEqual(["deny", "ask", "allow"]);
  expect(files.map((file) => existsSync(join(driven.scratch.project, file)))).toEqual([false, false, true]);
});

it("7 stop while a permission is pending: it is withdrawn, and the session continues", async () => {
  const driven = await open(writes(() => join(opened!.scratch.project, "made.txt")));
  const session = await driven.start({ prompt: "write" });
  await session.waitFor("permission.request");
  expect((await driven.sessions.stop(session.sessionId)).state).toBe("stopping");
  await session.untilIdle();
  expect(session.ofType("permission.resolved")).toMatchObject([{ outcome: "withdrawn", by: "stopped" }]);
  expect(session.ofType("result")).toMatchObject([{ ok: false, outcome: "interrupted" }]);
  await session.send("go on");
  await session.untilIdle(2);
  expect(session.ofType("result")[1]).toMatchObject({ ok: true });
  expect(existsSync(join(driven.scratch.project, "made.txt"))).toBe(false);
});

it("8 stop during text: the partial text is stored as aborted", async () => {
  const driven = await open([{ text: "one two three four five six seven eight", wordMs: 300 }]);
  const session = await driven.start({ prompt: "count" });
  await session.waitFor("text.delta", ({ text }) => text === "two ");
  expect(driven.sessions.live(session.sessionId)?.partialText).toContain("one two");
  await driven.sessions.stop(session.sessionId);
  await session.untilIdle();
  expect(session.ofType("text")).toMatchObject([{ aborted: true }]);
  expect(session.ofType("text")[0]!.text).toMatch(/^one two/);
  expect(session.ofType("text")[0]!.text).not.toContain("eight");
  expect(session.ofType("result")).toMatchObject([{ outcome: "interrupted" }]);
});

it("9 API errors are retried, then reported; the next message works", async () => {
  let failures = 0;
  const driven = await openWithRetries(1, () => {
    failures += 1;
    if (failures <= 2) return { error: { status: 500, type: "api_error", message: "broken" } };
    return { text: "fine" };
  });
  const session = await driven.start({ prompt: "hi" });
  await session.untilIdle();
  expect(session.ofType("retry")).toMatchObject([{ attempt: 1, status: 500 }]);
  expect(session.states()).toContain("retrying");
  expect(session.ofType("result")).toMatchObject([{ ok: false, outcome: "api_error", apiStatus: 500 }]);
  await session.send("again");
  await session.untilIdle(2);
  expect(session.ofType("result")[1]).toMatchObject({ ok: true, outcome: "completed" });
});

async function openWithRetries(retries: number, script: Script): Promise<DrivenScratch> {
  const driven = await openDriven(script, {}, { CLAUDE_CODE_MAX_RETRIES: String(retries) });
  opened = driven;
  return driven;
}

it("10 a second writer is refused; a resume keeps the context", async () => {
  const driven = await open([{ text: "Hello Bo" }, { text: "You are Bo" }], { locks: createInMemoryLocks() });
  const first = await driven.start({ prompt: "I am Bo" });
  await first.untilIdle();
  const again = () => driven.start({ resume: first.sessionId, prompt: "Who am I?" });
  await expect(again()).rejects.toMatchObject({ code: "session_busy" });
  await driven.sessions.close(first.sessionId);
  expect(first.ofType("state").at(-1)).toMatchObject({ state: "closed", why: "closed by you" });
  const second = await again();
  await second.untilIdle(2);
  expect(second.sessionId).toBe(first.sessionId);
  expect(JSON.stringify(driven.api.requests.at(-1)!.body.messages)).toContain("I am Bo");
  expectGapless(second.envelopes);
});

it("11 a killed Claude Code: error, pending requests settled, closed", async () => {
  const driven = await open(writes(() => join(opened!.scratch.project, "made.txt")));
  const session = await driven.start({ prompt: "write" });
  await session.waitFor("permission.request");
  process.kill(driven.sessions.live(session.sessionId)!.pid!, "SIGKILL");
  await session.waitFor("state", ({ state }) => state === "closed");
  expect(session.ofType("permission.resolved")).toMatchObject([{ outcome: "withdrawn", by: "ended" }]);
  expect(session.ofType("error")).toMatchObject([{ code: "process_exit" }]);
  expect(session.envelopes.at(-1)).toMatchObject({ type: "state", state: "closed" });
  await expect(session.send("hello?")).rejects.toMatchObject({ code: "session_closed" });
});

it("12 a missing folder is refused with a message", async () => {
  const driven = await open([]);
  const missing = driven.start({ cwd: join(driven.scratch.root, "gone") });
  await expect(missing).rejects.toMatchObject({
    code: "cwd_missing",
    message: expect.stringContaining("gone"),
  });
  const file = driven.start({ cwd: join(driven.scratch.project, "README.md") });
  await expect(file).rejects.toMatchObject({ code: "cwd_missing" });
  expect(driven.sessions.list()).toEqual([]);
});

it("13 sequence numbers have no gap, live and replayed", async () => {
  const driven = await open([{ text: "one", tools: bash("ls").tools }, { text: "two" }]);
  const session = await driven.start({ prompt: "look" });
  await session.untilIdle();
  await driven.sessions.close(session.sessionId);
  expectGapless(session.envelopes);
  const replayed = await driven.watch(session.sessionId);
  expect(replayed.envelopes).toEqual(session.envelopes.filter(({ type }) => type !== "text.delta"));
  expect(await driven.store.read(session.sessionId, 0, 1_000)).toEqual(replayed.envelopes);
});

it("14 stop while a tool runs: its process is dead within 3 s", async () => {
  const driven = await open((request) =>
    request.lastUserText.includes("run")
      ? bash("echo $$ > pid; sleep 60 & echo $! > child; wait")
      : { text: "ok" },
  );
  const session = await driven.start({ prompt: "run" });
  await answer(driven, session, { decision: "allow" });
  const pids = await pidsIn(driven, "pid", "child");
  await driven.sessions.stop(session.sessionId);
  const stoppedAt = Date.now();
  while (pids.some((pid) => isAlive(pid)) && Date.now() < stoppedAt + 10_000) await sleep(20);
  expect(Date.now() - stoppedAt).toBeLessThan(3_000);
  await session.untilIdle();
  expect(session.ofType("result")).toMatchObject([{ outcome: "interrupted" }]);
});

async function pidsIn({ scratch }: DrivenScratch, ...names: string[]): Promise<number[]> {
  const read = () => names.map((name) => readNumber(join(scratch.project, name)));
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20))
    if (read().every((pid) => pid > 0)) return read();
  throw new Error("the tool did not start");
}

function readNumber(path: string): number {
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
}

it("16 three sends in one turn: one result, three message ids, none lost", async () => {
  const driven = await open((request) => {
    const text = JSON.stringify(request.body.messages);
    return text.includes("tool_result") ? { text: "all done" } : bash("sleep 1; touch made");
  });
  const session = await driven.start({ prompt: "first" });
  await answer(driven, session, { decision: "allow" });
  await session.waitFor("state", ({ state }) => state === "tool");
  const sent = [
    session.ofType("user")[0]!.messageId,
    await session.send("second"),
    await session.send("third"),
  ];
  expect(driven.sessions.live(session.sessionId)?.queuedMessages).toBeGreaterThan(0);
  await session.untilIdle();
  expect(session.ofType("result").map(({ messageIds }) => messageIds)).toEqual([sent]);
  const expectedMessage = JSON.stringify(driven.api.requests.at(-1)!.body.messages);
  for (const text of ["first", "second", "third"]) expect(expectedMessage).toContain(text);
});

it("17 two clients answer one request at once: one wins, the other gets not_pending", async () => {
  const driven = await open(writes(() => join(opened!.scratch.project, "made.txt")));
  const session = await driven.start({ prompt: "write" });
  const { toolUseId } = await session.waitFor("permission.request");
  const give = (decision: "allow" | "deny", who: string) =>
    driven.sessions.answer(session.sessionId, toolUseId, { decision, who });
  const settled = await Promise.allSettled([give("allow", "Ann"), give("deny", "Bo")]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(settled[1]).toMatchObject({
    reason: { code: "not_pending", message: expect.stringContaining("Ann") },
  });
  await session.untilIdle();
  expect(session.ofType("permission.resolved")).toHaveLength(1);
  await expect(give("allow", "Cy")).rejects.toMatchObject({ code: "not_pending" });
});

describe("19 a gate that", () => {
  const modes = ["default", "bypassPermissions"] as const;
  const gates = {
    throws: () => {
      throw new Error("no policy");
    },
    hangs: () => new Promise<never>(() => undefined),
  };
  for (const [name, judge] of Object.entries(gates)) {
    it(`${name} blocks the call in every mode`, async () => {
      const driven = await open(() => bash("touch made"), { judge, gateTimeoutMs: 300 });
      for (const mode of modes) {
        const session = await driven.start({ prompt: "run", mode, maxTurns: 2 });
        const { verdict, rule } = await session.waitFor("decision");
        expect({ verdict, rule }).toEqual({ verdict: "deny", rule: "builtin/gate-failed" });
        await session.waitFor("result");
        expect(session.ofType("tool.end")[0]).toMatchObject({ ok: false });
        await driven.sessions.close(session.sessionId);
      }
      expect(existsSync(join(driven.scratch.project, "made"))).toBe(false);
    });
  }
});

it("20 acceptEdits: an edit through a symlink out of the workspace asks", async () => {
  const driven = await open((request) => {
    const made = request.body.messages!.filter(({ role }) => role === "assistant").length;
    const file = ["inside.txt", "link/outside.txt"][made];
    return file === undefined ? { text: "done" } : write(join(opened!.scratch.project, file));
  });
  const { project, root } = driven.scratch;
  await mkdir(join(root, "elsewhere"));
  symlinkSync(join(root, "elsewhere"), join(project, "link"));
  const session = await driven.start({ prompt: "write", mode: "acceptEdits" });
  const asked = await session.waitFor("permission.request");
  expect(asked.input).toMatchObject({ file_path: join(project, "link/outside.txt") });
  expect(existsSync(join(project, "inside.txt"))).toBe(true);
  await answer(driven, session, { decision: "deny" });
  await session.untilIdle();
  expect(existsSync(join(root, "elsewhere/outside.txt"))).toBe(false);
  expect(session.ofType("decision").map(({ verdict }) => verdict)).toEqual(["allow", "ask"]);
});

it("21 allowAll(exact) does not allow another command, and is not kept after a restart", async () => {
  const driven = await open((request) => {
    const [, command] = /run (.*)$/m.exec(request.lastUserText) ?? [];
    return command === undefined ? { text: "done" } : bash(command);
  });
  const session = await driven.start({ prompt: "run touch a" });
  await answer(driven, session, { decision: "allowAll", scope: "exact" });
  await session.untilIdle();
  expect(session.ofType("rule")).toMatchObject([{ scope: "exact", rule: "session/exact/Bash" }]);
  await session.send("run touch a");
  await session.untilIdle(2);
  expect(session.ofType("permission.request")).toHaveLength(1);
  await session.send("run touch b");
  await answer(driven, session, { decision: "deny" });
  await session.untilIdle(3);
  await driven.sessions.close(session.sessionId);
  expect(existsSync(join(driven.scratch.project, ".claude"))).toBe(false);
  const later = driven.reopen();
  const resumed = await later.start({ resume: session.sessionId, prompt: "run touch a" });
  await answer(later, resumed, { decision: "deny" });
  await resumed.untilIdle(4);
  expect(existsSync(join(driven.scratch.project, ".claude/settings.local.json"))).toBe(false);
});

it("22 a background agent asks after the main result; its card names it, and the state is correct", async () => {
  const agent = {
    name: "Agent",
    input: { description: "make it", prompt: "sub", subagent_type: "general-purpose" },
  };
  const driven = await open({
    main: [{ tools: [agent] }, { text: "started it" }, { text: "it is done" }],
    agent: [{ ...bash("touch made"), delayMs: 1_500 }, { text: "made" }],
  });
  const session = await driven.start({ prompt: "use an agent" });
  const asked = await session.waitFor("permission.request", ({ tool }) => tool === "Bash");
  expect(asked).toMatchObject({ agentType: "general-purpose", agentId: expect.any(String) });
  expect(session.ofType("result").length).toBeGreaterThan(0);
  expect(driven.sessions.live(session.sessionId)).toMatchObject({ state: "awaiting_permission" });
  await driven.sessions.answer(session.sessionId, asked.toolUseId, { decision: "allow" });
  await session.untilIdle(2);
  expect(existsSync(join(driven.scratch.project, "made"))).toBe(true);
  expect(session.ofType("task").map(({ what }) => what)).toContain("ended");
});

describe("23 distinguishes, without waiting forever:", () => {
  const cases = [
    {
      name: "401",
      error: { status: 401, type: "authentication_error", message: "bad key" },
      said: /authentication_failed/,
    },
    {
      name: "429 with retry-after",
      error: { status: 429, type: "rate_limit_error", message: "slow", retryAfter: 1 },
      said: /rate_limit/,
    },
    {
      name: "529",
      error: { status: 529, type: "overloaded_error", message: "busy" },
      said: /server_error|overloaded/,
    },
  ] as const;
  for (const { name, error, said: expectedMessage } of cases) {
    it(name, async () => {
      const driven = await openWithRetries(1, () => ({ error }));
      const session = await driven.start({ prompt: "hi" });
      await session.untilIdle();
      expect(session.ofType("result")).toMatchObject([
        { ok: false, outcome: "api_error", apiStatus: error.status },
      ]);
      expect(session.ofType("text").at(-1)?.error).toMatch(expectedMessage);
    });
  }

  it("a refused connection", async () => {
    const driven = await openWithRetries(1, []);
    await driven.api.close();
    const session = await driven.start({ prompt: "hi" });
    await session.untilIdle();
    expect(session.ofType("result")).toMatchObject([{ ok: false, outcome: "api_error", apiStatus: null }]);
  });
});

it("24 cost: two turns, a subagent, a resume and a fork count every token once", async () => {
  const agent = {
    name: "Agent",
    input: { description: "d", prompt: "sub", subagent_type: "general-purpose" },
  };
  const driven = await open((request) => {
    const delegated = JSON.stringify(request.body.messages).includes("tool_result");
    return request.lastUserText.includes("delegate") && request.agentId === undefined && !delegated
      ? { tools: [agent] }
      : { text: "ok" };
  });
  const tokens = () => driven.api.requests.filter(({ isSide }) => !isSide).length * 100;
  const told = (session: AttachedSession) =>
    session.ofType("result").reduce((sum, { usage }) => sum + usage.inputTokens, 0);
  const spent = (session: AttachedSession) =>
    session.ofType("result").reduce((sum, { turnCostUsd }) => sum + (turnCostUsd ?? Number.NaN), 0);

  const session = await driven.start({ prompt: "one" });
  await session.untilIdle();
  await session.send("delegate");
  await session.untilIdle(2);
  await sleep(500);
  await session.untilIdle(session.ofType("result").length);
  await driven.sessions.close(session.sessionId);
  expect(told(session)).toBe(tokens());

  const resumed = await driven.start({ resume: session.sessionId, prompt: "two" });
  await resumed.untilIdle(session.ofType("result").length + 1);
  await driven.sessions.close(session.sessionId);
  expect(told(resumed)).toBe(tokens());
  const last = resumed.ofType("result").at(-1)!;
  expect(spent(resumed)).toBeCloseTo(last.totalCostUsd, 10);
  expect(Object.values(last.modelUsage)[0]).toMatchObject({ inputTokens: 100, outputTokens: 20 });

  const before = tokens();
  const forked = await driven.start({ resume: session.sessionId, fork: true, prompt: "three" });
  await forked.untilIdle();
  expect(forked.sessionId).not.toBe(session.sessionId);
  expect(told(forked)).toBe(tokens() - before);
  expect(forked.ofType("result")[0]!.totalCostUsd).toBeCloseTo(forked.ofType("result")[0]!.turnCostUsd!, 10);
});
