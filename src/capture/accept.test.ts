import { queryObjects } from "node:v8";
import { describe, expect, it } from "vitest";
import { prompts } from "../agents/claude/prompts.ts";
import type { NewEvent } from "../event/event.ts";
import { callKey } from "../event/ids.ts";
import { createTextGuard } from "../privacy/forgotten-text.ts";
import { createAcceptor } from "./accept.ts";
import { createHiddenTurns } from "./hidden-turns.ts";
import { EMPTY_RECALL, type RecallResult, type Tombstones } from "./recall.ts";

const acceptor = () => createAcceptor({ mayRecord: () => true });
let tick = 0;
function event(eventType: string, promptId: string, more: object = {}): NewEvent {
  return {
    v: 1,
    id: `e${++tick}`,
    eventType,
    occurredAtIso: new Date(Date.UTC(2026, 0, 1) + tick).toISOString(),
    sessionId: "s",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
    promptId,
    origin: "hook",
    ...more,
  };
}
const prompt = (promptId: string, showsPlan: string) => event("turn.start", promptId, { prompt: showsPlan });
const call = (promptId: string) =>
  event("tool_observation", promptId, { payload: { toolName: "Bash", toolInput: { command: "plan" } } });
const showsPlan = (events: NewEvent[]) => events.map((each) => JSON.stringify(each).includes("plan"));

describe("createAcceptor", () => {
  it("drops the content of a turn with a private prompt, wherever the prompt is in the batch", () => {
    const [first, second, third] = [
      prompt("p", "<private>plan</private>"),
      call("p"),
      event("turn.end", "p", { lastAssistantMessage: "plan" }),
    ];
    expect(showsPlan(acceptor().accept([first, second, third]))).toEqual([false, false, false]);
    expect(showsPlan(acceptor().accept([third, second, first]))).toEqual([false, false, false]);
    const denied = event("permission", "p", { phase: "denied", reason: "It is against the plan" });
    expect(showsPlan(acceptor().accept([first, denied]))).toEqual([false, false]);
  });

  it("keeps no text of an ended turn in memory", () => {
    class Payload {}
    const accept = acceptor();
    // In its own function, so that no reference stays on the stack.
    const turn = () => accept.accept([prompt("p", "go"), event("turn.end", "p", { extra: new Payload() })]);
    turn();
    accept.clearCache();
    expect(queryObjects(Payload, { format: "count" })).toBe(0);
    expect(accept.accept([call("p")])).toHaveLength(1);
  });

  it("hides a private turn for every acceptor, also for one that queried the database before", () => {
    const hidden = createHiddenTurns();
    const open = () => createAcceptor({ mayRecord: () => true, hidden });
    const [hooks, own] = [open(), open()];
    own.accept([event("control.card", "p", { phase: "looked" })]);
    hooks.accept([prompt("p", "<private>plan</private>")]);
    expect(showsPlan(own.accept([call("p")]))).toEqual([false]);
    expect(showsPlan(own.accept([call("q")]))).toEqual([true]);
  });

  it("keeps what precedes a private prompt in a public turn, and hides what follows", () => {
    const accept = acceptor();
    const before = [prompt("p", "go"), call("p"), prompt("p", "<private>plan</private>")];
    expect(showsPlan(accept.accept(before))).toEqual([false, true, false]);
    expect(showsPlan(accept.accept([call("p")]))).toEqual([false]);
    // The turn that it waits for has an id that is never announced.
    expect(showsPlan(accept.accept([call("unannounced")]))).toEqual([false]);
    expect(showsPlan(accept.accept([prompt("q", "plan on"), call("q")]))).toEqual([true, true]);
  });

  it("hides the turn that reports a private turn's background call, also after a restart", async () => {
    const started = event("tool.start", "p", { toolUseId: "t1", payload: { toolInput: "plan" } });
    const report = event("turn.start", "q", {
      machine: true,
      prompt: "<task-notification><tool-use-id>t1</tool-use-id><result>plan</result></task-notification>",
    });
    const all = [prompt("p", "<private>plan</private>"), started, report, call("q")];
    const options = { mayRecord: () => true, ...prompts };
    const acceptor = () => createAcceptor(options);
    expect(showsPlan(acceptor().accept(all))).toEqual([false, false, false, false]);
    expect(showsPlan(acceptor().accept([...all].reverse()))).toEqual([false, false, false, false]);
    const laterAcceptor = createAcceptor({
      ...options,
      recall: async ({ calls }) => ({ ...EMPTY_RECALL, hiddenCalls: new Set(calls.map(callKey)) }),
    });
    const reported = [report, call("q")];
    expect(showsPlan(await laterAcceptor.prepare(reported, () => laterAcceptor.accept(reported)))).toEqual([
      false,
      false,
    ]);
    expect(showsPlan(acceptor().accept([report, call("q")]))).toEqual([true, true]);
  });

  it("cuts only the private part of a prompt", () => {
    const [kept] = acceptor().accept([prompt("p", "please <private>plan</private> go")]);
    expect(kept?.["prompt"]).toMatch(/^please\s+go$/);
    expect(kept?.["private"]).toBeUndefined();
  });
});

