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
function openDriver(
  answers: readonly ModelAnswer[],
  overrides: Partial<Parameters<typeof driveModel>[0]> = {},
) {
  let nowMs = NOON_MS;
  let timers: { atMs: number; work: () => void }[] = [];
  const requests: ModelRequest[] = [];
  const writtenEvents: HooklineEvent[] = [];
  const errors: unknown[] = [];
  const queue = [...answers];
  const opened = driveModel({
    model: MODEL,
    dailyTokens: 100_000,
    settleMs: 0,
    jobs: (work) => work(jobs),
    callModel: async (request) => {
      requests.push(request);
      return queue.shift() ?? answered();
    },
    turnOf: async (turn: JobTurn): Promise<TurnToSummarise | null> => turnToSummarise(turn),
    write: async (events) => void writtenEvents.push(...events),
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
    onError: (error) => void errors.push(error),
    ...overrides,
  });
  driver = opened;
  const settle = async (): Promise<void> => {
    for (let index = 0; index < 50; index++) await Promise.resolve();
  };
  const advance = async (ms: number): Promise<void> => {
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
  const enqueueTurns = async (...ids: readonly string[]): Promise<void> => {
    for (const promptId of ids) await opened.enqueue({ sessionId: "s1", promptId });
  };
  return {
    driver: opened,
    requests: requests,
    writtenEvents: writtenEvents,
    errors: errors,
    advance: advance,
    enqueueTurns: enqueueTurns,
    pending: () => timers.length,
  };
}

describe("driveModel", () => {
  it("asks once per turn, and logs the answer with model and cost", async () => {
    const { requests, writtenEvents, advance, enqueueTurns, driver } = openDriver([]);
    await enqueueTurns("p1", "p2");
    await advance(1_000);
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({
      model: MODEL,
      text: expect.stringContaining("<prompt>Fix the rounding"),
    });
    const [summary, observation] = writtenEvents;
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
    expect(writtenEvents).toHaveLength(4);
    await enqueueTurns("p1");
    await advance(HOUR_MS);
    expect(requests).toHaveLength(2);
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

  it("waits until a turn is complete", async () => {
    const { requests, advance, enqueueTurns } = openDriver([], { settleMs: 5_000 });
    await enqueueTurns("p1");
    await advance(4_999);
    expect(requests).toEqual([]);
    await advance(1);
    expect(requests).toHaveLength(1);
  });

  it("does nothing without a model", async () => {
    const { requests, advance, enqueueTurns, pending, driver } = openDriver([], {
      model: null,
      jobs: () => {
        throw new Error("read");
      },
    });
    await enqueueTurns("p1");
    expect(pending()).toBe(0);
    await advance(HOUR_MS);
    expect(requests).toEqual([]);
    expect(await driver.status()).toMatchObject({ model: null, waiting: 0, stoppedBy: null });
  });

  it("stops at the daily budget, and continues the next day", async () => {
    const { requests, advance, enqueueTurns, driver } = openDriver([], { dailyTokens: 2_000 });
    await enqueueTurns("p1", "p2", "p3", "p4");
    await advance(HOUR_MS);
    expect(requests).toHaveLength(2);
    expect(await driver.status()).toMatchObject({
      waiting: 2,
      todayTokens: 2_400,
      stoppedBy: "budget",
      sinceIso: new Date(NOON_MS).toISOString(),
    });
    await advance(10 * HOUR_MS);
    expect(requests).toHaveLength(2);
    await advance(2 * HOUR_MS);
    expect(requests).toHaveLength(4);
    expect(await driver.status()).toMatchObject({ waiting: 0, todayTokens: 2_400 });
  });

  it("asks nothing with a budget of 0", async () => {
    const { requests, advance, enqueueTurns, driver } = openDriver([], { dailyTokens: 0 });
    await enqueueTurns("p1");
    await advance(25 * HOUR_MS);
    expect(requests).toEqual([]);
    expect(await driver.status()).toMatchObject({ waiting: 1, stoppedBy: "budget" });
  });

  it("waits for a rate limit without losing an attempt", async () => {
    const retryAtMs = NOON_MS + 2 * HOUR_MS;
    const { requests, advance, enqueueTurns, driver } = openDriver([
      { type: "rate_limited", retryAtMs, message: "5-hour limit" },
    ]);
    await enqueueTurns("p1");
    await advance(HOUR_MS);
    await enqueueTurns("p2");
    await advance(HOUR_MS - 1);
    expect(requests).toHaveLength(1);
    expect(await driver.status()).toMatchObject({
      waiting: 2,
      stoppedBy: "rate_limit",
      untilIso: new Date(retryAtMs).toISOString(),
      lastError: "5-hour limit",
    });
    await advance(1_000);
    expect(requests).toHaveLength(3);
    expect(await driver.status()).toMatchObject({ waiting: 0, stoppedBy: null, lastError: null });
    expect(db.sql("SELECT max(attempts) AS most FROM memory_jobs").get()).toEqual({ most: 1 });
  });

  it.each([
    ["auth", { type: "auth_failed", message: "Please run /login" }, 30],
    ["unavailable", { type: "unavailable", message: "no SDK" }, 30],
    ["overload", { type: "overloaded", message: "529" }, 5],
  ] as const)("stops for a while on %s, and reports since when", async (stoppedBy, refusal, minutes) => {
    const { requests, advance, enqueueTurns, driver } = openDriver([refusal, refusal]);
    await enqueueTurns("p1", "p2");
    await advance(minutes * 60_000 - 1);
    expect(requests).toHaveLength(1);
    await advance(2);
    expect(requests).toHaveLength(2);
    expect(await driver.status()).toMatchObject({
      waiting: 2,
      stoppedBy,
      sinceIso: new Date(NOON_MS).toISOString(),
      lastError: refusal.message,
    });
    await advance(minutes * 60_000);
    expect(requests).toHaveLength(4);
    expect(await driver.status()).toMatchObject({ waiting: 0, stoppedBy: null, lastError: null });
  });

  it("retries a failed turn later, and continues with the next", async () => {
    const { requests, advance, enqueueTurns, driver } = openDriver([
      { type: "failed", message: "HTTP 400" },
      answered(),
    ]);
    await enqueueTurns("p1", "p2");
    await advance(29_000);
    expect(requests).toHaveLength(2);
    expect((await driver.status()).waiting).toBe(1);
    await advance(1_000);
    expect(requests).toHaveLength(3);
    expect((await driver.status()).waiting).toBe(0);
  });

  it("gives up after repeated failures, counts every answer, and reports the error", async () => {
    const unusableAnswers = Array.from({ length: 9 }, () => answered(100, 10, "I would rather not."));
    const { requests, advance, enqueueTurns, driver } = openDriver(unusableAnswers);
    await enqueueTurns("p1");
    await advance(24 * HOUR_MS - 12 * HOUR_MS - 1);
    expect(requests).toHaveLength(6);
    expect(await driver.status()).toMatchObject({
      waiting: 0,
      givenUp: 1,
      todayTokens: 660,
      lastError: "the answer has none of the requested parts (19 characters)",
    });
    expect(await jobs.spendOf("2026-11-15")).toEqual([
      { model: MODEL, calls: 6, failedCalls: 6, inputTokens: 600, outputTokens: 60 },
    ]);
  });

  it("finishes a turn without anything to ask", async () => {
    const { requests, advance, enqueueTurns, driver } = openDriver([], { turnOf: async () => null });
    await enqueueTurns("p1");
    await advance(1_000);
    expect(requests).toEqual([]);
    expect((await driver.status()).waiting).toBe(0);
  });

  it("reports a failed write, and retries", async () => {
    let isFull = true;
    const writtenEvents: HooklineEvent[] = [];
    const { advance, enqueueTurns, errors, driver } = openDriver([], {
      write: async (events) => {
        if (isFull) throw new Error("disk full");
        writtenEvents.push(...events);
      },
    });
    await enqueueTurns("p1");
    await advance(1_000);
    expect(errors).toEqual([new Error("disk full")]);
    expect(await driver.status()).toMatchObject({ waiting: 1, lastError: "disk full", todayTokens: 1_200 });
    isFull = false;
    await advance(30_000);
    expect(writtenEvents).toHaveLength(2);
  });

  it("releases a job when closed during a call", async () => {
    const { advance, enqueueTurns, driver } = openDriver([], {
      callModel: (_request, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ type: "failed", message: "stopped" }));
        }),
    });
    await enqueueTurns("p1");
    await advance(1_000);
    await driver.close();
    expect(await jobs.lease(NOON_MS, 1)).toEqual({ sessionId: "s1", promptId: "p1", attempts: 1 });
  });
});
