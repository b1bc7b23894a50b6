import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentResult, DrivenInput, DrivenRequest, Effect, Settlement } from "./driven-input.ts";
import { backgroundTaskIds, createDriven, type Driven, stateOf } from "./driven-state.ts";
import { type EnvelopeBody, isTransient } from "./envelope.ts";
import { openJournal } from "./journal.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";
import { step } from "./transition.ts";

const message = (messageId: string) => ({ messageId, text: `text of ${messageId}`, images: [] });
const send = (messageId: string): DrivenInput => ({
  type: "send",
  message: message(messageId),
  interrupt: false,
});
const asked = (toolUseId: string, more: Partial<DrivenRequest> = {}): DrivenInput => ({
  type: "asked",
  request: {
    kind: "permission",
    toolUseId,
    tool: "Bash",
    input: { command: "touch a" },
    reason: "It changes something.",
    rule: "builtin/rest",
    agentId: null,
    agentType: null,
    sinceIso: "2026-01-01T00:00:00.000Z",
    ...more,
  },
});
const ALLOW: Settlement = {
  outcome: "allow",
  by: "user",
  who: "Ann",
  rule: null,
  answers: null,
  reply: { behavior: "allow", updatedInput: {} },
  scope: null,
  mode: null,
};
const answer = (requestId: string, more: Partial<Settlement> = {}): DrivenInput => ({
  type: "answer",
  requestId,
  answer: { ...ALLOW, ...more },
});
const tokens = (inputTokens: number) => ({
  inputTokens,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
});
const result = (more: Partial<AgentResult> = {}, costUsd = 1): DrivenInput => ({
  type: "agent.result",
  result: {
    subtype: "success",
    isError: false,
    terminalReason: "completed",
    apiStatus: null,
    message: null,
    durationMs: 1,
    numTurns: 1,
    totals: { costUsd, models: { opus: { ...tokens(costUsd * 100), costUsd } } },
    mainLoopUsage: tokens(10),
    denials: [],
    messageIds: [],
    ...more,
  },
});
const idle: DrivenInput = { type: "activity", busy: false };

interface Story {
  readonly state: Driven;
  readonly envelopes: readonly EnvelopeBody[];
  readonly effects: readonly Effect[];
}

function tell(inputs: readonly DrivenInput[], beginning = createDriven({ mode: "default" })): Story {
  return inputs.reduce<Story>(
    (story, input) => {
      const { state, envelopes, effects } = step(story.state, input);
      return {
        state,
        envelopes: [...story.envelopes, ...envelopes],
        effects: [...story.effects, ...effects],
      };
    },
    { state: beginning, envelopes: [], effects: [] },
  );
}

describe("a task", () => {
  const started = (taskId: string, background?: boolean): DrivenInput => ({
    type: "task",
    taskId,
    what: "started",
    description: `Build ${taskId}`,
    status: null,
    ...(background !== undefined && { background }),
  });
  const told = { type: "task", description: null, status: null } as const;
  const ended = (taskId: string): DrivenInput => ({ ...told, taskId, what: "ended" });
  const summary = ({ envelopes }: Story) =>
    envelopes.flatMap((one) => (one.type === "task" ? [[one.taskId, one.what, one.background]] : []));
  const background = ({ state }: Story): string[] => backgroundTaskIds(state);

  it("is in the background only where the agent says so, or does not say", () => {
    const story = tell([started("a", false), started("b", true), started("c")]);
    expect(background(story)).toEqual(["b", "c"]);
    const over = tell([ended("a"), ended("b")], story.state);
    expect(background(over)).toEqual(["c"]);
    expect([...summary(story), ...summary(over)]).toEqual([
      ["a", "started", false],
      ["b", "started", true],
      ["c", "started", true],
      ["a", "ended", false],
      ["b", "ended", true],
    ]);
  });

  it("is told as started, with its description, when it is moved to the background", () => {
    const moved: DrivenInput = { ...told, taskId: "a", what: "updated", background: true };
    const story = tell([started("a", false), moved, { ...moved, status: "running" }]);
    expect(background(story)).toEqual(["a"]);
    expect(story.envelopes.filter(({ type }) => type === "task")).toMatchObject([
      { what: "started", background: false },
      { what: "started", background: true, description: "Build a" },
      { what: "updated", background: true },
    ]);
  });

  it("that nobody knows is not counted", () => {
    expect(background(tell([{ ...told, taskId: "a", what: "progress" }, ended("b")]))).toEqual([]);
  });

  it("is stopped with an idle session only where it is in the background", () => {
    const { effects } = tell([started("a", false), started("b", true), { type: "stop" }]);
    expect(effects).toEqual([{ type: "stopTask", taskId: "b" }]);
  });
});

