import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { DrivenSessionsOptions } from "../../src/control/driven-sessions.ts";
import { createMemoryEnvelopeStore } from "../../src/control/memory-envelope-store.ts";

import { hookEntries } from "../../src/hook/commands.ts";
import { type DrivenScratch, openDriven } from "../support/driven.ts";
import type { Script, ToolCall } from "../support/fake-api.ts";

// Around the turns of a driven session: hooks, plans, limits, undo, queue, and recovery after a crash.

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
const CONFIG = { maxSessions: 4, idleMinutes: null, maxBudgetUsd: null, billing: "api" } as const;

it("records through our hooks, once, whether the user installed them or not", async () => {
  const hooks = hookEntries(claude);
  for (const isInstalled of [false, true]) {
    const driven = await open([bash("ls"), { text: "done" }], { hooks });
    const home = join(driven.scratch.home, ".hookline");
    await mkdir(join(home, "spool"), { recursive: true });
    await mkdir(join(driven.scratch.home, ".claude"), { recursive: true });
    const settings = JSON.stringify(isInstalled ? { hooks } : {});
    await writeFile(join(driven.scratch.home, ".claude/settings.json"), settings);
    const session = await driven.start({ prompt: "look" });
    await session.untilIdle();
    await driven.sessions.close(session.sessionId);
    const files = await readdir(join(home, "spool"));
    const texts = files.map((name) => readFileSync(join(home, "spool", name), "utf8"));
    const names = texts.map((text) => /"hook_event_name":"(\w+)"/.exec(text)?.[1]);
    for (const name of [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "Stop",
      "SessionEnd",
    ])
      expect([name, names.filter((each) => each === name).length]).toEqual([name, 1]);
    await driven.scratch.cleanup();
  }
});

it("drops the messages queued behind a stopped turn, and reports it", async () => {
  const driven = await open([{ text: "never", delayMs: 120_000 }, { text: "next" }]);
  const session = await driven.start({ prompt: "slow" });
  await session.waitFor("init");
  const messageId = await session.send("behind it");
  await session.waitFor("state", () => driven.sessions.live(session.sessionId)!.queuedMessages === 1);
  await expect.poll(() => driven.api.requests.some(({ isSide }) => !isSide)).toBe(true);
  await driven.sessions.stop(session.sessionId);
  await session.untilIdle();
  expect(session.ofType("error")).toMatchObject([{ code: "message_dropped" }]);
  expect(session.ofType("error")[0]!.message).toContain(messageId);
  await session.send("now");
  await session.untilIdle(2);
  expect(session.ofType("result").map(({ outcome }) => outcome)).toEqual(["interrupted", "completed"]);
});

it("stops a waiting background agent while the main one is idle", async () => {
  const agent = {
    name: "Agent",
    input: { description: "d", prompt: "sub", subagent_type: "general-purpose" },
  };
  const driven = await open({
    main: [{ tools: [agent] }, { text: "started it" }],
    agent: [{ ...bash("touch made"), delayMs: 500 }],
  });
  const session = await driven.start({ prompt: "use an agent" });
  await session.waitFor("permission.request", ({ tool }) => tool === "Bash");
  await session.waitFor("result");
  await driven.sessions.stop(session.sessionId);
  await session.untilIdle();
  expect(session.ofType("permission.resolved")).toMatchObject([{ outcome: "withdrawn", by: "stopped" }]);
  expect(existsSync(join(driven.scratch.project, "made"))).toBe(false);
  await session.send("go on");
  await session.untilIdle(session.ofType("result").length + 1);
  expect(driven.sessions.live(session.sessionId)?.state).toBe("idle");
});

it("counts only background calls as background tasks", async () => {
  const run = (description: string, more: object = {}) => ({
    tools: [{ name: "Bash", input: { command: "sleep 4", description, ...more } }],
  });
  const driven = await open([
    run("Wait"),
    run("Wait behind", { run_in_background: true }),
    { text: "ok" },
    { text: "ok" },
  ]);
  const session = await driven.start({ prompt: "wait", mode: "bypassPermissions" });
  const running = await session.waitFor("task", ({ description }) => description === "Wait");
  expect(running.background).toBe(false);
  expect(driven.sessions.live(session.sessionId)).toMatchObject({ state: "tool", backgroundTasks: 0 });
  const behind = await session.waitFor("task", ({ description }) => description === "Wait behind");
  expect(behind.background).toBe(true);
  expect(driven.sessions.live(session.sessionId)).toMatchObject({ backgroundTasks: 1 });
  await session.waitFor("task", ({ taskId, what }) => taskId === behind.taskId && what === "ended");
  expect(driven.sessions.live(session.sessionId)).toMatchObject({ backgroundTasks: 0 });
});

