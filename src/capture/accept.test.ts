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
const prompt = (promptId: string, words: string) => event("turn.start", promptId, { prompt: words });
const call = (promptId: string) =>
  event("tool_observation", promptId, { payload: { toolName: "Bash", toolInput: { command: "plan" } } });
const words = (events: NewEvent[]) => events.map((each) => JSON.stringify(each).includes("plan"));

describe("the acceptor", () => {
  it("leaves out the content of a whole turn whose prompt is private, wherever the prompt stands in the batch", () => {
    const [first, second, third] = [
      prompt("p", "<private>plan</private>"),
      call("p"),
      event("turn.end", "p", { lastAssistantMessage: "plan" }),
    ];
    expect(words(acceptor().accept([first, second, third]))).toEqual([false, false, false]);
    expect(words(acceptor().accept([third, second, first]))).toEqual([false, false, false]);
    const denied = event("permission", "p", { phase: "denied", reason: "It is against the plan" });
    expect(words(acceptor().accept([first, denied]))).toEqual([false, false]);
  });

  it("keeps no text of a turn that has ended", () => {
    class Said {}
    const accept = acceptor();
    // In its own function, so that nothing of it stays on the stack.
    const turn = () => accept.accept([prompt("p", "go"), event("turn.end", "p", { extra: new Said() })]);
    turn();
    accept.clearCache();
    expect(queryObjects(Said, { format: "count" })).toBe(0);
    expect(accept.accept([call("p")])).toHaveLength(1);
  });

  it("hides a private turn from every writer, also from one that asked the database before it was told", () => {
    const hidden = createHiddenTurns();
    const open = () => createAcceptor({ mayRecord: () => true, hidden });
    const [hooks, own] = [open(), open()];
    own.accept([event("control.card", "p", { phase: "looked" })]);
    hooks.accept([prompt("p", "<private>plan</private>")]);
    expect(words(own.accept([call("p")]))).toEqual([false]);
    expect(words(own.accept([call("q")]))).toEqual([true]);
  });

  it("keeps what came before a private prompt that was typed into a public turn, and hides what follows", () => {
    const accept = acceptor();
    const before = [prompt("p", "go"), call("p"), prompt("p", "<private>plan</private>")];
    expect(words(accept.accept(before))).toEqual([false, true, false]);
    expect(words(accept.accept([call("p")]))).toEqual([false]);
    // The turn it waits for runs under an id that is never announced.
    expect(words(accept.accept([call("unannounced")]))).toEqual([false]);
    expect(words(accept.accept([prompt("q", "plan on"), call("q")]))).toEqual([true, true]);
  });

  it("hides the turn in which something that a private turn left running is reported, also after a restart", async () => {
    const left = event("tool.start", "p", { toolUseId: "t1", payload: { toolInput: "plan" } });
    const report = event("turn.start", "q", {
      machine: true,
      prompt: "<task-notification><tool-use-id>t1</tool-use-id><result>plan</result></task-notification>",
    });
    const all = [prompt("p", "<private>plan</private>"), left, report, call("q")];
    const options = { mayRecord: () => true, ...prompts };
    const acceptor = () => createAcceptor(options);
    expect(words(acceptor().accept(all))).toEqual([false, false, false, false]);
    expect(words(acceptor().accept([...all].reverse()))).toEqual([false, false, false, false]);
    const later = createAcceptor({
      ...options,
      recall: async ({ calls }) => ({ ...EMPTY_RECALL, hiddenCalls: new Set(calls.map(callKey)) }),
    });
    const reported = [report, call("q")];
    expect(words(await later.prepare(reported, () => later.accept(reported)))).toEqual([false, false]);
    expect(words(acceptor().accept([report, call("q")]))).toEqual([true, true]);
  });

  it("takes only the private part out of a prompt that has more", () => {
    const [kept] = acceptor().accept([prompt("p", "please <private>plan</private> go")]);
    expect(kept?.["prompt"]).toMatch(/^please\s+go$/);
    expect(kept?.["private"]).toBeUndefined();
  });
});