describe("a turn", () => {
  it("is over when the agent says that it is idle, not with its result", () => {
    const story = tell([
      send("a"),
      { type: "answering" },
      { type: "delta", text: "hi" },
      result({ messageIds: ["a"] }),
    ]);
    expect(stateOf(story.state)).toBe("thinking");
    expect(stateOf(step(story.state, idle).state)).toBe("idle");
  });

  it("goes on while a message is on its way to the agent", () => {
    const told: DrivenInput = { type: "delivery", messageId: "a", state: "started" };
    const late = tell([send("a"), told, result({ messageIds: ["a"] }), send("b"), idle]);
    expect(stateOf(late.state)).toBe("thinking");
    expect(stateOf(tell([result({ messageIds: ["b"] }), idle], late.state).state)).toBe("idle");
  });

  it("forgets a call that was cut off, and a text that was not finished", () => {
    const start: DrivenInput = { type: "tool.start", toolUseId: "t", tool: "Bash", input: {}, parent: null };
    const { state } = tell([
      send("a"),
      { type: "delta", text: "h" },
      start,
      { type: "stop" },
      result(),
      idle,
    ]);
    expect([stateOf(state), state.tools.size, state.partialText]).toEqual(["idle", 0, ""]);
  });

  it("that is stopped interrupts once, and settles what waits", () => {
    const story = tell([send("a"), asked("t"), { type: "stop" }]);
    expect(stateOf(story.state)).toBe("stopping");
    expect(story.effects).toContainEqual({ type: "interrupt", dropQueued: true });
    expect(story.envelopes).toContainEqual(
      expect.objectContaining({ type: "permission.resolved", outcome: "withdrawn", by: "stopped" }),
    );
    expect(tell([{ type: "withdrawn", requestId: "t" }, answer("t")], story.state)).toMatchObject({
      envelopes: [],
      effects: [],
    });
  });

  it("that does not obey is ended", () => {
    expect(tell([send("a"), { type: "stop" }, { type: "stuck" }]).effects.at(-1)).toEqual({ type: "kill" });
    expect(tell([send("a"), { type: "stuck" }]).effects.at(-1)?.type).toBe("push");
  });
});