it("stops a session that is still starting", async () => {
  const driven = await open(({ lastUserText }) =>
    lastUserText.includes("now") ? { text: "next" } : { text: "never", delayMs: 120_000 },
  );
  const session = await driven.start({ prompt: "slow" });
  await driven.sessions.stop(session.sessionId);
  expect(driven.sessions.live(session.sessionId)?.state).toBe("stopping");
  await session.untilIdle();
  await session.send("now");
  await session.untilIdle(2);
  expect(session.ofType("result").map(({ outcome }) => outcome)).toEqual(["interrupted", "completed"]);
});

it("accepts one reply to several questions", async () => {
  const ask = (question: string) => ({
    question,
    header: "H",
    multiSelect: false,
    options: ["a", "b"].map((label) => ({ label, description: label })),
  });
  const input = { questions: [ask("Which one?"), ask("Which other?")] };
  const driven = await open([{ tools: [{ name: "AskUserQuestion", input }] }, { text: "thanks" }]);
  const session = await driven.start({ prompt: "ask me" });
  const { toolUseId } = await session.waitFor("question.request");
  await driven.sessions.answer(session.sessionId, toolUseId, { response: "neither of them" });
  await session.untilIdle();
  expect(driven.api.requests.at(-1)!.lastUserText).toContain("neither of them");
});

it("shows a plan, and leaves plan mode on approval", async () => {
  const plan = { name: "ExitPlanMode", input: { plan: "1. make it" } };
  const driven = await open([{ tools: [plan] }, bash("touch made"), { text: "done" }]);
  const session = await driven.start({ prompt: "plan it", mode: "plan" });
  const asked = await session.waitFor("permission.request");
  expect(asked.tool).toBe("ExitPlanMode");
  expect(driven.sessions.cards()).toMatchObject([{ kind: "plan", toolName: "ExitPlanMode" }]);
  await driven.sessions.answer(session.sessionId, asked.toolUseId, { decision: "allow", who: "Ann" });
  expect(driven.sessions.live(session.sessionId)?.mode).toBe("default");
  const next = await session.waitFor("permission.request", ({ tool }) => tool === "Bash");
  await driven.sessions.answer(session.sessionId, next.toolUseId, { decision: "allow" });
  await session.untilIdle();
  expect(session.ofType("mode").map(({ mode, by }) => [mode, by])).toEqual([
    ["plan", "start"],
    ["default", "Ann"],
  ]);
  expect(existsSync(join(driven.scratch.project, "made"))).toBe(true);
});

it("spends no more than its budget", async () => {
  const driven = await open(() => ({ text: "dear" }));
  const session = await driven.start({ prompt: "hi", maxBudgetUsd: 0.0001 });
  await session.untilIdle();
  expect(session.ofType("result")).toMatchObject([{ ok: false, outcome: "max_budget" }]);
  await expect(session.send("more")).rejects.toMatchObject({ code: "budget_spent" });
  expect(driven.api.requests.filter(({ isSide }) => !isSide)).toHaveLength(1);
});

it("rewinds files to their state before a message", async () => {
  const file = () => join(opened!.scratch.project, "README.md");
  const driven = await open((request) => {
    const calls = request.body.messages!.filter(({ role }) => role === "assistant").length;
    if (calls === 0) return { tools: [{ name: "Read", input: { file_path: file() } }] };
    if (calls > 1) return { text: "done" };
    return { tools: [{ name: "Write", input: { file_path: file(), content: "changed\n" } }] };
  });
  const before = readFileSync(file(), "utf8");
  const session = await driven.start({ prompt: "change it", mode: "acceptEdits" });
  await session.untilIdle();
  expect(readFileSync(file(), "utf8")).toBe("changed\n");
  const { messageId } = session.ofType("user")[0]!;
  const rewind = (dryRun: boolean) => driven.sessions.rewind(session.sessionId, { messageId, dryRun });
  expect(await rewind(true)).toMatchObject({ ok: true, files: [file()] });
  expect(readFileSync(file(), "utf8")).toBe("changed\n");
  expect(await rewind(false)).toMatchObject({ ok: true });
  expect(readFileSync(file(), "utf8")).toBe(before);
  const unknown = { messageId: "11111111-2222-4333-8444-555555555555", dryRun: false };
  expect(await driven.sessions.rewind(session.sessionId, unknown)).toMatchObject({ ok: false });
});

