import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { translateHook } from "../../agents/claude/translate-hook.ts";
import { redactEvent } from "../../capture/redact-event.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { SeenEntry } from "../../monitor/watch-registry.ts";
import { withoutContent } from "../../privacy/private-event.ts";
import type { Card } from "../control-contract.ts";
import { createHolds, type Holds } from "./hold-requests.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude/2.1.325");
const SESSION = "99bfd6b9-3457-40ab-ad85-714da7b47e3b";
const PROMPT = "21df7e4f-1aa0-440b-84a9-2f0e2e3c244d";
const HOLD_MS = 120_000;
type Payload = Readonly<Record<string, unknown>>;

function fixture(name: string, more: Payload = {}): Payload {
  return { ...(JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")) as Payload), ...more };
}

const bash = (command: string, more: Payload = {}) =>
  fixture("PermissionRequest.Bash", { tool_input: { command, description: "Run" }, ...more });
const read = (file: string) =>
  fixture("PermissionRequest.Bash", { tool_name: "Read", tool_input: { file_path: file } });

let holds: Holds;
let changes: Card[];
let notes: HooklineEvent[];
let isWatched: boolean;
let mayRecord: boolean;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-15T12:00:00.000Z") });
  changes = [];
  notes = [];
  isWatched = false;
  mayRecord = true;
  let ids = 0;
  holds = createHolds({
    holdMs: HOLD_MS,
    nowMs: Date.now,
    newId: () => `card-${++ids}`,
    projectOf: (cwd) => cwd,
    isDriven: (sessionId) => sessionId === "driven",
    isWatched: () => isWatched,
    mayRecord: () => mayRecord,
    note: (event) => notes.push(event),
    onChange: (card) => changes.push(card),
  });
});
afterEach(() => {
  holds.close();
  vi.useRealTimers();
});

/** A held request: what became of it, as far as that is known by now. */
function ask(payload: unknown, attended: boolean | null = true) {
  const hook = new AbortController();
  const held: { output?: object | null; abort: () => void } = { abort: () => hook.abort() };
  holds.hold(payload, { attended, signal: hook.signal }).then((output) => {
    held.output = output;
  });
  return held;
}

const turn = () => vi.advanceTimersByTimeAsync(1);
const ids = () => holds.cards().map(({ id }) => id);
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string });

/** What the log says of a payload, as the daemon takes it a moment later. */
function told(payload: Payload): HooklineEvent[] {
  const occurredAtIso = new Date(Date.now()).toISOString();
  const delivery = {
    payload,
    occurredAtIso,
    env: {},
    pid: null,
    name: "1-1-0",
    timeNs: "1",
    contentHash: () => "",
  };
  return translateHook(delivery, (cwd) => cwd).map(redactEvent);
}

const ended = (payload: Payload) =>
  told({ ...payload, hook_event_name: "PostToolUse", tool_use_id: "toolu_1", tool_response: "done" });

function entry(status: SeenEntry["status"], more: Partial<SeenEntry> = {}): SeenEntry {
  return { sessionId: SESSION, status, statusUpdatedAtMs: Date.now(), alive: true, ...more } as SeenEntry;
}

