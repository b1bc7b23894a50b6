// Model requests about turns: the real Agent SDK and Claude Code, or the API itself, against the scripted API.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { HooklineEvent } from "../../src/event/event.ts";
import { createApiCall } from "../../src/memory/summarise/call-api.ts";
import { createSdkCall } from "../../src/memory/summarise/call-sdk.ts";
import { driveModel } from "../../src/memory/summarise/drive-model.ts";
import type { ModelAnswer, ModelCall } from "../../src/memory/summarise/model-answer.ts";
import { toTurnRequest } from "../../src/memory/summarise/turn-request.ts";
import { ANSWER, content, turnToSummarise } from "../../src/memory/summarise/turn-to-summarise.testing.ts";
import type { MemoryJobs } from "../../src/store/memory-jobs.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { sqliteMemoryJobs } from "../../src/store/sqlite/sqlite-memory-jobs.ts";
import { claudeEnv, createScratch, type Scratch } from "../support/claude.ts";
import { type FakeApi, openFakeApi, type Turn } from "../support/fake-api.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const MODEL = "claude-haiku-4-5";
const HOOKS = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];
const LOGIN = {
  accessToken: "sk-ant-oat01-test",
  refreshToken: "sk-ant-ort01-test",
  scopes: ["user:inference", "user:profile"],
  subscriptionType: "max",
};

interface World {
  readonly scratch: Scratch;
  readonly api: FakeApi;
  readonly env: Record<string, string>;
  /** The working folder of Claude Code. */
  readonly folder: string;
  readonly ask: ModelCall;
  /** Entries of Claude Code's session list at the time of the API request. */
  readonly listed: string[];
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const act of cleanups.splice(0).reverse()) await act();
});

/** A home whose settings would record every session, an API, and a function to ask it. */
async function open(turn: Turn, { by = "key" }: { by?: "key" | "login" } = {}): Promise<World> {
  const scratch = await createScratch();
  cleanups.push(() => scratch.cleanup());
  const claudeDir = join(scratch.home, ".claude");
  await mkdir(claudeDir);
  const command = `echo ran >>${join(scratch.root, "hook-ran")}`;
  const hooks = Object.fromEntries(HOOKS.map((name) => [name, [{ hooks: [{ type: "command", command }] }]]));
  await writeFile(join(claudeDir, "settings.json"), JSON.stringify({ hooks }));
  await writeFile(join(claudeDir, "CLAUDE.md"), "MARK of the user's own instructions");
  if (by === "login") {
    const claudeAiOauth = { ...LOGIN, expiresAt: Date.now() + 3_600_000 };
    await writeFile(join(claudeDir, ".credentials.json"), JSON.stringify({ claudeAiOauth }));
  }
  const listed: string[] = [];
  const api = await openFakeApi([], {
    side: () => {
      listed.push(...entriesIn(join(claudeDir, "sessions")));
      return turn;
    },
  });
  cleanups.push(() => api.close());
  const { ANTHROPIC_API_KEY: key, ...rest } = claudeEnv(scratch, { api });
  const env = by === "key" ? { ...rest, ANTHROPIC_API_KEY: key! } : rest;
  const folder = join(scratch.root, "hookline", "asking");
  return { scratch, api, env, folder, listed, ask: createSdkCall({ env, folder, now: Date.now }) };
}

function entriesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir).filter((name) => /^\d+\.json$/.test(name));
  return names.map((name) => readFileSync(join(dir, name), "utf8"));
}

const under = (dir: string): string[] =>
  existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }).sort() : [];

async function askAbout({ ask }: World, turn = turnToSummarise()): Promise<ModelAnswer> {
  const { system, text } = toTurnRequest(turn);
  return ask({ model: MODEL, system, text }, AbortSignal.timeout(50_000));
}

function jobsIn({ scratch }: World): MemoryJobs {
  const db = openDatabase(join(scratch.root, "hookline.db"));
  cleanups.push(() => db.close());
  return sqliteMemoryJobs(db);
}

function drive(jobs: MemoryJobs, ask: ModelCall, change: { dailyTokens?: number; now?: () => number } = {}) {
  const written: HooklineEvent[] = [];
  const errors: unknown[] = [];
  const driver = driveModel({
    model: MODEL,
    dailyTokens: change.dailyTokens ?? 200_000,
    settleMs: 0,
    jobs: (work) => work(jobs),
    callModel: ask,
    turnOf: async (turn) => turnToSummarise(turn),
    write: async (events) => void written.push(...events),
    now: change.now ?? Date.now,
    schedule(work, delayMs) {
      const timer = setTimeout(work, delayMs);
      return { cancel: () => clearTimeout(timer) };
    },
    onError: (error) => void errors.push(error),
  });
  cleanups.push(() => driver.close());
  return { driver, written, errors };
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await isSo()); await sleep(50)) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
  }
}