it("queues a session past the cap, with its message, until one is closed", async () => {
  const driven = await open(() => ({ text: "hi" }), { config: { ...CONFIG, maxSessions: 1 } });
  const first = await driven.start({ prompt: "one" });
  const second = await driven.start({ prompt: "two" });
  await first.untilIdle();
  expect(second.states()).toEqual(["queued"]);
  expect(driven.sessions.live(second.sessionId)?.why).toMatch(
    /1 session is already running \(control\.maxSessions\)/,
  );
  await second.send("three");
  await driven.sessions.close(first.sessionId);
  await second.untilIdle();
  expect(second.ofType("result").flatMap(({ messageIds }) => messageIds)).toHaveLength(2);
});

it("gives the slot of an idle, unattached session to a queued one", async () => {
  const driven = await open(() => ({ text: "hi" }), {
    config: { ...CONFIG, maxSessions: 2 },
    room: { idleMs: 200, attached: false },
  });
  const watched = await driven.start({ prompt: "one" });
  const left = await driven.start({ prompt: "two" });
  await Promise.all([watched.untilIdle(), left.untilIdle()]);
  left.detach();
  const next = await driven.start({ prompt: "three" });
  await next.untilIdle();
  expect(driven.sessions.live(left.sessionId)).toMatchObject({
    state: "closed",
    why: "idle, and another session needed the slot",
  });
  expect(driven.sessions.live(watched.sessionId)?.state).toBe("idle");
  const back = await driven.start({ resume: left.sessionId, prompt: "four" });
  expect(back.states().at(-1)).toBe("queued");
});

it("settles a pending permission as ended on close, and keeps the session locked until then", async () => {
  const driven = await open([bash("touch made"), { text: "ok" }]);
  const session = await driven.start({ prompt: "make it" });
  const { toolUseId } = await session.waitFor("permission.request");
  const closing = driven.sessions.close(session.sessionId);
  await expect(driven.start({ resume: session.sessionId })).rejects.toMatchObject({ code: "session_busy" });
  await expect(session.send("more")).rejects.toMatchObject({ code: "session_closed" });
  expect(await closing).toMatchObject({ state: "closed", why: "closed by you", pending: [] });
  expect(session.ofType("permission.resolved")).toMatchObject([
    { toolUseId, outcome: "withdrawn", by: "ended" },
  ]);
  expect(session.ofType("error")).toEqual([]);
  const answered = driven.sessions.answer(session.sessionId, toolUseId, { decision: "allow" });
  await expect(answered).rejects.toMatchObject({ code: "not_pending" });
  expect(existsSync(join(driven.scratch.project, "made"))).toBe(false);
});

it("runs a message sent during a stop after it", async () => {
  const driven = await open(({ lastUserText }) =>
    lastUserText.includes("now") ? { text: "next" } : { text: "never", delayMs: 120_000 },
  );
  const session = await driven.start({ prompt: "slow" });
  await expect.poll(() => driven.api.requests.length).toBeGreaterThan(0);
  expect((await driven.sessions.stop(session.sessionId)).state).toBe("stopping");
  const messageId = await session.send("now");
  await session.untilIdle(2);
  expect(session.ofType("result")).toMatchObject([
    { outcome: "interrupted" },
    { outcome: "completed", messageIds: [messageId] },
  ]);
});