describe("a result", () => {
  const cases: readonly (readonly [string, Partial<AgentResult>])[] = [
    ["completed", {}],
    [
      "interrupted",
      { subtype: "error_during_execution", isError: true, terminalReason: "aborted_streaming" },
    ],
    ["interrupted", { subtype: "error_during_execution", isError: true, terminalReason: "aborted_tools" }],
    ["api_error", { isError: true, terminalReason: "api_error", apiStatus: 529 }],
    ["api_error", { isError: true, terminalReason: null, apiStatus: 401 }],
    ["prompt_too_long", { isError: true, terminalReason: "prompt_too_long", apiStatus: 400 }],
    ["max_turns", { subtype: "error_max_turns", isError: true, terminalReason: "max_turns" }],
    ["max_budget", { subtype: "error_max_budget_usd", isError: true, terminalReason: "budget_exhausted" }],
    ["failed", { subtype: "error_during_execution", isError: true, terminalReason: null }],
    ["failed", { isError: true, terminalReason: null }],
  ];
  it.each(cases)("is told apart: %s", (outcome, more) => {
    const { envelopes } = tell([result(more)]);
    expect(envelopes).toContainEqual(
      expect.objectContaining({ type: "result", outcome, ok: outcome === "completed" }),
    );
  });

  const costs = (story: Story) =>
    story.envelopes.flatMap((body) =>
      body.type === "result" ? [[body.turnCostUsd, body.totalCostUsd, body.usage.inputTokens]] : [],
    );

  it("costs the difference to what was told before", () => {
    expect(costs(tell([result({}, 1), result({}, 3)]))).toEqual([
      [1, 1, 100],
      [2, 3, 200],
    ]);
  });

  it("of a resumed session begins at what the agent had; of a fork, at nothing", () => {
    const totals = { costUsd: 5, models: { opus: { ...tokens(500), costUsd: 5 } } };
    const begun = createDriven({ mode: "default", reportedTotals: null });
    expect(costs(tell([{ type: "baseline", totals, inherited: false }, result({}, 6)], begun))).toEqual([
      [1, 6, 100],
    ]);
    expect(costs(tell([{ type: "baseline", totals, inherited: true }, result({}, 6)], begun))).toEqual([
      [1, 1, 100],
    ]);
    expect(costs(tell([result({}, 6), result({}, 8)], begun))).toEqual([
      [null, 6, 10],
      [2, 8, 200],
    ]);
  });

  it("is not counted again when what the agent had comes too late", () => {
    const resumed = createDriven({ mode: "default", reportedTotals: null, totalCostUsd: 5 });
    const late: DrivenInput = { type: "baseline", totals: { costUsd: 5, models: {} }, inherited: false };
    const { state } = tell([result({}, 6), late, result({}, 7)], resumed);
    expect(state.totalCostUsd).toBe(7);
  });

  it("counts on after the agent began anew", () => {
    expect(costs(tell([result({}, 4), result({}, 1)]))).toEqual([
      [4, 4, 400],
      [1, 5, 100],
    ]);
  });

  it("spends the budget", () => {
    const begun = createDriven({ mode: "default", maxBudgetUsd: 2 });
    expect(tell([result({}, 1)], begun).state.budgetSpent).toBe(false);
    expect(tell([result({}, 1), result({}, 2)], begun).state.budgetSpent).toBe(true);
  });
});

describe("a request", () => {
  it("of a background agent waits while the main one is idle", () => {
    const story = tell([send("a"), result({ messageIds: ["a"] }), idle, asked("t", { agentId: "x" })]);
    expect(stateOf(story.state)).toBe("awaiting_permission");
    expect(stateOf(step(story.state, answer("t")).state)).toBe("idle");
  });

  it("that comes after a stop is refused without being shown", () => {
    const { envelopes, effects } = tell([send("a"), { type: "stop" }, asked("t")]);
    expect(envelopes.some(({ type }) => type === "permission.request")).toBe(false);
    expect(effects.at(-1)).toMatchObject({ type: "reply", reply: { behavior: "deny", interrupt: true } });
  });

  it("to carry out a plan leaves the plan mode when it is approved, and only then", () => {
    const plan = createDriven({ mode: "plan" });
    const ask = asked("t", { kind: "plan", tool: "ExitPlanMode" });
    const deny = { outcome: "deny", reply: { behavior: "deny", message: "no", interrupt: false } } as const;
    expect(tell([ask, answer("t", deny)], plan).state.mode).toBe("plan");
    expect(tell([ask, answer("t")], plan).state.mode).toBe("default");
    expect(tell([ask, answer("t", { mode: "acceptEdits" })], plan).envelopes).toContainEqual({
      type: "mode",
      mode: "acceptEdits",
      by: "Ann",
    });
  });
});