describe("one call through the Agent SDK", () => {
  it("with a key sends no tools and at most half a kilobyte more than our text, and leaves the user's files alone", async () => {
    const world = await open({ text: ANSWER });
    const before = under(world.scratch.home);
    const answer = await askAbout(world);
    expect(answer).toEqual({
      type: "answered",
      text: ANSWER,
      inputTokens: 100,
      outputTokens: 20,
      model: MODEL,
    });
    expect(world.api.requests).toHaveLength(1);
    const [request] = world.api.requests;
    const { system, text } = toTurnRequest(turnToSummarise());
    expect(request?.toolNames).toEqual([]);
    expect(request?.systemText).toContain(system);
    expect(request?.lastUserText).toBe(text);
    expect(request?.body).toMatchObject({ model: MODEL, max_tokens: 4_096 });
    expect(JSON.stringify(request?.body)).not.toMatch(/thinking|MARK of/);
    expect(request!.bytes - JSON.stringify(system + text).length).toBeLessThan(700);
    expect(under(world.scratch.home)).toEqual(before);
    expect(world.listed).toEqual([]);
    expect(under(world.folder)).toEqual([]);
  });

  it("with a login uses it, runs no hook, and leaves no transcript or entry", async () => {
    const world = await open({ text: ANSWER }, { by: "login" });
    expect(await askAbout(world)).toMatchObject({ type: "answered", text: ANSWER });
    expect(world.api.requests).toHaveLength(1);
    const [request] = world.api.requests;
    expect(request?.headers["authorization"]).toBe(`Bearer ${LOGIN.accessToken}`);
    expect(request?.toolNames).toEqual([]);
    const { system, text } = toTurnRequest(turnToSummarise());
    // Claude Code's own text about its environment, which only its bare mode omits.
    expect(request!.bytes - JSON.stringify(system + text).length).toBeLessThan(1_900);
    expect(JSON.stringify(request?.body)).not.toContain("MARK of");
    const claudeDir = join(world.scratch.home, ".claude");
    expect(under(join(claudeDir, "projects"))).toEqual([]);
    expect(under(join(claudeDir, "sessions"))).toEqual([]);
    expect(existsSync(join(world.scratch.root, "hook-ran"))).toBe(false);
    // It is listed as a session while it runs; its folder identifies it as ours.
    expect(world.listed.map((text) => JSON.parse(text).cwd)).toEqual([world.folder]);
    expect(under(world.folder)).toEqual([]);
    expect(readFileSync(join(world.scratch.home, ".claude.json"), "utf8")).not.toContain(world.folder);
  });

  it("stays below 8 KB for the longest turn", async () => {
    const long = '머리 <b>"x"</b> '.repeat(2_000);
    const observations = Array.from({ length: 60 }, (_, id) => ({
      id,
      content: content({ title: long, facts: [long, long, long] }),
    }));
    const world = await open({ text: ANSWER }, { by: "login" });
    await askAbout(world, turnToSummarise({ prompt: long, lastMessage: long, observations }));
    expect(world.api.requests.map(({ bytes }) => bytes)).toEqual([expect.closeTo(7_000, -3)]);
    expect(world.api.requests[0]!.bytes).toBeLessThan(8_192);
  });

  it("reports when a rate limit ends, without waiting for it", async () => {
    const error = { status: 429, type: "rate_limit_error", message: "slow down", retryAfter: 40 };
    const world = await open({ error });
    const startedMs = Date.now();
    const answer = await askAbout(world);
    expect(answer).toMatchObject({ type: "rate_limited" });
    const { retryAtMs } = answer as ModelAnswer & { type: "rate_limited" };
    expect(retryAtMs - startedMs).toBeGreaterThan(39_000);
    expect(Date.now() - startedMs).toBeLessThan(35_000);
    expect(world.api.requests).toHaveLength(1);
  });

  it("distinguishes a rejected key from other failures", async () => {
    const error = { status: 401, type: "authentication_error", message: "invalid x-api-key" };
    const world = await open({ error });
    expect(await askAbout(world)).toMatchObject({ type: "auth_failed", message: /invalid x-api-key/ });
  });

  it("reports a missing login, and sends nothing", async () => {
    const world = await open({ text: ANSWER }, { by: "login" });
    await writeFile(join(world.scratch.home, ".claude", ".credentials.json"), "{}");
    expect(await askAbout(world)).toMatchObject({ type: "auth_failed", message: /login/ });
    expect(world.api.requests).toEqual([]);
  });

  it("says how to install a missing SDK", async () => {
    const { env, folder } = await open({ text: ANSWER });
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const ask = createSdkCall({ env, folder, now: Date.now, load: () => Promise.reject(missing) });
    expect(await ask({ model: MODEL, system: "s", text: "t" }, AbortSignal.timeout(1_000))).toMatchObject({
      type: "unavailable",
      message: /npm install -g @anthropic-ai\/claude-agent-sdk/,
    });
  });

  it("can be aborted", async () => {
    const { ask, api } = await open({ text: ANSWER, delayMs: 60_000 });
    const stop = new AbortController();
    const answer = ask({ model: MODEL, system: "s", text: "t" }, stop.signal);
    await until(() => api.requests.length > 0, "a request");
    stop.abort();
    expect(await answer).toEqual({ type: "failed", message: "the call was stopped" });
  });
});

