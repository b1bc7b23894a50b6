import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { mergeEvents } from "../event/merge.ts";
import { SessionUsage } from "./session-detail.ts";
import { createUsageFold, type UsageFold } from "./usage.ts";

const START = Date.UTC(2026, 10, 15);
const opus = "claude-opus-5-5";
const haiku = "claude-haiku-4-5";
const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function event(fields: Record<string, unknown>, seconds: number): HooklineEvent {
  return {
    v: 1,
    id: "",
    eventType: "agent.event",
    occurredAtIso: new Date(START + seconds * 1000).toISOString(),
    sessionId: "s",
    provider: "claude",
    projectPath: null,
    cwd: null,
    origin: "transcript",
    ...fields,
  };
}

const usageOf = (input: number, output: number, fields: object = {}) => ({
  input_tokens: input,
  output_tokens: output,
  ...fields,
});

/** A model message at this second: 100 tokens in, 20 out, so 800 micro-dollars with opus. */
const message = (messageId: string, seconds: number, fields: object = {}): HooklineEvent =>
  event(
    {
      id: `message ${messageId}`,
      eventType: "assistant.message",
      messageId,
      model: opus,
      usage: usageOf(100, 20),
      ...fields,
    },
    seconds,
  );

const inherited = (messageId: string, seconds: number): HooklineEvent =>
  event(
    {
      id: `inherited ${messageId}`,
      name: "inherited-message",
      data: { messageId, model: opus, usage: usageOf(100, 20) },
    },
    seconds,
  );

interface CostStateOptions {
  readonly startedAt: number;
  readonly ranFor: number;
  readonly lastLineAt: number;
  readonly calls: number;
  readonly model?: string;
  readonly guesses?: boolean;
}

/** The agent's own totals over `calls` calls like those of `message`. */
const costState = ({
  startedAt,
  ranFor,
  lastLineAt,
  calls,
  model = opus,
  guesses = false,
}: CostStateOptions) =>
  event(
    {
      id: `cost ${startedAt} ${ranFor} ${calls}`,
      phase: "exited",
      name: "cost-state",
      data: {
        totalCostUSD: calls * 0.0008,
        totalDuration: ranFor * 1000,
        startTime: START + startedAt * 1000,
        modelUsage: {
          [model]: {
            inputTokens: calls * 100,
            outputTokens: calls * 20,
            cacheReadInputTokens: 0,
            cacheCreationInputTokens: 0,
            costUSD: calls * 0.0008,
          },
        },
        hasUnknownModelCost: guesses,
      },
    },
    lastLineAt,
  );

function foldOf(...events: readonly HooklineEvent[]): UsageFold {
  const usage = createUsageFold(claude.usage);
  for (const item of events) usage.apply(item);
  return usage;
}