it("starts nothing while closing all, and ends running work in time", async () => {
  const driven = await open([{ text: "never", delayMs: 120_000 }]);
  const session = await driven.start({ prompt: "slow" });
  await session.waitFor("init");
  const begun = Date.now();
  const closing = driven.sessions.closeAll();
  await expect(driven.start({ prompt: "late" })).rejects.toMatchObject({ code: "daemon_stopping" });
  await closing;
  expect(Date.now() - begun).toBeLessThan(9_000);
  expect(session.envelopes.at(-1)).toMatchObject({ state: "closed", why: "Hookline was stopped" });
  expect(driven.sessions.list().filter(({ state }) => state !== "closed")).toEqual([]);
});

it("switches the model from the next request on, and accepts a picture", async () => {
  const driven = await open(() => ({ text: "seen" }));
  const session = await driven.start({ prompt: "hi" });
  await session.untilIdle();
  await driven.sessions.setModel(session.sessionId, "claude-haiku-4-5");
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const images = [{ mediaType: "image/png" as const, data }];
  await driven.sessions.send(session.sessionId, { text: "what is it?", images, interrupt: false });
  await session.untilIdle(2);
  const { body } = driven.api.requests.findLast(({ isSide }) => !isSide)!;
  expect(body.model).toBe("claude-haiku-4-5");
  expect(JSON.stringify(body.messages)).toContain(data);
  expect(session.ofType("user").at(-1)).toMatchObject({ text: "what is it?", images: 1 });
  expect(session.ofType("model")).toMatchObject([{ model: "claude-haiku-4-5" }]);
});

it("continues from an earlier message", async () => {
  const driven = await open(({ lastUserText }) => ({ text: `heard ${lastUserText}` }));
  const session = await driven.start({ prompt: "first" });
  await session.untilIdle();
  const resumeAt = await lastMessageId(driven, session.sessionId);
  await session.send("second");
  await session.untilIdle(2);
  await driven.sessions.close(session.sessionId);
  const back = await driven.start({ resume: session.sessionId, resumeAt, prompt: "third" });
  await back.untilIdle(3);
  const said = JSON.stringify(driven.api.requests.findLast(({ isSide }) => !isSide)!.body.messages);
  expect([said.includes("heard first"), said.includes("second"), said.includes("third")]).toEqual([
    true,
    false,
    true,
  ]);
});