describe("the queue of turns", () => {
  it("is processed through the SDK until the day's budget is used up", async () => {
    const world = await open({ text: ANSWER });
    const { driver, written, errors } = drive(jobsIn(world), world.ask, { dailyTokens: 200 });
    for (const promptId of ["p1", "p2", "p3", "p4"]) await driver.enqueue({ sessionId: "s1", promptId });
    await until(async () => (await driver.status()).stoppedBy === "budget", "a stop");
    expect(await driver.status()).toMatchObject({ waiting: 2, todayTokens: 240, lastError: null });
    expect(written.map(({ promptId, itemId }) => [promptId, itemId])).toEqual([
      ["p1", turnToSummarise({ promptId: "p1" }).summaryId],
      ["p1", 7001],
      ["p2", turnToSummarise({ promptId: "p2" }).summaryId],
      ["p2", 7001],
    ]);
    expect(world.api.requests).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it("leases a job again whose process was killed midway", async () => {
    let isSlow = true;
    const scratch = await createScratch();
    cleanups.push(() => scratch.cleanup());
    const api = await openFakeApi([], { side: () => ({ text: ANSWER, delayMs: isSlow ? 60_000 : 0 }) });
    cleanups.push(() => api.close());
    const env = claudeEnv(scratch, { api });
    const child = spawnDriver(scratch, env);
    await until(() => api.requests.length === 1, "a request of the child");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));

    isSlow = false;
    const db = openDatabase(join(scratch.root, "hookline.db"));
    cleanups.push(() => db.close());
    const jobs = sqliteMemoryJobs(db);
    const leased = db.sql("SELECT attempts, is_done, lease_until_ms FROM memory_jobs").get();
    expect(leased).toMatchObject({ attempts: 1, is_done: 0 });
    const leaseUntilMs = Number(leased?.["lease_until_ms"]);
    expect(leaseUntilMs).toBeGreaterThan(Date.now());
    const ask = createApiCall({ env, now: Date.now });
    const early = drive(jobs, ask);
    await sleep(300);
    expect((await early.driver.status()).waiting).toBe(1);
    await early.driver.close();
    expect(api.requests).toHaveLength(1);

    const late = drive(jobs, ask, { now: () => leaseUntilMs });
    await until(async () => (await late.driver.status()).waiting === 0, "an empty queue");
    expect(api.requests).toHaveLength(2);
    expect(late.written.map(({ sessionId, promptId }) => `${sessionId} ${promptId}`)).toEqual([
      "s1 p1",
      "s1 p1",
    ]);
  });
});

/** A process that requests a summary of one turn. */
function spawnDriver(scratch: Scratch, env: Record<string, string>): ChildProcess {
  const src = join(import.meta.dirname, "../../src");
  const script = `
    import { openDatabase } from "${src}/store/sqlite/database.ts";
    import { sqliteMemoryJobs } from "${src}/store/sqlite/sqlite-memory-jobs.ts";
    import { turnToSummarise } from "${src}/memory/summarise/turn-to-summarise.testing.ts";
    import { createApiCall } from "${src}/memory/summarise/call-api.ts";
    import { driveModel } from "${src}/memory/summarise/drive-model.ts";
    const jobs = sqliteMemoryJobs(openDatabase(${JSON.stringify(join(scratch.root, "hookline.db"))}));
    const driver = driveModel({
      model: "${MODEL}", dailyTokens: 200_000, settleMs: 0, jobs: (work) => work(jobs),
      callModel: createApiCall({ env: process.env, now: Date.now }),
      turnOf: async (turn) => turnToSummarise(turn), write: async () => {}, now: Date.now,
      schedule: (work, delayMs) => { const timer = setTimeout(work, delayMs); return { cancel: () => clearTimeout(timer) }; },
      onError: console.error,
    });
    await driver.enqueue({ sessionId: "s1", promptId: "p1" });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: scratch.root,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  cleanups.push(() => child.kill("SIGKILL"));
  return child;
}
