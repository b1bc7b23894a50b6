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
const requestInput = (toolUseId: string, fields: Partial<DrivenRequest> = {}): DrivenInput => ({
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
    ...fields,
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
const answer = (requestId: string, fields: Partial<Settlement> = {}): DrivenInput => ({
  type: "answer",
  requestId,
  answer: { ...ALLOW, ...fields },
});
const tokens = (inputTokens: number) => ({
  inputTokens,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
});
const result = (fields: Partial<AgentResult> = {}, costUsd = 1): DrivenInput => ({
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
    ...fields,
  },
});
const idle: DrivenInput = { type: "activity", busy: false };

interface Story {
  readonly state: Driven;
  readonly envelopes: readonly EnvelopeBody[];
  readonly effects: readonly Effect[];
}

function run(inputs: readonly DrivenInput[], initial = createDriven({ mode: "default" })): Story {
  return inputs.reduce<Story>(
    (story, input) => {
      const { state, envelopes, effects } = step(story.state, input);
      return {
        state,
        envelopes: [...story.envelopes, ...envelopes],
        effects: [...story.effects, ...effects],
      };
    },
    { state: initial, envelopes: [], effects: [] },
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
  const taskInput = { type: "task", description: null, status: null } as const;
  const ended = (taskId: string): DrivenInput => ({ ...taskInput, taskId, what: "ended" });
  const summary = ({ envelopes }: Story) =>
    envelopes.flatMap((envelope) =>
      envelope.type === "task" ? [[envelope.taskId, envelope.what, envelope.background]] : [],
    );
  const background = ({ state }: Story): string[] => backgroundTaskIds(state);

  it("is in the background if the agent says so or does not say", () => {
    const story = run([started("a", false), started("b", true), started("c")]);
    expect(background(story)).toEqual(["b", "c"]);
    const later = run([ended("a"), ended("b")], story.state);
    expect(background(later)).toEqual(["c"]);
    expect([...summary(story), ...summary(later)]).toEqual([
      ["a", "started", false],
      ["b", "started", true],
      ["c", "started", true],
      ["a", "ended", false],
      ["b", "ended", true],
    ]);
  });

  it("is reported as started, with its description, when moved to the background", () => {
    const moved: DrivenInput = { ...taskInput, taskId: "a", what: "updated", background: true };
    const story = run([started("a", false), moved, { ...moved, status: "running" }]);
    expect(background(story)).toEqual(["a"]);
    expect(story.envelopes.filter(({ type }) => type === "task")).toMatchObject([
      { what: "started", background: false },
      { what: "started", background: true, description: "Build a" },
      { what: "updated", background: true },
    ]);
  });

  it("that never started is not counted", () => {
    expect(background(run([{ ...taskInput, taskId: "a", what: "progress" }, ended("b")]))).toEqual([]);
  });

  it("is stopped with an idle session only if in the background", () => {
    const { effects } = run([started("a", false), started("b", true), { type: "stop" }]);
    expect(effects).toEqual([{ type: "stopTask", taskId: "b" }]);
  });
});

describe("a turn", () => {
  it("ends when the agent reports idle, not with its result", () => {
    const story = run([
      send("a"),
      { type: "answering" },
      { type: "delta", text: "hi" },
      result({ messageIds: ["a"] }),
    ]);
    expect(stateOf(story.state)).toBe("thinking");
    expect(stateOf(step(story.state, idle).state)).toBe("idle");
  });

  it("continues while a message is in transit to the agent", () => {
    const taskInput: DrivenInput = { type: "delivery", messageId: "a", state: "started" };
    const late = run([send("a"), taskInput, result({ messageIds: ["a"] }), send("b"), idle]);
    expect(stateOf(late.state)).toBe("thinking");
    expect(stateOf(run([result({ messageIds: ["b"] }), idle], late.state).state)).toBe("idle");
  });

  it("drops an interrupted call and an unfinished text", () => {
    const start: DrivenInput = { type: "tool.start", toolUseId: "t", tool: "Bash", input: {}, parent: null };
    const { state } = run([send("a"), { type: "delta", text: "h" }, start, { type: "stop" }, result(), idle]);
    expect([stateOf(state), state.tools.size, state.partialText]).toEqual(["idle", 0, ""]);
  });

  it("interrupts once when stopped, and settles pending requests", () => {
    const story = run([send("a"), requestInput("t"), { type: "stop" }]);
    expect(stateOf(story.state)).toBe("stopping");
    expect(story.effects).toContainEqual({ type: "interrupt", dropQueued: true });
    expect(story.envelopes).toContainEqual(
      expect.objectContaining({ type: "permission.resolved", outcome: "withdrawn", by: "stopped" }),
    );
    expect(run([{ type: "withdrawn", requestId: "t" }, answer("t")], story.state)).toMatchObject({
      envelopes: [],
      effects: [],
    });
  });

  it("is killed if it ignores a stop", () => {
    expect(run([send("a"), { type: "stop" }, { type: "stuck" }]).effects.at(-1)).toEqual({ type: "kill" });
    expect(run([send("a"), { type: "stuck" }]).effects.at(-1)?.type).toBe("push");
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
  it.each(cases)("has the outcome %s", (outcome, fields) => {
    const { envelopes } = run([result(fields)]);
    expect(envelopes).toContainEqual(
      expect.objectContaining({ type: "result", outcome, ok: outcome === "completed" }),
    );
  });

  const costs = (story: Story) =>
    story.envelopes.flatMap((body) =>
      body.type === "result" ? [[body.turnCostUsd, body.totalCostUsd, body.usage.inputTokens]] : [],
    );

  it("costs the difference to the previous report", () => {
    expect(costs(run([result({}, 1), result({}, 3)]))).toEqual([
      [1, 1, 100],
      [2, 3, 200],
    ]);
  });

  it("starts from the agent's totals if resumed, and from zero if forked", () => {
    const totals = { costUsd: 5, models: { opus: { ...tokens(500), costUsd: 5 } } };
    const initialState = createDriven({ mode: "default", reportedTotals: null });
    expect(costs(run([{ type: "baseline", totals, inherited: false }, result({}, 6)], initialState))).toEqual(
      [[1, 6, 100]],
    );
    expect(costs(run([{ type: "baseline", totals, inherited: true }, result({}, 6)], initialState))).toEqual([
      [1, 1, 100],
    ]);
    expect(costs(run([result({}, 6), result({}, 8)], initialState))).toEqual([
      [null, 6, 10],
      [2, 8, 200],
    ]);
  });

  it("is not counted again if the baseline arrives late", () => {
    const resumed = createDriven({ mode: "default", reportedTotals: null, totalCostUsd: 5 });
    const late: DrivenInput = { type: "baseline", totals: { costUsd: 5, models: {} }, inherited: false };
    const { state } = run([result({}, 6), late, result({}, 7)], resumed);
    expect(state.totalCostUsd).toBe(7);
  });

  it("keeps counting after the agent's totals restarted", () => {
    expect(costs(run([result({}, 4), result({}, 1)]))).toEqual([
      [4, 4, 400],
      [1, 5, 100],
    ]);
  });

  it("spends the budget", () => {
    const initialState = createDriven({ mode: "default", maxBudgetUsd: 2 });
    expect(run([result({}, 1)], initialState).state.budgetSpent).toBe(false);
    expect(run([result({}, 1), result({}, 2)], initialState).state.budgetSpent).toBe(true);
  });
});

describe("a request", () => {
  it("of a background agent waits while the main one is idle", () => {
    const story = run([send("a"), result({ messageIds: ["a"] }), idle, requestInput("t", { agentId: "x" })]);
    expect(stateOf(story.state)).toBe("awaiting_permission");
    expect(stateOf(step(story.state, answer("t")).state)).toBe("idle");
  });

  it("is denied without being shown after a stop", () => {
    const { envelopes, effects } = run([send("a"), { type: "stop" }, requestInput("t")]);
    expect(envelopes.some(({ type }) => type === "permission.request")).toBe(false);
    expect(effects.at(-1)).toMatchObject({ type: "reply", reply: { behavior: "deny", interrupt: true } });
  });

  it("for a plan leaves plan mode only when it is approved", () => {
    const plan = createDriven({ mode: "plan" });
    const ask = requestInput("t", { kind: "plan", tool: "ExitPlanMode" });
    const deny = { outcome: "deny", reply: { behavior: "deny", message: "no", interrupt: false } } as const;
    expect(run([ask, answer("t", deny)], plan).state.mode).toBe("plan");
    expect(run([ask, answer("t")], plan).state.mode).toBe("default");
    expect(run([ask, answer("t", { mode: "acceptEdits" })], plan).envelopes).toContainEqual({
      type: "mode",
      mode: "acceptEdits",
      by: "Ann",
    });
  });
});

describe("a mode", () => {
  it("is ours: the agent only gets plan", () => {
    const mode = (name: string): DrivenInput => ({ type: "mode", mode: name, by: "Ann" });
    expect(run([mode("bypassPermissions"), mode("acceptEdits")]).effects).toEqual([]);
    expect(run([mode("plan"), mode("default")]).effects).toEqual([
      { type: "agentMode", mode: "plan" },
      { type: "agentMode", mode: "default" },
    ]);
  });

  it("set by the agent itself is reverted, except plan", () => {
    const agentMode = (name: string): DrivenInput => ({ type: "agent.mode", mode: name });
    expect(run([agentMode("bypassPermissions")]).effects).toEqual([{ type: "agentMode", mode: "default" }]);
    expect(run([agentMode("plan")]).state.mode).toBe("plan");
  });
});

const ids = fc.constantFrom("t1", "t2", "t3");
const messageIds = fc.constantFrom("m1", "m2", "m3");
const anyInput: fc.Arbitrary<DrivenInput> = fc.oneof(
  messageIds.map(send),
  ids.map((id) => requestInput(id)),
  ids.map((id) => requestInput(id, { kind: "question", tool: "AskUserQuestion" })),
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

it("keeps its invariants for any order of inputs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyInput, { maxLength: 40 }), fc.boolean(), async (inputs, queued) => {
      const { state, envelopes, effects } = run(
        inputs,
        createDriven({ mode: "default", queuedReason: queued ? "full" : null }),
      );
      const idsOf = (pattern: RegExp) =>
        envelopes.flatMap((body) => (pattern.test(body.type) && "toolUseId" in body ? [body.toolUseId] : []));
      const requests = idsOf(/^(permission|question)\.request$/);
      const settled = idsOf(/^(permission|question)\.resolved$/);
      expect(new Set(requests).size).toBe(requests.length);
      expect(new Set(settled).size).toBe(settled.length);
      expect(requests.toSorted()).toEqual([...settled, ...state.pending.keys()].toSorted());
      const replies = effects.flatMap((effect) => (effect.type === "reply" ? [effect.requestId] : []));
      expect(settled.filter((id) => replies.includes(id!)).length).toBeLessThanOrEqual(replies.length);
      const taskInput = envelopes.flatMap((body) => (body.type === "state" ? [body.state] : []));
      if (taskInput.length > 0) expect(taskInput.at(-1)).toBe(stateOf(state));
      for (const [index, emitted] of taskInput.entries()) expect(emitted).not.toBe(taskInput[index - 1]);
      const journal = await journalOf();
      journal.write(envelopes);
      const seqs = (await journal.read(0)).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(seqs).toHaveLength(envelopes.filter((body) => !isTransient(body)).length);
      if (!taskInput.includes("closed")) return;
      expect(state.pending.size).toBe(0);
      expect(envelopes.at(-1)).toMatchObject({ type: "state", state: "closed" });
    }),
    { numRuns: 500 },
  );
});
