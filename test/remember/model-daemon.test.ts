// Memory with a model, end to end: hooks, the daemon, the scripted API, `status` and `rebuild`.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { type FakeApi, type FakeRequest, openFakeApi, type Turn } from "../support/fake-api.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { type WorkTurn, workTurns } from "./work-turns.ts";

const MODEL = "claude-haiku-4-5";
/** What another memory sends for the same work: 200 tool uses and 80 prompts. */
const OTHERS_BYTES = 53_700_000;

interface World {
  readonly hookline: Hookline;
  readonly api: FakeApi;
  readonly daemon: DaemonChild;
  /** Reports this many turns, through the hook commands or over HTTP; returns when all are in the database. */
  work(turns: number, calls: number, by?: "hooks" | "http"): Promise<readonly WorkTurn[]>;
  memory(): Promise<{ readonly model: ModelPart | null; readonly outbox: number }>;
}

interface ModelPart {
  readonly waiting: number;
  readonly tokensToday: number;
  readonly note: string | null;
}

async function open(
  { onTestFinished }: TestContext,
  memory: Readonly<Record<string, unknown>>,
  answer: (request: FakeRequest, n: number) => Turn = told,
): Promise<World> {
  let asked = 0;
  const api = await openFakeApi([], { side: (request) => answer(request, asked++) });
  onTestFinished(() => api.close());
  const hookline = openHookline({
    config: { memory: { embedder: null, ...memory } },
    env: { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: api.url },
  });
  onTestFinished(() => hookline.close());
  return {
    hookline,
    api,
    daemon: await hookline.start(),
    async work(count, calls, by = "hooks") {
      const turns = workTurns(count, calls, hookline.root);
      for (const payload of turns.flatMap(({ payloads }) => payloads)) {
        if (by === "hooks") await hookline.fire(payload);
        else await hookline.ask("POST", `/hook/claude/${payload["hook_event_name"]}`, payload);
      }
      await hookline.settle();
      return turns;
    },
    memory: () => hookline.ask("GET", "/api/memory"),
  };
}

/** A complete answer: a summary, and an observation for each call in the request. */
function told({ lastUserText }: FakeRequest): Turn {
  const part = /Part (\d+)/.exec(lastUserText)?.[1];
  const ids = [...lastUserText.matchAll(/<call id="(\d+)"/g)].map(([, id]) => id!);
  const observations = ids.map(
    (id) =>
      `<observation id="${id}"><type>fix</type><title>Told title of call ${id} in part ${part}</title></observation>`,
  );
  return {
    text: `<summary><request>Told request of part ${part}</request><learned>Told lesson of part ${part}</learned></summary>
<observations>${observations.join("")}</observations>`,
    usage: { input_tokens: 700, output_tokens: 200 },
  };
}

/** With `reached`, waits as long as that value keeps changing. */
async function until<T>(
  what: string,
  check: () => Promise<T | false>,
  reached: () => number = () => 0,
): Promise<T> {
  let before = -1;
  for (let end = Number.POSITIVE_INFINITY; Date.now() < end; await sleep(50)) {
    const found = await check();
    if (found !== false) return found;
    const now = reached();
    if (now !== before) end = Date.now() + PATIENCE_MS;
    before = now;
  }
  throw new Error(`never: ${what}`);
}

/** Waits until memory has built everything it can, including the model's answers. */
function untilAsked(world: World, turns: number): Promise<true> {
  const done = () => count(world, "memory_jobs WHERE is_done = 1");
  return until(
    `${turns} turns are asked about`,
    async () => {
      const { model, outbox } = await world.memory();
      return outbox === 0 && model?.waiting === 0 && done() === turns;
    },
    done,
  );
}

const untilNoted = ({ memory }: World, pattern: RegExp, waiting: number): Promise<ModelPart> =>
  until(`status says ${pattern} while ${waiting} wait`, async () => {
    const { model, outbox } = await memory();
    return outbox === 0 && model?.waiting === waiting && pattern.test(model.note ?? "") && model;
  });

/** The model's answers, wherever they appear. */
const shown = ({ hookline }: World): unknown => ({
  summaries: hookline.query("SELECT * FROM session_summaries ORDER BY id"),
  items: hookline.query("SELECT * FROM memory_items WHERE kind <> 'prompt' ORDER BY id"),
  spend: hookline.query("SELECT * FROM memory_spend ORDER BY day, model"),
  jobs: hookline.query("SELECT * FROM memory_jobs ORDER BY turn"),
});

const count = ({ hookline }: World, from: string): number =>
  Number(hookline.query(`SELECT count(*) AS n FROM ${from}`)[0]!["n"]);

const statusOf = async ({
  hookline,
}: World): Promise<{ text: string; json: { memory: { model: unknown } } }> => ({
  text: (await hookline.run("status")).stdout,
  json: JSON.parse((await hookline.run("status", "--json")).stdout),
});

