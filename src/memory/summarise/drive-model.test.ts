import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HooklineEvent } from "../../event/event.ts";
import type { JobTurn, MemoryJobs } from "../../store/memory-jobs.ts";
import { type Database, openDatabase } from "../../store/sqlite/database.ts";
import { sqliteMemoryJobs } from "../../store/sqlite/sqlite-memory-jobs.ts";
import { driveModel, type ModelDriver } from "./drive-model.ts";
import type { ModelAnswer, ModelRequest } from "./model-answer.ts";
import type { TurnToSummarise } from "./turn-request.ts";
import { ANSWER, turnToSummarise } from "./turn-to-summarise.testing.ts";

const NOON_MS = new Date(2026, 10, 15, 12, 0, 0).getTime();
const HOUR_MS = 3_600_000;
const MODEL = "claude-haiku-4-5";

const answered = (inputTokens = 1_000, outputTokens = 200, text = ANSWER): ModelAnswer => ({
  type: "answered",
  text,
  inputTokens,
  outputTokens,
  model: MODEL,
});

let db: Database;
let jobs: MemoryJobs;
let driver: ModelDriver | undefined;

beforeEach(() => {
  db = openDatabase(":memory:");
  jobs = sqliteMemoryJobs(db);
});
afterEach(async () => {
  await driver?.close();
  db.close();
});

/** A driver on a clock that only `pass` advances, and an API with scripted answers. */
function story(answers: readonly ModelAnswer[], change: Partial<Parameters<typeof driveModel>[0]> = {}) {
  let nowMs = NOON_MS;
  let timers: { atMs: number; work: () => void }[] = [];
  const asked: ModelRequest[] = [];
  const written: HooklineEvent[] = [];
  const trouble: unknown[] = [];
  const queue = [...answers];
  const opened = driveModel({
    model: MODEL,
    dailyTokens: 100_000,
    settleMs: 0,
    jobs: (work) => work(jobs),
    callModel: async (request) => {
      asked.push(request);
      return queue.shift() ?? answered();
    },
    turnOf: async (turn: JobTurn): Promise<TurnToSummarise | null> => turnToSummarise(turn),
    write: async (events) => void written.push(...events),
    now: () => nowMs,
    schedule: (work, delayMs) => {
      const timer = { atMs: nowMs + delayMs, work };
      timers.push(timer);
      return {
        cancel() {
          timers = timers.filter((each) => each !== timer);
        },
      };
    },
    onError: (error) => void trouble.push(error),
    ...change,
  });
  driver = opened;
  const settle = async (): Promise<void> => {
    for (let index = 0; index < 50; index++) await Promise.resolve();
  };
  const pass = async (ms: number): Promise<void> => {
    const untilMs = nowMs + ms;
    for (;;) {
      const next = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      timers = timers.filter((each) => each !== next);
      nowMs = Math.max(nowMs, next.atMs);
      next.work();
      await settle();
    }
    nowMs = untilMs;
  };
  const turns = async (...ids: readonly string[]): Promise<void> => {
    for (const promptId of ids) await opened.enqueue({ sessionId: "s1", promptId });
  };
  return { driver: opened, asked, written, trouble, pass, turns, pending: () => timers.length };
}