describe("createAcceptor with tombstones", () => {
  const LATE = "2027-01-01T00:00:00.000Z";
  const tombstonesWith = (more: Partial<Tombstones>): Tombstones => ({
    hasFact: () => false,
    session: () => undefined,
    guards: () => [],
    ...more,
  });
  const accept = (tombstones: Tombstones, events: NewEvent[]) => {
    const recall = async () => ({ ...EMPTY_RECALL, tombstones });
    const acceptor = createAcceptor({ mayRecord: () => true, recall });
    return acceptor.prepare(events, () => acceptor.accept(events));
  };

  it("drops forgotten facts, and events of a session up to when it was forgotten", async () => {
    const [first, second] = [call("p"), call("p")];
    expect(await accept(tombstonesWith({ hasFact: (id) => id === first.id }), [first, second])).toHaveLength(
      1,
    );
    const laterAcceptor = await accept(tombstonesWith({ session: () => first.occurredAtIso }), [
      first,
      second,
    ]);
    expect(laterAcceptor.map(({ id }) => id)).toEqual([second.id]);
  });

  it("strips earlier events with a forgotten text, and drops those with the text in their path", async () => {
    const guards = () => [{ ...createTextGuard("PLAN", "salt"), at: LATE }];
    const [kept] = await accept(tombstonesWith({ guards }), [call("p")]);
    expect(kept).toMatchObject({ forgotten: true, payload: { toolName: "Bash" } });
    expect(showsPlan([kept!])).toEqual([false]);
    expect(await accept(tombstonesWith({ guards }), [{ ...call("p"), cwd: "/plan" }])).toEqual([]);
    const laterAcceptor = { ...call("p"), occurredAtIso: "2027-01-01T00:00:00.001Z" };
    expect(showsPlan(await accept(tombstonesWith({ guards }), [laterAcceptor]))).toEqual([true]);
  });

  it("drops a fact that is forgotten while the store is queried", async () => {
    const queries: PromiseWithResolvers<RecallResult>[] = [];
    let forgetCount = 0;
    const acceptor = createAcceptor({
      mayRecord: () => true,
      recall: () => {
        queries.push(Promise.withResolvers());
        return queries.at(-1)!.promise;
      },
      forgetCount: () => forgetCount,
    });
    const first = call("p");
    const accepted = acceptor.prepare([first], () => acceptor.accept([first]));
    forgetCount++;
    queries[0]!.resolve(EMPTY_RECALL);
    await expect.poll(() => queries.length).toBe(2);
    queries[1]!.resolve({
      ...EMPTY_RECALL,
      tombstones: tombstonesWith({ hasFact: (id) => id === first.id }),
    });
    expect(await accepted).toEqual([]);
  });
});

describe("createAcceptor with recall", () => {
  const recall = async ({ promptIds }: { promptIds: readonly string[] }): Promise<RecallResult> => ({
    ...EMPTY_RECALL,
    prompts: new Map(
      promptIds
        .filter((id) => id.startsWith("hidden"))
        .map((id) => [id, { eventIds: [`prompt of ${id}`], isPrivate: true, slashCommand: undefined }]),
    ),
  });

  it("queries once per batch, and never twice for a prompt", async () => {
    const queries: (readonly string[])[] = [];
    const acceptor = createAcceptor({
      mayRecord: () => true,
      recall: (query) => {
        queries.push(query.promptIds);
        return recall(query);
      },
    });
    const events = [call("hidden-1"), call("p"), call("hidden-1"), call("hidden-2")];
    const accepted = () =>
      acceptor.prepare(events, () => events.flatMap((first) => acceptor.accept([first])));
    expect(showsPlan(await accepted())).toEqual([false, true, false, false]);
    expect(showsPlan(await accepted())).toEqual([false, true, false, false]);
    expect(queries).toEqual([["hidden-1", "p", "hidden-2"], []]);
  });

  it("keeps concurrent preparations apart", async () => {
    const acceptor = createAcceptor({ mayRecord: () => true, recall });
    const kept = await Promise.all(
      ["hidden-1", "p", "hidden-2"].map((promptId) => {
        const event = call(promptId);
        return acceptor.prepare([event], () => acceptor.accept([event]));
      }),
    );
    expect(showsPlan(kept.flat())).toEqual([false, true, false]);
  });

  it("throws for an event that was not prepared", async () => {
    const acceptor = createAcceptor({ mayRecord: () => true, recall });
    expect(() => acceptor.accept([call("hidden-1")])).toThrow("not prepared");
    const other = () => acceptor.accept([call("hidden-1")]);
    await expect(acceptor.prepare([call("p")], other)).rejects.toThrow("not prepared");
  });
});