describe("the usage of a session", () => {
  it("is zero at first", () => {
    expect(foldOf().read()).toEqual({
      tokens: noTokens,
      cost: { micros: 0, source: "estimate", unpricedModels: [] },
      byModel: [],
      beyondMessages: [],
      model: null,
      contextTokens: null,
      contextWindow: null,
    });
  });

  it("is the sum of its messages by model, each once, priced by the table", () => {
    const other = message("m2", 2, { agentId: "a", model: `${haiku}-20251001`, usage: usageOf(10, 1) });
    const { tokens, cost, byModel } = foldOf(message("m1", 1), message("m1", 1), other).read();
    expect(tokens).toEqual({ ...noTokens, input: 110, output: 21 });
    expect(byModel).toEqual([
      { model: haiku, ...noTokens, input: 10, output: 1, costMicros: 15 },
      { model: opus, ...noTokens, input: 100, output: 20, costMicros: 800 },
    ]);
    expect(cost).toEqual({ micros: 815, source: "estimate", unpricedModels: [] });
  });

  it("is what the agent reports once it has written its totals", () => {
    const usage = foldOf(
      message("m1", 1),
      costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1 }),
    ).read();
    expect(usage.tokens).toEqual({ ...noTokens, input: 100, output: 20 });
    expect(usage.cost).toEqual({ micros: 800, source: "reported", unpricedModels: [] });
    expect(usage.beyondMessages).toEqual([]);
  });

  it("includes what only the agent's totals know", () => {
    const state = costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 3 });
    expect(foldOf(message("m1", 1), state).read().beyondMessages).toEqual([
      { model: opus, ...noTokens, input: 200, output: 40, costMicros: 1600 },
    ]);
    const fewer = costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 0 });
    expect(foldOf(message("m1", 1), fewer).read().beyondMessages).toEqual([]);
  });

  it("is the last totals plus later messages once the session is resumed", () => {
    const usage = foldOf(
      message("m1", 1),
      costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1 }),
      message("m2", 61),
    );
    expect(usage.read().tokens.input).toBe(200);
    expect(usage.read().cost).toMatchObject({ micros: 1600, source: "estimate" });
    usage.apply(costState({ startedAt: 0, ranFor: 5, lastLineAt: 62, calls: 2 }));
    expect(usage.read().tokens.input).toBe(200);
    expect(usage.read().cost).toMatchObject({ micros: 1600, source: "reported" });
    expect(usage.read().beyondMessages).toEqual([]);
  });

  it("includes messages of a process that was killed before it wrote totals, between two that did", () => {
    const usage = foldOf(
      message("m1", 1),
      costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1 }),
      message("killed", 30),
      message("m2", 61),
      costState({ startedAt: 0, ranFor: 5, lastLineAt: 62, calls: 2 }),
    ).read();
    expect(usage.tokens.input).toBe(300);
    expect(usage.cost).toMatchObject({ micros: 2400, source: "estimate" });
    expect(usage.beyondMessages).toEqual([]);
  });

  it("adds up totals that start again because there were none to continue from", () => {
    const usage = foldOf(
      message("killed", 1),
      message("m1", 31),
      costState({ startedAt: 30, ranFor: 5, lastLineAt: 31, calls: 1 }),
      message("m2", 61),
      costState({ startedAt: 60, ranFor: 5, lastLineAt: 61, calls: 1 }),
    ).read();
    expect(usage.tokens.input).toBe(300);
    expect(usage.cost.micros).toBe(2400);
  });

  it("counts a late response to a subagent as part of the totals", () => {
    const late = message("m2", 3, { agentId: "a" });
    const state = costState({ startedAt: 0, ranFor: 4, lastLineAt: 1, calls: 2 });
    expect(foldOf(message("m1", 1), late, state).read().tokens.input).toBe(200);
  });

  it("excludes the parent's usage in a fork, although the agent's totals continue from there", () => {
    const usage = foldOf(inherited("m1", 1), inherited("m2", 2), message("m3", 61));
    const own = { micros: 800, source: "estimate" };
    expect(usage.read().cost).toMatchObject(own);
    // Two messages of the parent, five calls of its subagents, and one of the fork.
    usage.apply(costState({ startedAt: 0, ranFor: 6, lastLineAt: 61, calls: 8 }));
    expect(usage.read().cost).toMatchObject(own);
    expect(usage.read().beyondMessages).toEqual([]);
    expect(usage.read().contextTokens).toBe(100);
    // Resumed: one more message, and one call that is in no line.
    usage.apply(message("m4", 91));
    usage.apply(costState({ startedAt: 0, ranFor: 9, lastLineAt: 91, calls: 10 }));
    expect(usage.read().cost).toMatchObject({ micros: 2400, source: "estimate" });
    expect(usage.read().tokens.input).toBe(300);
    expect(usage.read().beyondMessages).toMatchObject([{ input: 100, costMicros: 800 }]);
  });

  it("trusts a fork's own totals, whether or not they include the parent's part", () => {
    const state = costState({ startedAt: 60, ranFor: 6, lastLineAt: 61, calls: 1 });
    const usage = foldOf(inherited("m1", 1), message("m3", 61), state).read();
    expect(usage.cost).toMatchObject({ micros: 800, source: "reported" });
    expect(usage.beyondMessages).toEqual([]);
  });

  it("counts a message once that is both inherited and its own", () => {
    expect(foldOf(inherited("m1", 1), message("m1", 1)).read().tokens.input).toBe(100);
  });

  it("matches a model's messages by the name the agent requested", () => {
    const state = costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1, model: `${opus}[1m]` });
    const { byModel, beyondMessages } = foldOf(message("m1", 1), state).read();
    expect(byModel.map(({ model }) => model)).toEqual([opus]);
    expect(beyondMessages).toEqual([]);
  });

  it("names models without a price and never counts them as free", () => {
    const unpriced = message("m2", 2, { model: "gpt-9" });
    expect(foldOf(unpriced).read().cost).toEqual({
      micros: null,
      source: "unpriced",
      unpricedModels: ["gpt-9"],
    });
    expect(foldOf(message("m1", 1), unpriced).read()).toMatchObject({
      cost: { micros: 800, source: "estimate", unpricedModels: ["gpt-9"] },
      byModel: [{ model: opus }, { model: "gpt-9", costMicros: null }].sort((a, b) =>
        a.model < b.model ? -1 : 1,
      ),
    });
  });

  it("does not treat the agent's guess at an unknown price as reported", () => {
    const state = { startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1, model: "gpt-9" };
    expect(foldOf(costState({ ...state, guesses: true })).read().cost).toEqual({
      micros: null,
      source: "unpriced",
      unpricedModels: ["gpt-9"],
    });
    expect(foldOf(costState(state)).read().cost).toMatchObject({ micros: 800, source: "reported" });
  });

  it("falls back to the messages when the totals were removed as private", () => {
    const withoutData = event({ id: "cost", phase: "exited", name: "cost-state", private: true }, 2);
    expect(foldOf(message("m1", 1), message("m0", 0), withoutData).read().cost.micros).toBe(1600);
  });

  it("reports model and context of the main agent's newest message", () => {
    const usage = usageOf(7, 500, { cache_read_input_tokens: 90_000, cache_creation_input_tokens: 3 });
    const newest = message("m2", 2, {
      model: "claude-sonnet-4-5",
      requestedModel: "claude-sonnet-4-5[1m]",
      usage,
    });
    const events = [
      message("m1", 1),
      newest,
      message("m3", 3, { agentId: "a" }),
      message("m4", 4, { model: "<synthetic>" }),
    ];
    expect(foldOf(...events).read()).toMatchObject({
      model: "claude-sonnet-4-5",
      contextTokens: 90_010,
      contextWindow: 1_000_000,
    });
  });

  it("matches the API's schema", () => {
    const usage = foldOf(message("m1", 1)).toSessionUsage();
    expect(SessionUsage.parse(usage)).toEqual(usage);
    expect(usage.pricesOf).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

const anyMessage = fc
  .record({
    name: fc.constantFrom("m1", "m2", "m3", "m4"),
    seconds: fc.integer({ min: 0, max: 100 }),
    model: fc.constantFrom(opus, `${opus}[1m]`, haiku, "gpt-9", "<synthetic>"),
    input: fc.integer({ min: 0, max: 200_000 }),
    output: fc.nat(500),
    speed: fc.constantFrom("fast", "standard"),
    agentId: fc.constantFrom(undefined, "a"),
    origin: fc.constantFrom("transcript", "stream"),
  })
  .map(({ name, seconds, model, input, output, speed, agentId, origin }) =>
    message(name, seconds, { model, usage: usageOf(input, output, { speed }), agentId, origin }),
  );
const anyInherited = fc
  .tuple(fc.constantFrom("m0", "m1"), fc.integer({ min: 0, max: 100 }))
  .map(([name, seconds]) => inherited(name, seconds));
const anyCostState = fc
  .record({
    startedAt: fc.constantFrom(0, 40),
    ranFor: fc.integer({ min: 1, max: 50 }),
    lastLineAt: fc.integer({ min: 0, max: 100 }),
    calls: fc.nat(4),
    model: fc.constantFrom(opus, haiku, "gpt-9"),
    guesses: fc.boolean(),
  })
  .map((state) => ({ ...costState(state), id: `cost ${JSON.stringify(state)}` }));
const anyStory = fc.array(fc.oneof(anyMessage, anyInherited, anyCostState), { maxLength: 12 });

function mergeFacts(events: readonly HooklineEvent[]): HooklineEvent[] {
  const facts = new Map<string, HooklineEvent>();
  for (const item of events) {
    const known = facts.get(item.id);
    facts.set(item.id, mergeEvents(known ?? item, item));
  }
  return [...facts.values()];
}

describe("the usage fold", () => {
  it("is independent of order and repetition", () => {
    const shuffled = anyStory.chain((story) =>
      fc.tuple(
        fc.constant(story),
        fc.shuffledSubarray([...story, ...story], { minLength: story.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([story, repeated]) => {
        expect(foldOf(...repeated).toSessionUsage()).toEqual(foldOf(...story).toSessionUsage());
        expect(foldOf(...repeated).read()).toEqual(foldOf(...story).read());
      }),
    );
  });

  it("is the same for every report, the merged facts, or both", () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const facts = mergeFacts(story);
        const expected = foldOf(...story).read();
        expect(foldOf(...facts).read()).toEqual(expected);
        expect(foldOf(...facts, ...story).read()).toEqual(expected);
      }),
    );
  });

  it("returns non-negative integers, and rows that add up to the total", () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { tokens, cost, byModel, beyondMessages } = foldOf(...story).read();
        for (const row of [...byModel, ...beyondMessages]) {
          expect(Math.min(row.input, row.output, row.costMicros ?? 0)).toBeGreaterThanOrEqual(0);
        }
        expect(byModel.reduce((sum, row) => sum + row.input, 0)).toBe(tokens.input);
        const micros = byModel.reduce((sum, row) => sum + (row.costMicros ?? 0), 0);
        expect(cost.micros ?? 0).toBe(micros);
        expect(Number.isInteger(micros)).toBe(true);
      }),
    );
  });

  it("is not changed by an intermediate read", () => {
    const usage = foldOf(message("m1", 1));
    const before = usage.read();
    usage.apply(message("m2", 2));
    expect(before.tokens.input).toBe(100);
    expect(usage.read().tokens.input).toBe(200);
  });

  it("ignores every other event", () => {
    const usage = foldOf(event({ id: "x", eventType: "turn.start", usage: usageOf(1, 1), model: opus }, 1));
    expect(usage.read()).toEqual(foldOf().read());
  });
});
