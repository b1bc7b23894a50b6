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

const usageOf = (input: number, output: number, more: object = {}) => ({
  input_tokens: input,
  output_tokens: output,
  ...more,
});

/** A model message at this second: 100 tokens in, 20 out, so 800 micro-dollars with opus. */
const message = (messageId: string, seconds: number, more: object = {}): HooklineEvent =>
  event(
    {
      id: `message ${messageId}`,
      eventType: "assistant.message",
      messageId,
      model: opus,
      usage: usageOf(100, 20),
      ...more,
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

interface Sums {
  readonly startedAt: number;
  readonly ranFor: number;
  readonly lastLineAt: number;
  readonly calls: number;
  readonly model?: string;
  readonly guesses?: boolean;
}

/** The agent's own totals over that many calls like those of `message`. */
const costState = ({ startedAt, ranFor, lastLineAt, calls, model = opus, guesses = false }: Sums) =>
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

function told(...events: readonly HooklineEvent[]): UsageFold {
  const usage = createUsageFold(claude.usage);
  for (const one of events) usage.apply(one);
  return usage;
}

describe("what a session has used", () => {
  it("is nothing at first", () => {
    expect(told().read()).toEqual({
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
    const { tokens, cost, byModel } = told(message("m1", 1), message("m1", 1), other).read();
    expect(tokens).toEqual({ ...noTokens, input: 110, output: 21 });
    expect(byModel).toEqual([
      { model: haiku, ...noTokens, input: 10, output: 1, costMicros: 15 },
      { model: opus, ...noTokens, input: 100, output: 20, costMicros: 800 },
    ]);
    expect(cost).toEqual({ micros: 815, source: "estimate", unpricedModels: [] });
  });

  it("is what the agent reports when it has written its sums", () => {
    const usage = told(
      message("m1", 1),
      costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1 }),
    ).read();
    expect(usage.tokens).toEqual({ ...noTokens, input: 100, output: 20 });
    expect(usage.cost).toEqual({ micros: 800, source: "reported", unpricedModels: [] });
    expect(usage.beyondMessages).toEqual([]);
  });

  it("has beyond its messages what only the agent's sums know", () => {
    const sums = costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 3 });
    expect(told(message("m1", 1), sums).read().beyondMessages).toEqual([
      { model: opus, ...noTokens, input: 200, output: 40, costMicros: 1600 },
    ]);
    const fewer = costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 0 });
    expect(told(message("m1", 1), fewer).read().beyondMessages).toEqual([]);
  });

  it("is the last sums and what came after them, once the session is resumed", () => {
    const usage = told(
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

  it("holds messages of a process that was killed before it wrote sums, between two that did", () => {
    const usage = told(
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

  it("adds up sums that begin anew, because there were none to go on from", () => {
    const usage = told(
      message("killed", 1),
      message("m1", 31),
      costState({ startedAt: 30, ranFor: 5, lastLineAt: 31, calls: 1 }),
      message("m2", 61),
      costState({ startedAt: 60, ranFor: 5, lastLineAt: 61, calls: 1 }),
    ).read();
    expect(usage.tokens.input).toBe(300);
    expect(usage.cost.micros).toBe(2400);
  });

  it("takes a late answer to a subagent, after the last line of the session, as part of its sums", () => {
    const late = message("m2", 3, { agentId: "a" });
    const sums = costState({ startedAt: 0, ranFor: 4, lastLineAt: 1, calls: 2 });
    expect(told(message("m1", 1), late, sums).read().tokens.input).toBe(200);
  });

  it("is, in a fork, without what its parent had used, though the agent's sums go on from there", () => {
    const usage = told(inherited("m1", 1), inherited("m2", 2), message("m3", 61));
    const own = { micros: 800, source: "estimate" };
    expect(usage.read().cost).toMatchObject(own);
    // The parent's two messages, five calls of its subagents, and one of the fork.
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

  it("leaves its parent's part to the sums of a fork, whether they have it or not", () => {
    const sums = costState({ startedAt: 60, ranFor: 6, lastLineAt: 61, calls: 1 });
    const usage = told(inherited("m1", 1), message("m3", 61), sums).read();
    expect(usage.cost).toMatchObject({ micros: 800, source: "reported" });
    expect(usage.beyondMessages).toEqual([]);
  });

  it("counts a message that is both inherited and its own once", () => {
    expect(told(inherited("m1", 1), message("m1", 1)).read().tokens.input).toBe(100);
  });

  it("finds a model's messages under the name by which the agent asked for it", () => {
    const sums = costState({ startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1, model: `${opus}[1m]` });
    const { byModel, beyondMessages } = told(message("m1", 1), sums).read();
    expect(byModel.map(({ model }) => model)).toEqual([opus]);
    expect(beyondMessages).toEqual([]);
  });

  it("names models without a price and never counts them as free", () => {
    const strange = message("m2", 2, { model: "gpt-9" });
    expect(told(strange).read().cost).toEqual({
      micros: null,
      source: "unpriced",
      unpricedModels: ["gpt-9"],
    });
    expect(told(message("m1", 1), strange).read()).toMatchObject({
      cost: { micros: 800, source: "estimate", unpricedModels: ["gpt-9"] },
      byModel: [{ model: opus }, { model: "gpt-9", costMicros: null }].sort((a, b) =>
        a.model < b.model ? -1 : 1,
      ),
    });
  });

  it("does not take the agent's guess at an unknown price for a report", () => {
    const sums = { startedAt: 0, ranFor: 2, lastLineAt: 1, calls: 1, model: "gpt-9" };
    expect(told(costState({ ...sums, guesses: true })).read().cost).toEqual({
      micros: null,
      source: "unpriced",
      unpricedModels: ["gpt-9"],
    });
    expect(told(costState(sums)).read().cost).toMatchObject({ micros: 800, source: "reported" });
  });

  it("falls back on the messages when the sums were left out as private", () => {
    const bare = event({ id: "cost", phase: "exited", name: "cost-state", private: true }, 2);
    expect(told(message("m1", 1), message("m0", 0), bare).read().cost.micros).toBe(1600);
  });

  it("tells model and context of the newest message of the main agent", () => {
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
    expect(told(...events).read()).toMatchObject({
      model: "claude-sonnet-4-5",
      contextTokens: 90_010,
      contextWindow: 1_000_000,
    });
  });

  it("is told of one session in the form of the API", () => {
    const usage = told(message("m1", 1)).toSessionUsage();
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
const anySums = fc
  .record({
    startedAt: fc.constantFrom(0, 40),
    ranFor: fc.integer({ min: 1, max: 50 }),
    lastLineAt: fc.integer({ min: 0, max: 100 }),
    calls: fc.nat(4),
    model: fc.constantFrom(opus, haiku, "gpt-9"),
    guesses: fc.boolean(),
  })
  .map((sums) => ({ ...costState(sums), id: `cost ${JSON.stringify(sums)}` }));
const anyStory = fc.array(fc.oneof(anyMessage, anyInherited, anySums), { maxLength: 12 });

function merged(events: readonly HooklineEvent[]): HooklineEvent[] {
  const facts = new Map<string, HooklineEvent>();
  for (const one of events) {
    const known = facts.get(one.id);
    facts.set(one.id, mergeEvents(known ?? one, one));
  }
  return [...facts.values()];
}

describe("the fold of usage", () => {
  it("reads the same however often and in whatever order it is told", () => {
    const shuffled = anyStory.chain((story) =>
      fc.tuple(
        fc.constant(story),
        fc.shuffledSubarray([...story, ...story], { minLength: story.length * 2 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([story, again]) => {
        expect(told(...again).toSessionUsage()).toEqual(told(...story).toSessionUsage());
        expect(told(...again).read()).toEqual(told(...story).read());
      }),
    );
  });

  it("reads the same whether it is told every telling, the merged facts, or both", () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const facts = merged(story);
        const expected = told(...story).read();
        expect(told(...facts).read()).toEqual(expected);
        expect(told(...facts, ...story).read()).toEqual(expected);
      }),
    );
  });

  it("reads whole, never negative numbers, and rows that add up to the whole", () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const { tokens, cost, byModel, beyondMessages } = told(...story).read();
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

  it("is not changed by being read in between", () => {
    const usage = told(message("m1", 1));
    const before = usage.read();
    usage.apply(message("m2", 2));
    expect(before.tokens.input).toBe(100);
    expect(usage.read().tokens.input).toBe(200);
  });

  it("passes over every other event", () => {
    const usage = told(event({ id: "x", eventType: "turn.start", usage: usageOf(1, 1), model: opus }, 1));
    expect(usage.read()).toEqual(told().read());
  });
});