/** From the transcript, as a client finds it in the log. */
async function lastMessageId({ scratch }: DrivenScratch, sessionId: string): Promise<string> {
  const projects = join(scratch.home, ".claude/projects");
  const [folder] = await readdir(projects);
  const lines = readFileSync(join(projects, folder!, `${sessionId}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { type: string; uuid: string });
  return entries.findLast(({ type }) => type === "assistant")!.uuid;
}

it("runs a command once, however often it is sent", async () => {
  const driven = await open(() => ({ text: "hi" }));
  const request = { commandId: "c1", cwd: driven.scratch.project, prompt: "hi" };
  const [session, same] = await Promise.all([driven.start(request), driven.start(request)]);
  expect(same.sessionId).toBe(session.sessionId);
  const send = () =>
    driven.sessions.send(session.sessionId, { commandId: "c2", text: "more", images: [], interrupt: false });
  expect((await send()).messageId).toBe((await send()).messageId);
  await session.untilIdle();
  expect(session.ofType("user")).toHaveLength(2);
});

it("closes an idle session after a while", async () => {
  const driven = await open(() => ({ text: "hi" }), { config: { ...CONFIG, idleMinutes: 0.01 } });
  const session = await driven.start({ prompt: "hi" });
  const closed = await session.waitFor("state", ({ state }) => state === "closed");
  expect(closed.why).toMatch(/idle for 0.01 minutes/);
  expect(session.ofType("result")).toHaveLength(1);
});

it("reports what a crash lost, and asks again on request", async () => {
  const store = createMemoryEnvelopeStore();
  const driven = await open([bash("touch made"), { text: "ok" }, bash("touch made"), { text: "done" }], {
    store,
  });
  const session = await driven.start({ prompt: "make it" });
  const { toolUseId } = await session.waitFor("permission.request");
  // The state after a driver was killed: its envelopes up to here, and no process.
  const left = createMemoryEnvelopeStore();
  await left.append(
    { projectPath: driven.scratch.project, cwd: driven.scratch.project },
    session.envelopes.filter(({ type }) => type !== "text.delta"),
  );
  await driven.sessions.close(session.sessionId);

  const later = driven.reopen({ store: left });
  await later.sessions.recovered;
  expect(later.sessions.cards()).toMatchObject([{ id: toolUseId, status: "lost", toolName: "Bash" }]);
  const replayed = await later.watch(session.sessionId);
  expect(replayed.envelopes.slice(-2)).toMatchObject([
    { type: "permission.resolved", toolUseId, outcome: "lost", by: "lost" },
    { type: "state", state: "closed", why: "Hookline was stopped" },
  ]);
  await expect(
    later.sessions.answer(session.sessionId, toolUseId, { decision: "allow" }),
  ).rejects.toMatchObject({ code: "session_closed" });

  const third = driven.reopen({ store: left });
  await third.sessions.recovered;
  expect(third.sessions.cards()).toMatchObject([{ id: toolUseId, status: "lost" }]);

  await later.sessions.askAgain(session.sessionId, toolUseId, {});
  const again = await later.watch(session.sessionId);
  const asked = await again.waitFor("permission.request", (request) => request.toolUseId !== toolUseId);
  expect(later.sessions.cards()).toMatchObject([{ id: asked.toolUseId, status: "pending" }]);
  await later.sessions.answer(session.sessionId, asked.toolUseId, { decision: "allow" });
  await again.untilIdle(1);
  expect(existsSync(join(driven.scratch.project, "made"))).toBe(true);
  expect(await driven.reopen({ store: left }).sessions.card(toolUseId)).toBeUndefined();
  const seqs = again.envelopes.filter(({ type }) => type !== "text.delta").map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

it("repeats a lost request once, however often that is requested", async () => {
  const store = createMemoryEnvelopeStore();
  const replies = [
    bash("touch made"),
    { text: "ok" },
    bash("touch made"),
    { text: "done" },
    { text: "more" },
  ];
  const driven = await open(replies, { store });
  const session = await driven.start({ prompt: "make it" });
  const { toolUseId } = await session.waitFor("permission.request");
  await driven.sessions.close(session.sessionId);

  const again = (commandId: string) =>
    driven.sessions.askAgain(session.sessionId, toolUseId, { commandId, who: commandId });
  const answers = await Promise.all([again("a"), again("b")]);
  expect(answers.map(({ sessionId }) => sessionId)).toEqual([session.sessionId, session.sessionId]);
  const resumed = await driven.watch(session.sessionId);
  const asked = await resumed.waitFor("permission.request", (request) => request.toolUseId !== toolUseId);
  expect((await again("c")).pending).toMatchObject([{ id: asked.toolUseId }]);
  await driven.sessions.answer(session.sessionId, asked.toolUseId, { decision: "allow" });
  await resumed.untilIdle(1);
  await again("d");
  await driven.sessions.close(session.sessionId);
  expect(await again("e")).toMatchObject({ state: "closed" });
  // A new driver, which knows only what was stored.
  const later = driven.reopen({ store });
  await later.sessions.askAgain(session.sessionId, toolUseId, {});
  const all = await later.watch(session.sessionId);
  expect(all.ofType("user").map(({ asksAgain }) => asksAgain)).toEqual([undefined, toolUseId]);
});

it("repeats it once more when the session ended before it did", async () => {
  const driven = await open(({ lastUserText }) =>
    lastUserText.includes("make it") ? bash("touch made") : { text: "late", delayMs: 120_000 },
  );
  const session = await driven.start({ prompt: "make it" });
  const { toolUseId } = await session.waitFor("permission.request");
  for (const times of [1, 2]) {
    await driven.sessions.close(session.sessionId);
    await driven.sessions.askAgain(session.sessionId, toolUseId, {});
    const requestsSeen = () => session.ofType("user").filter(({ asksAgain }) => asksAgain === toolUseId);
    await expect.poll(requestsSeen).toHaveLength(times);
  }
});

it("reports a missing session on resume", async () => {
  const driven = await open(() => ({ text: "hi" }));
  const session = await driven.start({ resume: "99999999-2222-4333-8444-555555555555", prompt: "hi" });
  await session.waitFor("state", ({ state }) => state === "closed");
  expect(session.ofType("error")).toMatchObject([{ code: "resume_unknown" }]);
});