describe("a held request", () => {
  it("is shown with what is to be decided, and answered by the first who does", async () => {
    const hook = ask(bash("touch a.txt"));
    expect(holds.cards()).toEqual([
      {
        id: "card-1",
        sessionId: SESSION,
        source: "terminal",
        kind: "permission",
        toolName: "Bash",
        toolUseId: null,
        input: { command: "touch a.txt", description: "Run" },
        questions: [],
        plan: null,
        reason: null,
        rule: null,
        agentId: null,
        agentType: null,
        projectPath: "/home/dev/acme-shop",
        cwd: "/home/dev/acme-shop",
        sinceIso: "2026-11-15T12:00:00.000Z",
        untilIso: "2026-11-15T12:02:00.000Z",
        status: "pending",
        settled: null,
      },
    ]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(hook.output).toBeUndefined();
    const card = holds.answer("card-1", { decision: "allow", who: "Ann" });
    await turn();
    expect(hook.output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    const settled = {
      outcome: "allow",
      by: "user",
      who: "Ann",
      rule: null,
      atIso: "2026-11-15T12:00:05.000Z",
    };
    expect(card).toMatchObject({ status: "settled", settled });
    expect(holds.cards()).toEqual([]);
    expect(holds.get("card-1")).toEqual(card);
    expect(holds.cards({ settled: true })).toEqual([card]);
    expect(changes.map(({ status }) => status)).toEqual(["pending", "settled"]);
    expect(() => holds.answer("card-1", { decision: "deny" })).toThrow(
      refusal("not_pending", /^Already answered by Ann \(allow\)/),
    );
  });

  it("answers the same command twice with the same card", () => {
    ask(bash("touch a.txt"));
    const answer = { decision: "deny", commandId: "k1" } as const;
    expect(holds.answer("card-1", answer)).toEqual(holds.answer("card-1", answer));
    expect(() => holds.answer("card-1", { decision: "deny", commandId: "k2" })).toThrow(
      refusal("not_pending", /somebody/),
    );
  });

  it("stays open after an answer that does not fit, and an unknown card is said to be unknown", async () => {
    const hook = ask(fixture("PermissionRequest.AskUserQuestion"));
    expect(() => holds.answer("card-1", { decision: "allow" })).toThrow(refusal("answer_invalid", /answers/));
    expect(() => holds.answer("card-9", { decision: "allow" })).toThrow(refusal("card_unknown", /card-9/));
    await turn();
    expect(hook.output).toBeUndefined();
    expect(ids()).toEqual(["card-1"]);
  });

  it("is left to the terminal when its time is over, and when we close", async () => {
    const [first, second] = [ask(bash("touch a.txt")), ask(read("/etc/hosts"))];
    await vi.advanceTimersByTimeAsync(HOLD_MS - 1);
    expect(first.output).toBeUndefined();
    await turn();
    expect([first.output, second.output]).toEqual([null, null]);
    expect(() => holds.answer("card-1", { decision: "allow" })).toThrow(
      refusal("not_pending", /terminal's own dialog decides/),
    );
    const hasty = ask(bash("touch b.txt"));
    await vi.advanceTimersByTimeAsync(HOLD_MS - 100);
    hasty.abort();
    expect(holds.get("card-3")?.settled?.by).toBe("timeout");
    const third = ask(bash("touch b.txt"));
    holds.close();
    await turn();
    expect(third.output).toBeNull();
    expect(holds.get("card-4")?.settled).toMatchObject({ by: "stopped", outcome: "withdrawn" });
    const late = ask(bash("touch c.txt"));
    await turn();
    expect(late.output).toBeNull();
  });

  it("is forgotten some minutes after it was settled", async () => {
    ask(bash("touch a.txt"));
    holds.answer("card-1", { decision: "allow" });
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect(holds.cards({ settled: true })).toEqual([]);
    expect(() => holds.answer("card-1", { decision: "allow" })).toThrow(refusal("card_unknown", /card-1/));
  });
});

describe("a request is not held", () => {
  it.each<[string, unknown, boolean | null]>([
    ["of a driven session", bash("touch a.txt", { session_id: "driven" }), true],
    ["of a subagent, whose dialog would wait for us", bash("touch a.txt", { agent_id: "a1" }), true],
    ["of a run without a person", bash("touch a.txt"), false],
    ["that is none", { hook_event_name: "PermissionRequest" }, true],
  ])("%s", async (_what, payload, attended) => {
    const hook = ask(payload, attended);
    await turn();
    expect(hook.output).toBeNull();
    expect(changes).toEqual([]);
    expect(notes).toEqual([]);
  });

  it("when its hook is already gone", async () => {
    expect(await holds.hold(bash("touch a.txt"), { attended: true, signal: AbortSignal.abort() })).toBeNull();
  });

  it("where no dialog shows, unless somebody watches, and only as long as somebody does", async () => {
    isWatched = true;
    const hook = ask(bash("touch a.txt", { agent_id: "a1", agent_type: "Explore" }));
    const run = ask(bash("touch b.txt"), false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(holds.cards()).toMatchObject([{ agentId: "a1", agentType: "Explore" }, { agentId: null }]);
    // The session goes on about other things: that answers nothing here.
    holds.entries([entry("busy")]);
    holds.told(told(fixture("Stop", { session_id: SESSION, prompt_id: PROMPT })));
    expect(ids()[0]).toBe("card-1");
    isWatched = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([hook.output, run.output]).toEqual([null, null]);
    expect(() => holds.answer("card-1", { decision: "allow" })).toThrow(
      refusal("not_pending", /nobody was looking/),
    );
  });
});

describe("an answer in the terminal withdraws the card", () => {
  const gone = (id: string, by: string) =>
    expect(holds.get(id)).toMatchObject({
      status: "settled",
      settled: { outcome: "withdrawn", by, who: null },
    });

  it("when its hook is ended by No, Esc or a signal", async () => {
    const hook = ask(bash("touch a.txt"));
    hook.abort();
    await turn();
    expect(hook.output).toBeNull();
    gone("card-1", "terminal");
    expect(() => holds.answer("card-1", { decision: "allow" })).toThrow(
      refusal("not_pending", /^Already answered in the terminal/),
    );
  });

  it("when the registry says that the dialog is over, for each of its requests", async () => {
    holds.entries([entry("busy")]);
    const hooks = [read("/a"), read("/b"), read("/c")].map((payload) => ask(payload));
    holds.entries([entry("busy", { statusUpdatedAtMs: Date.now() - 200 })]);
    await vi.advanceTimersByTimeAsync(40);
    holds.entries([entry("waiting")]);
    await vi.advanceTimersByTimeAsync(4_000);
    holds.told(ended(read("/b")));
    expect(ids()).toEqual(["card-1", "card-3"]);
    holds.answer("card-3", { decision: "allow" });
    holds.entries([entry("busy", { sessionId: "other" }), entry("waiting")]);
    expect(ids()).toEqual(["card-1"]);
    holds.entries([entry("busy")]);
    await turn();
    gone("card-1", "terminal");
    expect(hooks.map(({ output }) => output === null)).toEqual([true, true, false]);
  });

  it("when its process is gone, or another session has taken its place", () => {
    ask(bash("touch a.txt"));
    holds.entries([entry("waiting", { sessionId: "other" })]);
    expect(ids()).toEqual(["card-1"]);
    holds.entries([entry("waiting")]);
    holds.entries([entry("waiting", { alive: false })]);
    gone("card-1", "ended");
    holds.entries([entry("waiting")]);
    ask(bash("touch b.txt"));
    holds.entries([entry("idle", { sessionId: "other" })]);
    gone("card-2", "ended");
  });

  it("when its very call has ended, masked as the log has it, and not by one from before", async () => {
    const secret = bash(
      "curl -H 'authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' x.dev",
    );
    const before = ended(secret);
    await vi.advanceTimersByTimeAsync(50);
    ask(secret);
    await vi.advanceTimersByTimeAsync(50);
    holds.told(before);
    holds.told(ended(bash("curl x.dev")));
    holds.told(ended({ ...secret, agent_id: "a1" }));
    holds.told(ended({ ...secret, session_id: "other" }));
    expect(ids()).toEqual(["card-1"]);
    const [end] = ended(secret);
    expect(JSON.stringify(end)).not.toContain("sk-ant-api03");
    holds.told([end!]);
    gone("card-1", "terminal");
  });

  it("once for each of two calls that are the same", () => {
    for (const payload of [read("/a"), read("/a")]) ask(payload);
    holds.told(ended(read("/a")));
    expect(ids()).toEqual(["card-2"]);
    holds.told(ended(read("/a")));
    expect(ids()).toEqual([]);
  });

  it("when the call of a private turn has ended, of which the log knows the tool alone", () => {
    ask(bash("touch a.txt"));
    holds.told(ended(bash("touch a.txt")).map(withoutContent));
    gone("card-1", "terminal");
  });

  it("when a question was answered, whose input has the answers then", () => {
    ask(fixture("PermissionRequest.AskUserQuestion"));
    holds.told(told(fixture("PostToolUse.AskUserQuestion")));
    gone("card-1", "terminal");
  });

  it.each<[string, Payload, string]>([
    ["its turn", fixture("Stop", { session_id: SESSION }), "terminal"],
    ["its session", { hook_event_name: "SessionEnd", session_id: SESSION, reason: "exit" }, "ended"],
    [
      "its turn by the next",
      { hook_event_name: "UserPromptSubmit", session_id: SESSION, prompt_id: "p2", prompt: "b" },
      "terminal",
    ],
  ])("at the end of %s", (_what, payload, by) => {
    ask(bash("touch a.txt"));
    holds.told(told({ ...payload, session_id: "other" }));
    expect(ids()).toEqual(["card-1"]);
    holds.told(told(payload));
    gone("card-1", by);
  });
});

describe("a denial that comes a moment after a Yes in the terminal", () => {
  const started = (payload: Payload, id: string) =>
    told({ ...payload, hook_event_name: "PreToolUse", tool_use_id: id });
  const ran = (payload: Payload, id: string) =>
    told({ ...payload, hook_event_name: "PostToolUse", tool_use_id: id, tool_response: "done" });

  beforeEach(async () => {
    ask(bash("touch a.txt"));
    await vi.advanceTimersByTimeAsync(1_000);
    holds.answer("card-1", { decision: "deny", who: "Ann" });
    await vi.advanceTimersByTimeAsync(100);
  });

  it("is said to have been overruled when the call has run", () => {
    holds.told(ran(bash("touch a.txt"), "toolu_1"));
    const settled = { outcome: "withdrawn", by: "terminal", who: null };
    expect(holds.get("card-1")).toMatchObject({ status: "settled", settled });
    expect(changes.map((card) => card.settled?.by)).toEqual([undefined, "user", "terminal"]);
    expect(notes.map(({ phase }) => phase)).toEqual(["asked", "settled", "overruled"]);
    holds.told(ran(bash("touch a.txt"), "toolu_1"));
    expect(changes).toHaveLength(3);
  });

  it("is not by the same call made once more, nor by a report that it did not run", () => {
    holds.told(started(bash("touch a.txt"), "toolu_2"));
    holds.told(ran(bash("touch a.txt"), "toolu_2"));
    holds.told(ran(bash("touch b.txt"), "toolu_3"));
    holds.told(ran(bash("touch a.txt"), "toolu_1").map((event) => ({ ...event, origin: "batch" as const })));
    expect(holds.get("card-1")?.settled).toMatchObject({ outcome: "deny", who: "Ann" });
  });
});

describe("what was allowed for the rest of a session", () => {
  it("is exactly that input, and only there", async () => {
    ask(bash("touch *.txt"));
    holds.answer("card-1", { decision: "allowAll", who: "Ann" });
    const again = ask({
      ...bash("touch *.txt"),
      tool_input: { command: "touch *.txt", description: "Again" },
    });
    const inAgent = ask(bash("touch *.txt", { agent_id: "a1" }));
    const others = [bash("touch b.txt"), bash("touch *.txt", { session_id: "other" })].map((p) => ask(p));
    await turn();
    for (const { output } of [again, inAgent])
      expect(output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    expect(holds.get("card-2")?.settled).toMatchObject({ by: "rule", outcome: "allow" });
    expect(others.map(({ output }) => output)).toEqual([undefined, undefined]);
    holds.told(told({ hook_event_name: "SessionEnd", session_id: SESSION, reason: "exit" }));
    const later = ask(bash("touch *.txt"));
    await turn();
    expect(later.output).toBeUndefined();
  });

  it("is left to the agent's own rule where the whole tool was allowed", async () => {
    ask(bash("touch a.txt"));
    holds.answer("card-1", { decision: "allowAll", scope: "tool" });
    const again = ask(bash("touch a.txt"));
    await turn();
    expect(again.output).toBeUndefined();
  });
});

describe("the log", () => {
  it("is told who asked what, and who settled it how", () => {
    ask(fixture("PermissionRequest.AskUserQuestion"));
    const answers = { "Which database should we use?": "SQLite" };
    holds.answer("card-1", { answers, who: "Ann" });
    expect(notes).toMatchObject([
      {
        eventType: "control.card",
        phase: "asked",
        sessionId: SESSION,
        promptId: "474d6305-402d-4833-9bdf-743d22348d2b",
        card: { cardId: "card-1", kind: "question", toolName: "AskUserQuestion" },
      },
      { phase: "settled", card: { cardId: "card-1", outcome: "answered", by: "user", who: "Ann", answers } },
    ]);
  });

  it("is told nothing of what is not recorded", () => {
    mayRecord = false;
    ask(bash("touch a.txt"));
    holds.answer("card-1", { decision: "allow" });
    expect(notes).toEqual([]);
    expect(changes).toHaveLength(2);
  });
});