describe.concurrent("200 tool uses and 80 prompts", () => {
  it("with the API: one small request a turn, whose answers show and stay", async (context) => {
    const world = await open(context, { model: MODEL, modelVia: "api" });
    const turns = await world.work(80, 200, "http");
    await untilAsked(world, 80);

    expect(turns.reduce((sum, { calls }) => sum + calls, 0)).toBe(200);
    expect(count(world, "observations")).toBe(200);
    const { requests } = world.api;
    expect(requests).toHaveLength(80);
    expect(new Set(requests.map(({ lastUserText }) => /Part (\d+):/.exec(lastUserText)?.[1])).size).toBe(80);
    const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
    expect(bytes).toBeGreaterThan(80_000);
    expect(bytes).toBeLessThanOrEqual(0.02 * OTHERS_BYTES);

    expect(count(world, "session_summaries WHERE request LIKE 'Told request of part %'")).toBe(80);
    expect(count(world, "memory_items WHERE kind = 'summary' AND made_by = 'model'")).toBe(80);
    expect(count(world, "memory_items WHERE made_by = 'model' AND title LIKE 'Told title of call %'")).toBe(
      200,
    );
    const status = await statusOf(world);
    expect(status.text).toContain(`model: ${MODEL}, 72000 of 200000 tokens today`);
    expect(status.json.memory.model).toMatchObject({ waiting: 0, tokensToday: 72_000, note: null });

    const before = shown(world);
    expect(await world.hookline.run("rebuild")).toMatchObject({ code: 0 });
    await until("memory is made again", async () => (await world.memory()).outbox === 0);
    expect(shown(world)).toEqual(before);
    expect((await world.memory()).model).toMatchObject({ waiting: 0, tokensToday: 72_000 });
    expect(requests).toHaveLength(80);
  });

  it("without a model: sends no request", async (context) => {
    const world = await open(context, { model: null });
    await world.work(80, 200, "http");
    await until("memory is made", async () => (await world.memory()).outbox === 0);
    // Longer than the delay after a turn.
    await sleep(6_000);
    expect(count(world, "session_summaries")).toBe(80);
    expect(count(world, "memory_jobs")).toBe(0);
    expect(world.api.requests).toEqual([]);
    const status = await statusOf(world);
    expect(status.json.memory.model).toBeNull();
    expect(status.text).not.toContain("model:");
  });
});

describe.concurrent("asking a model", () => {
  it("through the Agent SDK leaves no session and no transcript behind", async (context) => {
    const world = await open(context, { model: MODEL, modelVia: "sdk" });
    await world.work(4, 10);
    await untilAsked(world, 4);
    expect(world.api.requests.map(({ toolNames }) => toolNames)).toEqual([[], [], [], []]);
    expect(world.api.requests.reduce((sum, { bytes }) => sum + bytes, 0) / 4).toBeLessThan(
      (0.02 * OTHERS_BYTES) / 80,
    );
    expect(count(world, "session_summaries WHERE request LIKE 'Told request of part %'")).toBe(4);
    expect(count(world, "memory_items WHERE made_by = 'model' AND title LIKE 'Told title of call %'")).toBe(
      10,
    );
    const sessions = world.hookline.query("SELECT claude_session_id AS id FROM sdk_sessions");
    expect(sessions).toEqual([{ id: "work-session-0" }]);
    const projects = join(world.hookline.root, ".claude", "projects");
    expect(existsSync(projects) ? readdirSync(projects) : []).toEqual([]);
  });

  it("stops when the day's tokens are used up, and says so", async (context) => {
    const world = await open(context, { model: MODEL, modelVia: "api", dailyTokens: 2_000 });
    await world.work(8, 16);
    const model = await untilNoted(world, /stopped by budget/, 5);
    expect(model).toMatchObject({ waiting: 5, tokensToday: 2_700, dailyTokens: 2_000 });
    expect(world.api.requests).toHaveLength(3);
    const status = await statusOf(world);
    expect(status.text).toContain(
      `model: ${MODEL}, 2700 of 2000 tokens today, 5 turns queued; stopped by budget`,
    );
    expect(status.json.memory.model).toMatchObject({ waiting: 5, note: "stopped by budget" });
    // A rebuild keeps the day's state: the tokens spent and the waiting turns.
    await world.hookline.run("rebuild");
    expect((await world.memory()).model).toMatchObject({ waiting: 5, tokensToday: 2_700 });
    expect(world.api.requests).toHaveLength(3);
  });

  it.for([
    {
      status: 401,
      type: "authentication_error",
      message: "invalid x-api-key",
      said: /stopped by auth until .*401: invalid x-api-key/,
    },
    {
      status: 429,
      type: "rate_limit_error",
      message: "slow down",
      retryAfter: 600,
      said: /stopped by rate_limit until .*429: slow down/,
    },
  ])("reports a refusal ($status) and keeps the turns", async ({ said: message, ...error }, context) => {
    const world = await open(context, { model: MODEL, modelVia: "api" }, () => ({ error }));
    await world.work(3, 3);
    await untilNoted(world, message, 3);
    const status = await statusOf(world);
    expect(status.text).toMatch(message);
    expect(status.json.memory.model).toMatchObject({
      waiting: 3,
      tokensToday: 0,
      note: expect.stringMatching(message),
    });
    expect(world.api.requests).toHaveLength(1);
  });

  it("continues after the daemon was killed midway", async (context) => {
    const slow = 3;
    const world = await open(context, { model: MODEL, modelVia: "api" }, (request, n) => ({
      ...told(request),
      ...(n === slow && { delayMs: 120_000 }),
    }));
    await world.work(10, 20);
    await until("a request hangs", async () => world.api.requests.length === slow + 1);
    await world.daemon.kill("SIGKILL");
    const db = new DatabaseSync(world.hookline.home.db);
    expect(db.prepare("SELECT total(is_done) AS done FROM memory_jobs").get()).toEqual({ done: slow });
    // As if its lease had expired meanwhile.
    expect(
      db.prepare("UPDATE memory_jobs SET lease_until_ms = 1 WHERE lease_until_ms > 0").run().changes,
    ).toBe(1);
    db.close();
    await world.hookline.start();
    await untilAsked(world, 10);
    // The interrupted request is sent once more, the others once.
    expect(world.api.requests).toHaveLength(11);
    expect(count(world, "session_summaries WHERE request LIKE 'Told request of part %'")).toBe(10);
    expect(count(world, "memory_items WHERE made_by = 'model' AND title LIKE 'Told title of call %'")).toBe(
      20,
    );
  });
});