describe("a mode", () => {
  it("is ours: the agent hears of plan alone", () => {
    const mode = (name: string): DrivenInput => ({ type: "mode", mode: name, by: "Ann" });
    expect(tell([mode("bypassPermissions"), mode("acceptEdits")]).effects).toEqual([]);
    expect(tell([mode("plan"), mode("default")]).effects).toEqual([
      { type: "agentMode", mode: "plan" },
      { type: "agentMode", mode: "default" },
    ]);
  });

  it("that the agent takes for itself is taken back, but for plan", () => {
    const took = (name: string): DrivenInput => ({ type: "agent.mode", mode: name });
    expect(tell([took("bypassPermissions")]).effects).toEqual([{ type: "agentMode", mode: "default" }]);
    expect(tell([took("plan")]).state.mode).toBe("plan");
  });
});

const ids = fc.constantFrom("t1", "t2", "t3");
const messageIds = fc.constantFrom("m1", "m2", "m3");
const anyInput: fc.Arbitrary<DrivenInput> = fc.oneof(
  messageIds.map(send),
  ids.map((id) => asked(id)),
  ids.map((id) => asked(id, { kind: "question", tool: "AskUserQuestion" })),
  ids.map((id) => answer(id)),
  ids.map((requestId): DrivenInput => ({ type: "withdrawn", requestId })),
  fc.boolean().map((busy): DrivenInput => ({ type: "activity", busy })),
  fc.constantFrom<DrivenInput>(
    { type: "opened" },
    { type: "answering" },
    { type: "delta", text: "x" },
    { type: "stop" },
    { type: "stuck" },
    { type: "close", why: "test" },
    { type: "exit", error: null },
    { type: "exit", error: { code: "process_exit", message: "gone" } },
    { type: "mode", mode: "plan", by: "x" },
    { type: "agent.mode", mode: "acceptEdits" },
  ),
  fc.tuple(messageIds, fc.nat(9)).map(([id, cost]) => result({ messageIds: [id] }, cost)),
  ids.map(
    (toolUseId): DrivenInput => ({ type: "tool.start", toolUseId, tool: "Bash", input: {}, parent: null }),
  ),
  ids.map(
    (toolUseId): DrivenInput => ({
      type: "tool.end",
      toolUseId,
      tool: null,
      ok: true,
      output: "",
      parent: null,
    }),
  ),
);

function journalOf() {
  return openJournal({
    sessionId: "s",
    location: { projectPath: null, cwd: "/x" },
    store: createMemoryEnvelopeStore(),
    epoch: "e",
    nowIso: () => "2026-01-01T00:00:00.000Z",
    onNotice: () => undefined,
  });
}

it("keeps its promises whatever happens in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyInput, { maxLength: 40 }), fc.boolean(), async (inputs, queued) => {
      const { state, envelopes, effects } = tell(
        inputs,
        createDriven({ mode: "default", queuedReason: queued ? "full" : null }),
      );
      const of = (pattern: RegExp) =>
        envelopes.flatMap((body) => (pattern.test(body.type) && "toolUseId" in body ? [body.toolUseId] : []));
      const requests = of(/^(permission|question)\.request$/);
      const settled = of(/^(permission|question)\.resolved$/);
      expect(new Set(requests).size).toBe(requests.length);
      expect(new Set(settled).size).toBe(settled.length);
      expect(requests.toSorted()).toEqual([...settled, ...state.pending.keys()].toSorted());
      const replies = effects.flatMap((effect) => (effect.type === "reply" ? [effect.requestId] : []));
      expect(settled.filter((id) => replies.includes(id!)).length).toBeLessThanOrEqual(replies.length);
      const told = envelopes.flatMap((body) => (body.type === "state" ? [body.state] : []));
      if (told.length > 0) expect(told.at(-1)).toBe(stateOf(state));
      for (const [index, each] of told.entries()) expect(each).not.toBe(told[index - 1]);
      const journal = await journalOf();
      journal.write(envelopes);
      const seqs = (await journal.read(0)).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(seqs).toHaveLength(envelopes.filter((body) => !isTransient(body)).length);
      if (!told.includes("closed")) return;
      expect(state.pending.size).toBe(0);
      expect(envelopes.at(-1)).toMatchObject({ type: "state", state: "closed" });
    }),
    { numRuns: 500 },
  );
});