describe("what was forgotten", () => {
  const LATE = "2027-01-01T00:00:00.000Z";
  const gone = (more: Partial<Tombstones>): Tombstones => ({
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

  it("does not come back by its id, nor with a session that was told before it was forgotten", async () => {
    const [one, two] = [call("p"), call("p")];
    expect(await accept(gone({ hasFact: (id) => id === one.id }), [one, two])).toHaveLength(1);
    const later = await accept(gone({ session: () => one.occurredAtIso }), [one, two]);
    expect(later.map(({ id }) => id)).toEqual([two.id]);
  });

  it("is kept without content where a text was, of what happened before; dropped where its place says it", async () => {
    const guards = () => [{ ...createTextGuard("PLAN", "salt"), at: LATE }];
    const [kept] = await accept(gone({ guards }), [call("p")]);
    expect(kept).toMatchObject({ forgotten: true, payload: { toolName: "Bash" } });
    expect(words([kept!])).toEqual([false]);
    expect(await accept(gone({ guards }), [{ ...call("p"), cwd: "/plan" }])).toEqual([]);
    const later = { ...call("p"), occurredAtIso: "2027-01-01T00:00:00.001Z" };
    expect(words(await accept(gone({ guards }), [later]))).toEqual([true]);
  });

  it("does not come back when it is forgotten while the store is asked", async () => {
    const asked: PromiseWithResolvers<RecallResult>[] = [];
    let times = 0;
    const acceptor = createAcceptor({
      mayRecord: () => true,
      recall: () => {
        asked.push(Promise.withResolvers());
        return asked.at(-1)!.promise;
      },
      forgetCount: () => times,
    });
    const one = call("p");
    const accepted = acceptor.prepare([one], () => acceptor.accept([one]));
    times++;
    asked[0]!.resolve(EMPTY_RECALL);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]!.resolve({ ...EMPTY_RECALL, tombstones: gone({ hasFact: (id) => id === one.id }) });
    expect(await accepted).toEqual([]);
  });
});

describe("what earlier runs knew", () => {
  const recall = async ({ promptIds }: { promptIds: readonly string[] }): Promise<RecallResult> => ({
    ...EMPTY_RECALL,
    prompts: new Map(
      promptIds
        .filter((id) => id.startsWith("hidden"))
        .map((id) => [id, { eventIds: [`prompt of ${id}`], isPrivate: true, slashCommand: undefined }]),
    ),
  });

  it("is asked for once for what comes together, and not again", async () => {
    const asked: (readonly string[])[] = [];
    const acceptor = createAcceptor({
      mayRecord: () => true,
      recall: (query) => {
        asked.push(query.promptIds);
        return recall(query);
      },
    });
    const events = [call("hidden-1"), call("p"), call("hidden-1"), call("hidden-2")];
    const accepted = () => acceptor.prepare(events, () => events.flatMap((one) => acceptor.accept([one])));
    expect(words(await accepted())).toEqual([false, true, false, false]);
    expect(words(await accepted())).toEqual([false, true, false, false]);
    expect(asked).toEqual([["hidden-1", "p", "hidden-2"], []]);
  });

  it("holds for those alone who asked for it, however two who ask come between each other", async () => {
    const acceptor = createAcceptor({ mayRecord: () => true, recall });
    const kept = await Promise.all(
      ["hidden-1", "p", "hidden-2"].map((promptId) => {
        const event = call(promptId);
        return acceptor.prepare([event], () => acceptor.accept([event]));
      }),
    );
    expect(words(kept.flat())).toEqual([false, true, false]);
  });

  it("is never taken for nothing: what was not asked about is not accepted", async () => {
    const acceptor = createAcceptor({ mayRecord: () => true, recall });
    expect(() => acceptor.accept([call("hidden-1")])).toThrow("not prepared");
    const other = () => acceptor.accept([call("hidden-1")]);
    await expect(acceptor.prepare([call("p")], other)).rejects.toThrow("not prepared");
  });
});