describe("asking a model about turns", () => {
  it("asks once about each, and writes what it said into the log with model and cost", async () => {
    const { asked, written, pass, turns, driver } = story([]);
    await turns("p1", "p2");
    await pass(1_000);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      model: MODEL,
      text: expect.stringContaining("<prompt>Fix the rounding"),
    });
    const [summary, observation] = written;
    expect(summary).toMatchObject({
      eventType: "memory.item",
      sessionId: "s1",
      promptId: "p1",
      projectPath: "/home/dev/acme-shop",
      itemId: turnToSummarise().summaryId,
      madeBy: "model",
      item: {
        kind: "summary",
        // The rules' text fills in what the model left out.
        summary: { request: "Round the cart's total", investigated: "cart.ts", learned: "Prices are floats" },
        content: { title: "total() rounds to cents" },
        model: MODEL,
        tokens: { input: 1_000, output: 200 },
      },
    });
    expect(observation).toMatchObject({ itemId: 7001, item: { content: { type: "fix" }, model: MODEL } });
    // The cost of a call is recorded once.
    expect(observation?.["item"]).not.toHaveProperty("tokens");
    expect(written).toHaveLength(4);
    await turns("p1");
    await pass(HOUR_MS);
    expect(asked).toHaveLength(2);
    expect(await driver.status()).toEqual({
      model: MODEL,
      waiting: 0,
      givenUp: 0,
      todayTokens: 2_400,
      budget: 100_000,
      stoppedBy: null,
      sinceIso: null,
      untilIso: null,
      lastError: null,
    });
  });

  it("waits until all of a turn has been told", async () => {
    const { asked, pass, turns } = story([], { settleMs: 5_000 });
    await turns("p1");
    await pass(4_999);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toHaveLength(1);
  });

  it("without a model touches neither queue nor clock", async () => {
    const { asked, pass, turns, pending, driver } = story([], {
      model: null,
      jobs: () => {
        throw new Error("read");
      },
    });
    await turns("p1");
    expect(pending()).toBe(0);
    await pass(HOUR_MS);
    expect(asked).toEqual([]);
    expect(await driver.status()).toMatchObject({ model: null, waiting: 0, stoppedBy: null });
  });

  it("stops when the day's tokens are used up, and goes on the next day", async () => {
    const { asked, pass, turns, driver } = story([], { dailyTokens: 2_000 });
    await turns("p1", "p2", "p3", "p4");
    await pass(HOUR_MS);
    expect(asked).toHaveLength(2);
    expect(await driver.status()).toMatchObject({
      waiting: 2,
      todayTokens: 2_400,
      stoppedBy: "budget",
      sinceIso: new Date(NOON_MS).toISOString(),
    });
    await pass(10 * HOUR_MS);
    expect(asked).toHaveLength(2);
    await pass(2 * HOUR_MS);
    expect(asked).toHaveLength(4);
    expect(await driver.status()).toMatchObject({ waiting: 0, todayTokens: 2_400 });
  });

  it("with a budget of nothing asks nothing", async () => {
    const { asked, pass, turns, driver } = story([], { dailyTokens: 0 });
    await turns("p1");
    await pass(25 * HOUR_MS);
    expect(asked).toEqual([]);
    expect(await driver.status()).toMatchObject({ waiting: 1, stoppedBy: "budget" });
  });

  it("waits out a rate limit, whoever comes meanwhile, and loses no attempt by it", async () => {
    const retryAtMs = NOON_MS + 2 * HOUR_MS;
    const { asked, pass, turns, driver } = story([
      { type: "rate_limited", retryAtMs, message: "5-hour limit" },
    ]);
    await turns("p1");
    await pass(HOUR_MS);
    await turns("p2");
    await pass(HOUR_MS - 1);
    expect(asked).toHaveLength(1);
    expect(await driver.status()).toMatchObject({
      waiting: 2,
      stoppedBy: "rate_limit",
      untilIso: new Date(retryAtMs).toISOString(),
      lastError: "5-hour limit",
    });
    await pass(1_000);
    expect(asked).toHaveLength(3);
    expect(await driver.status()).toMatchObject({ waiting: 0, stoppedBy: null, lastError: null });
    expect(db.sql("SELECT max(attempts) AS most FROM memory_jobs").get()).toEqual({ most: 1 });
  });

  it.each([
    ["auth", { type: "auth_failed", message: "Please run /login" }, 30],
    ["unavailable", { type: "unavailable", message: "no SDK" }, 30],
    ["overload", { type: "overloaded", message: "529" }, 5],
  ] as const)("stands still for a while by %s, and says since when", async (stoppedBy, refusal, minutes) => {
    const { asked, pass, turns, driver } = story([refusal, refusal]);
    await turns("p1", "p2");
    await pass(minutes * 60_000 - 1);
    expect(asked).toHaveLength(1);
    await pass(2);
    expect(asked).toHaveLength(2);
    expect(await driver.status()).toMatchObject({
      waiting: 2,
      stoppedBy,
      sinceIso: new Date(NOON_MS).toISOString(),
      lastError: refusal.message,
    });
    await pass(minutes * 60_000);
    expect(asked).toHaveLength(4);
    expect(await driver.status()).toMatchObject({ waiting: 0, stoppedBy: null, lastError: null });
  });

  it("leaves a turn that fails for later and goes on with the next", async () => {
    const { asked, pass, turns, driver } = story([{ type: "failed", message: "HTTP 400" }, answered()]);
    await turns("p1", "p2");
    await pass(29_000);
    expect(asked).toHaveLength(2);
    expect((await driver.status()).waiting).toBe(1);
    await pass(1_000);
    expect(asked).toHaveLength(3);
    expect((await driver.status()).waiting).toBe(0);
  });

  it("gives up what never succeeds, pays for every answer, and shows the error", async () => {
    const useless = Array.from({ length: 9 }, () => answered(100, 10, "I would rather not."));
    const { asked, pass, turns, driver } = story(useless);
    await turns("p1");
    await pass(24 * HOUR_MS - 12 * HOUR_MS - 1);
    expect(asked).toHaveLength(6);
    expect(await driver.status()).toMatchObject({
      waiting: 0,
      givenUp: 1,
      todayTokens: 660,
      lastError: "the answer has none of the asked parts (19 characters)",
    });
    expect(await jobs.spendOf("2026-11-15")).toEqual([
      { model: MODEL, calls: 6, failedCalls: 6, inputTokens: 600, outputTokens: 60 },
    ]);
  });

  it("is done with a turn of which nothing may be asked", async () => {
    const { asked, pass, turns, driver } = story([], { turnOf: async () => null });
    await turns("p1");
    await pass(1_000);
    expect(asked).toEqual([]);
    expect((await driver.status()).waiting).toBe(0);
  });

  it("tells of a log that takes nothing, and tries again", async () => {
    let isFull = true;
    const written: HooklineEvent[] = [];
    const { pass, turns, trouble, driver } = story([], {
      write: async (events) => {
        if (isFull) throw new Error("disk full");
        written.push(...events);
      },
    });
    await turns("p1");
    await pass(1_000);
    expect(trouble).toEqual([new Error("disk full")]);
    expect(await driver.status()).toMatchObject({ waiting: 1, lastError: "disk full", todayTokens: 1_200 });
    isFull = false;
    await pass(30_000);
    expect(written).toHaveLength(2);
  });

  it("gives a job back when it is closed in the middle of a call", async () => {
    const { pass, turns, driver } = story([], {
      callModel: (_request, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ type: "failed", message: "stopped" }));
        }),
    });
    await turns("p1");
    await pass(1_000);
    await driver.close();
    expect(await jobs.lease(NOON_MS, 1)).toEqual({ sessionId: "s1", promptId: "p1", attempts: 1 });
  });
});
