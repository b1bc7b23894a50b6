import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import type { CardAnswer } from "../control-contract.ts";
import { openTerminalStory, type Payload } from "./terminal-story.testing.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude/2.1.325");
const SESSION = "99bfd6b9-3457-40ab-ad85-714da7b47e3b";
const HOLD_MS = 120_000;

function fixture(name: string, more: Payload = {}): Payload {
  return { ...(JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")) as Payload), ...more };
}

const bash = (command: string, more: Payload = {}) =>
  fixture("PermissionRequest.Bash", { tool_input: { command, description: "Run" }, ...more });
const read = (file: string, more: Payload = {}) =>
  fixture("PermissionRequest.Bash", { tool_name: "Read", tool_input: { file_path: file }, ...more });
const ended = (payload: Payload, id = "toolu_1") => ({
  ...payload,
  hook_event_name: "PostToolUse",
  tool_use_id: id,
  tool_response: "done",
});
const inAgent = { agent_id: "a1", agent_type: "Explore" };

type Story = ReturnType<typeof openTerminalStory>;
let story: Story;
let mayRecord: boolean;
let isOn: boolean;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-15T12:00:00.000Z") });
  mayRecord = true;
  isOn = true;
  story = openTerminalStory({ mayRecord: () => mayRecord, isOn: () => isOn });
});
afterEach(() => {
  story.close();
  vi.useRealTimers();
});

const pass = (ms = 1) => vi.advanceTimersByTimeAsync(ms);
/** Long enough for a request that seems over to be settled. */
const settle = () => pass(400);
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string });
const card = (id: string) => story.holds.get(id);

describe("a held request", () => {
  it("is shown raw under the id of its recorded event, and answered by the first who does", async () => {
    const hook = story.ask(bash("touch a.txt"));
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.holds.cards()).toEqual([
      {
        id: hook.id,
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
        whyTerminal: null,
        inputBytes: 45,
        settled: null,
      },
    ]);
    await pass(5_000);
    expect(hook.output).toBeUndefined();
    const answered = story.holds.answer(hook.id, { decision: "allow", who: "Ann" });
    await pass();
    expect(hook.output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    const settled = {
      outcome: "allow",
      by: "user",
      who: "Ann",
      rule: null,
      atIso: "2026-11-15T12:00:05.000Z",
    };
    expect(answered).toMatchObject({ status: "settled", settled });
    expect(story.ids()).toEqual([]);
    expect(story.waiting(SESSION)).toEqual([]);
    expect(card(hook.id)).toEqual(answered);
    // Also by the prefix that lists show.
    expect(card(hook.id.slice(0, 8))).toEqual(answered);
    expect(card(hook.id.slice(0, 3))).toBeUndefined();
    expect(() => story.holds.answer(hook.id, { decision: "deny" })).toThrow(
      refusal("not_pending", /^Already answered by Ann \(allow\)/),
    );
  });

  it("answers the same command twice with the same card", () => {
    const { id } = story.ask(bash("touch a.txt"));
    const answer = { decision: "deny", commandId: "k1" } as const;
    expect(story.holds.answer(id, answer)).toEqual(story.holds.answer(id, answer));
    expect(() => story.holds.answer(id, { decision: "deny", commandId: "k2" })).toThrow(
      refusal("not_pending", /someone/),
    );
  });

  it("stays open after an answer that does not fit, and an unknown card is said to be unknown", async () => {
    const hook = story.ask(fixture("PermissionRequest.AskUserQuestion"));
    const { holds } = story;
    expect(() => holds.answer(hook.id, { decision: "allow" })).toThrow(refusal("answer_invalid", /answers/));
    expect(() => holds.answer("card-9", { decision: "allow" })).toThrow(refusal("card_unknown", /card-9/));
    await pass();
    expect(hook.output).toBeUndefined();
    expect(story.pending()).toEqual([hook.id]);
  });

  it("is left to the terminal when its time is over, and stays listed until it is answered there", async () => {
    const [first, second] = [story.ask(bash("touch a.txt")), story.ask(read("/etc/hosts"))];
    await pass(HOLD_MS - 1);
    expect(first.output).toBeUndefined();
    await pass();
    expect([first.output, second.output]).toEqual([null, null]);
    expect(story.holds.cards()).toMatchObject([
      { id: first.id, status: "terminal", whyTerminal: "released", input: { command: "touch a.txt" } },
      { id: second.id, status: "terminal" },
    ]);
    expect(story.waiting(SESSION)).toEqual([first.id, second.id]);
    expect(() => story.holds.answer(first.id, { decision: "allow" })).toThrow(
      refusal("not_pending", /Answer it in the terminal/),
    );
    story.hear(ended(read("/etc/hosts")));
    await settle();
    expect(story.ids()).toEqual([first.id]);
  });

  it("is left to the terminal by a hook that gives up a moment earlier, and when we close", async () => {
    const hasty = story.ask(bash("touch b.txt"));
    await pass(HOLD_MS - 100);
    hasty.abort();
    expect(card(hasty.id)?.status).toBe("terminal");
    const third = story.ask(bash("touch c.txt"));
    story.close();
    await pass();
    expect(third.output).toBeNull();
    expect(story.notes.at(-1)).toMatchObject({ phase: "settled", card: { cardId: third.id, by: "stopped" } });
    expect(story.waiting(SESSION)).toEqual([hasty.id, third.id]);
    const late = story.ask(bash("touch d.txt"));
    await pass();
    expect(late.output).toBeNull();
  });

  it("is forgotten some minutes after it was settled", async () => {
    const { id } = story.ask(bash("touch a.txt"));
    story.holds.answer(id, { decision: "allow" });
    await pass(11 * 60_000);
    story.holds.cards();
    expect(() => story.holds.answer(id, { decision: "allow" })).toThrow(
      refusal("card_unknown", /no request/),
    );
  });

  it("of a private turn is shown raw, and nothing of it is kept", async () => {
    const hook = story.ask(bash("touch private.txt"), { isPrivate: true });
    expect(story.holds.cards()).toMatchObject([{ id: hook.id, input: { command: "touch private.txt" } }]);
    expect(story.session(SESSION).requests).toMatchObject([{ requestId: hook.id, text: "" }]);
    story.hearPrivate(ended(bash("touch private.txt")));
    await settle();
    expect(story.ids()).toEqual([]);
  });

  it.each<[string, CardAnswer]>([
    ["allowed", { decision: "allow" }],
    ["denied", { decision: "deny", message: "not this private thing" }],
  ])("of a private turn needs nobody once it is %s", async (_how, answer) => {
    const { id } = story.ask(bash("touch private.txt"), { isPrivate: true });
    await pass(20);
    expect(story.waiting(SESSION)).toEqual([id]);
    story.holds.answer(id, answer);
    await settle();
    expect(story.waiting(SESSION)).toEqual([]);
    expect(story.session(SESSION).needsPerson).toBe(false);
  });

  it("of a private turn still waits in its terminal when the time to answer it here is over", async () => {
    const { id } = story.ask(bash("touch private.txt"), { isPrivate: true });
    await pass(130_000);
    expect(card(id)?.status).toBe("terminal");
    expect(story.waiting(SESSION)).toEqual([id]);
  });

  it("that is too large to show is left to the terminal, which is said", async () => {
    const hook = story.ask(bash(`echo ${"x".repeat(256 * 1024)}`));
    await pass();
    expect(hook.output).toBeNull();
    expect(story.holds.cards()).toMatchObject([
      { id: hook.id, status: "terminal", whyTerminal: "too_large", input: {} },
    ]);
    expect(() => story.holds.answer(hook.id, { decision: "allow" })).toThrow(
      refusal("not_pending", /too large/),
    );
  });
});

describe("a request is not held", () => {
  it.each<[string, Payload, boolean | null]>([
    ["of a driven session", bash("touch a.txt", { session_id: "driven" }), true],
    ["of a run without a person", bash("touch a.txt"), false],
    ["of a subagent in a run without a person", bash("touch a.txt", inAgent), false],
    ["that is none", { hook_event_name: "PermissionRequest" }, true],
  ])("%s", async (_what, payload, attended) => {
    const hook = story.ask(payload, { attended });
    await pass();
    expect(hook.output).toBeNull();
    expect([story.changes, story.notes]).toEqual([[], []]);
  });

  it("when its hook is already gone, and when it was not recorded", async () => {
    const how = { requestId: "r1", attended: true, signal: AbortSignal.abort() };
    expect(await story.holds.hold(claude.answers.read(bash("touch a.txt")), how)).toBeNull();
    const unnamed = { requestId: null, attended: true, signal: new AbortController().signal };
    expect(await story.holds.hold(claude.answers.read(bash("touch a.txt")), unnamed)).toBeNull();
  });

  it("where nothing may be recorded", async () => {
    mayRecord = false;
    const hook = story.ask(bash("touch a.txt"));
    await pass();
    expect(hook.output).toBeNull();
    expect([story.changes, story.notes, story.ids()]).toEqual([[], [], []]);
  });
});

describe("a request that ends while nothing may be recorded", () => {
  beforeEach(() => {
    story.hear(fixture("UserPromptSubmit", { session_id: SESSION }));
  });
  const over = (id: string) => {
    expect(story.waiting(SESSION)).toEqual([]);
    expect(story.session(SESSION).needsPerson).toBe(false);
    expect(card(id)?.status).toBe("settled");
  };

  it.each<[string, (hook: ReturnType<Story["ask"]>) => void]>([
    ["answered from here", ({ id }) => story.holds.answer(id, { decision: "allow" })],
    ["denied from here", ({ id }) => story.holds.answer(id, { decision: "deny" })],
    ["answered with No in its terminal", (hook) => hook.abort()],
    ["answered with Yes in its terminal", () => story.hearUnrecorded(ended(bash("touch a.txt")))],
    ["over with its turn", () => story.hearUnrecorded(fixture("Stop", { session_id: SESSION }))],
    [
      "over with its session",
      () =>
        story.hearUnrecorded(
          fixture("Stop", { hook_event_name: "SessionEnd", session_id: SESSION, reason: "clear" }),
        ),
    ],
  ])("needs nobody once it is %s", async (_how, act) => {
    const hook = story.ask(bash("touch a.txt"));
    await pass(20);
    const noted = story.notes.length;
    mayRecord = false;
    act(hook);
    await settle();
    over(hook.id);
    expect(story.notes).toHaveLength(noted);
  });

  it("is not ended by another call, turn or agent", async () => {
    const hook = story.ask(bash("touch a.txt"));
    await pass(20);
    mayRecord = false;
    story.hearUnrecorded(ended(bash("touch b.txt")));
    story.hearUnrecorded(ended(bash("touch a.txt", inAgent)));
    story.hearUnrecorded(ended(bash("touch a.txt", { session_id: "other" })));
    await settle();
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.pending()).toEqual([hook.id]);
  });

  it("ends one of two equal ones", async () => {
    const first = story.ask(bash("touch a.txt"));
    await pass(20);
    const second = story.ask(bash("touch a.txt"));
    await pass(20);
    mayRecord = false;
    story.hearUnrecorded(ended(bash("touch a.txt")));
    await settle();
    expect(story.waiting(SESSION)).toEqual([second.id]);
    expect(card(first.id)?.status).toBe("settled");
  });
});

describe("two equal requests, of which the terminal answers one", () => {
  it.each([
    ["the call ends before the hook does", true],
    ["the hook ends before its call does", false],
  ])("leave one that waits: %s", async (_order, isCallFirst) => {
    const first = story.ask(bash("touch a.txt"));
    await pass(20);
    const second = story.ask(bash("touch a.txt"));
    await pass(400);
    if (isCallFirst) story.hear(ended(bash("touch a.txt")));
    else second.abort();
    await pass(10);
    if (isCallFirst) second.abort();
    else story.hear(ended(bash("touch a.txt")));
    expect(() => story.holds.answer(second.id, { decision: "allow" })).toThrow(
      refusal("not_pending", /answered in the terminal/),
    );
    await pass(1_000);
    expect(story.waiting(SESSION)).toEqual([second.id]);
    expect([first, second].map(({ id }) => card(id)?.status)).toEqual(["settled", "terminal"]);
  });
});

describe("a request that is held when answers from here are switched off", () => {
  it("is left to its terminal within a second, where it still waits", async () => {
    const hooks = [story.ask(bash("touch a.txt")), story.ask(read("/etc/hosts"))];
    await pass(20);
    isOn = false;
    await pass(1_000);
    expect(hooks.map(({ output }) => output)).toEqual([null, null]);
    expect(story.waiting(SESSION)).toEqual(hooks.map(({ id }) => id));
  });

  it("is no longer answered or shown as if it could be, not even in that second", () => {
    const [first, second] = [story.ask(bash("touch a.txt")), story.ask(read("/etc/hosts"))];
    isOn = false;
    expect(() => story.holds.answer(first.id, { decision: "allow" })).toThrow(
      refusal("not_pending", /Answer it in the terminal/),
    );
    isOn = true;
    const third = story.ask(bash("touch c.txt"));
    isOn = false;
    expect(card(third.id)?.status).toBe("terminal");
    expect(story.holds.cards().map(({ id, status }) => [id, status])).toEqual(
      [first, second, third].map(({ id }) => [id, "terminal"]),
    );
  });
});

describe("a background agent's request, whose dialog waits for the hook", () => {
  const looks = (requests: readonly string[], sessionId: string | null = null) =>
    story.viewers.update({ viewer: "page", sessionId, requests });

  it("is the terminal's at once while nobody looks, and is listed all the same", async () => {
    const hook = story.ask(bash("touch a.txt", inAgent));
    await pass();
    expect(hook.output).toBeNull();
    expect(story.holds.cards()).toMatchObject([{ id: hook.id, status: "terminal", agentType: "Explore" }]);
    expect(story.waiting(SESSION)).toEqual([hook.id]);
  });

  it("is the terminal's at once while the only page shows another session", async () => {
    looks([], "other");
    const hook = story.ask(bash("touch a.txt", inAgent));
    await pass();
    expect(hook.output).toBeNull();
  });

  it("is held for 15 s at most, while a focused page shows it", async () => {
    looks([]);
    const hook = story.ask(bash("touch a.txt", inAgent));
    for (let seconds = 0; seconds < 14; seconds++) {
      looks([hook.id]);
      await pass(1_000);
      expect(hook.output).toBeUndefined();
    }
    looks([hook.id]);
    await pass(1_000);
    expect(hook.output).toBeNull();
    expect(card(hook.id)).toMatchObject({ status: "terminal", whyTerminal: "released" });
  });

  it.each<[string, (id: string) => void]>([
    ["the page that was looked at never shows it", () => looks([])],
    ["the person looks away", () => story.viewers.remove("page")],
    ["the page falls silent", () => undefined],
  ])("is let go when %s", async (_what, act) => {
    looks([]);
    const hook = story.ask(bash("touch a.txt", inAgent));
    await pass(1_000);
    expect(hook.output).toBeUndefined();
    act(hook.id);
    for (let seconds = 0; seconds < 8; seconds++) await pass(1_000);
    expect(hook.output).toBeNull();
    expect(story.waiting(SESSION)).toEqual([hook.id]);
  });

  it("is not ended by what the session does otherwise", async () => {
    looks([]);
    const main = story.ask(bash("touch main.txt"));
    const hook = story.ask(bash("touch a.txt", inAgent));
    looks([hook.id, main.id]);
    await pass(1_000);
    story.registry(SESSION, "waiting");
    await pass(1_000);
    // The main agent's dialog was answered; the subagent has none.
    story.registry(SESSION, "busy");
    await settle();
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.pending()).toEqual([hook.id]);
    story.hear(fixture("Stop", { session_id: SESSION }));
    await settle();
    expect(story.pending()).toEqual([hook.id]);
    expect(story.session(SESSION)).toMatchObject({ needsPerson: true, activityPhase: "waiting_permission" });
  });
});

describe("a run without a person, where the person wants its requests held", () => {
  it("needs them while it is held, and no longer", async () => {
    story = openTerminalStory({ headless: true, holdMs: 60_000 });
    story.take([
      {
        ...story.told({ hook_event_name: "SessionStart", session_id: SESSION, source: "startup" })[0]!,
        env: { CLAUDE_CODE_SESSION_ATTENDED: "0" },
      },
    ]);
    const hook = story.ask(bash("touch a.txt"), { attended: false });
    await pass();
    expect(story.session(SESSION)).toMatchObject({ attended: false, needsPerson: true });
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    await pass(60_000);
    expect(hook.output).toBeNull();
    await settle();
    expect(story.session(SESSION)).toMatchObject({ needsPerson: false, requests: [] });
  });
});

describe("an answer in the terminal withdraws the card", () => {
  const gone = (id: string, by: string) =>
    expect(card(id)).toMatchObject({ status: "settled", settled: { outcome: "withdrawn", by, who: null } });

  it("when its hook is ended by No, Esc or a signal", async () => {
    const hook = story.ask(bash("touch a.txt"));
    hook.abort();
    await pass();
    expect(hook.output).toBeNull();
    gone(hook.id, "terminal");
    expect(story.waiting(SESSION)).toEqual([]);
    expect(() => story.holds.answer(hook.id, { decision: "allow" })).toThrow(
      refusal("not_pending", /^Already answered in the terminal/),
    );
  });

  it("but not when its hook was killed while the terminal still shows its dialog", async () => {
    const hook = story.ask(bash("touch a.txt"));
    await pass(40);
    story.registry(SESSION, "waiting");
    await pass(4_000);
    hook.abort();
    await settle();
    expect(card(hook.id)).toMatchObject({ status: "terminal", whyTerminal: "released" });
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.notes.at(-1)).toMatchObject({ phase: "settled", card: { by: "cancelled" } });
    story.registry(SESSION, "busy");
    await settle();
    gone(hook.id, "terminal");
    expect(story.waiting(SESSION)).toEqual([]);
  });

  it("when the registry says that the dialogs are over", async () => {
    const hooks = [read("/a"), read("/b"), read("/c")].map((payload) => story.ask(payload));
    await pass(40);
    story.registry(SESSION, "waiting");
    await pass(4_000);
    story.hear(ended(read("/b")));
    await settle();
    expect(story.pending()).toEqual([hooks[0]!.id, hooks[2]!.id]);
    story.holds.answer(hooks[2]!.id, { decision: "allow" });
    story.registry("other", "busy");
    await settle();
    expect(story.pending()).toEqual([hooks[0]!.id]);
    story.registry(SESSION, "busy");
    await settle();
    gone(hooks[0]!.id, "terminal");
    expect(hooks.map(({ output }) => output === null)).toEqual([true, true, false]);
  });

  it("but not for a status that is taken back at once", async () => {
    const hook = story.ask(bash("touch a.txt"));
    await pass(20);
    story.registry(SESSION, "busy");
    await pass(40);
    story.registry(SESSION, "waiting");
    await settle();
    expect(story.pending()).toEqual([hook.id]);
  });

  it("when its very call has ended, masked as the log has it, and not by one from before", async () => {
    const secret = bash(
      "curl -H 'authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' x.dev",
    );
    const before = story.told(ended(secret, "toolu_0"));
    await pass(50);
    const { id } = story.ask(secret);
    await pass(50);
    story.take(before);
    story.hear(ended(bash("curl x.dev"), "toolu_2"));
    story.hear(ended({ ...secret, ...inAgent }, "toolu_3"));
    story.hear(ended({ ...secret, session_id: "other" }, "toolu_4"));
    await settle();
    expect(story.pending()).toEqual([id]);
    const [end] = story.told(ended(secret));
    expect(JSON.stringify(end)).not.toContain("sk-ant-api03");
    story.take([end!]);
    await settle();
    gone(id, "terminal");
  });

  it("once for each of two calls that are the same, whichever was answered here", async () => {
    const [first, second] = [story.ask(read("/a")), story.ask(read("/a"))];
    await pass(10);
    // The younger one is answered here, so the end of a call is its own.
    story.holds.answer(second.id, { decision: "allow" });
    await pass(10);
    story.hear(ended(read("/a"), "toolu_2"));
    await settle();
    expect(story.waiting(SESSION)).toEqual([first.id]);
    story.hear(ended(read("/a"), "toolu_1"));
    await settle();
    expect(story.waiting(SESSION)).toEqual([]);
  });

  it("when a question was answered, whose input has the answers then", async () => {
    const { id } = story.ask(fixture("PermissionRequest.AskUserQuestion"));
    story.hear(fixture("PostToolUse.AskUserQuestion"));
    await settle();
    expect(card(id)?.status).toBe("settled");
  });

  it.each<[string, Payload, string]>([
    ["its turn", fixture("Stop", { session_id: SESSION }), "terminal"],
    ["its session", { hook_event_name: "SessionEnd", session_id: SESSION, reason: "exit" }, "ended"],
    [
      "its turn by the next",
      { hook_event_name: "UserPromptSubmit", session_id: SESSION, prompt_id: "p2", prompt: "b" },
      "terminal",
    ],
  ])("at the end of %s", async (_what, payload, by) => {
    const { id } = story.ask(bash("touch a.txt"));
    await pass(10);
    story.hear({ ...payload, session_id: "other" });
    await settle();
    expect(story.pending()).toEqual([id]);
    story.hear(payload);
    await settle();
    gone(id, by);
  });
});

describe("a denial that comes a moment after a Yes in the terminal", () => {
  const started = (payload: Payload, id: string) => ({
    ...payload,
    hook_event_name: "PreToolUse",
    tool_use_id: id,
  });
  let id: string;

  beforeEach(async () => {
    id = story.ask(bash("touch a.txt")).id;
    await pass(1_000);
    story.holds.answer(id, { decision: "deny", who: "Ann" });
    await pass(100);
  });

  it("is said to have been overruled when the call has run", async () => {
    story.hear(ended(bash("touch a.txt")));
    const settled = { outcome: "withdrawn", by: "terminal", who: null };
    expect(card(id)).toMatchObject({ status: "settled", settled });
    expect(story.changes.map((one) => one.settled?.by)).toEqual([undefined, "user", "terminal"]);
    expect(story.notes.map(({ phase }) => phase)).toEqual(["asked", "settled", "overruled"]);
    story.hear(ended(bash("touch a.txt")));
    expect(story.changes).toHaveLength(3);
  });

  it("is not by the same call made once more, nor by a report that it did not run", () => {
    story.hear(started(bash("touch a.txt"), "toolu_2"));
    story.hear(ended(bash("touch a.txt"), "toolu_2"));
    story.hear(ended(bash("touch b.txt"), "toolu_3"));
    story.take(
      story.told(ended(bash("touch a.txt"))).map((event) => ({ ...event, origin: "batch" as const })),
    );
    expect(card(id)?.settled).toMatchObject({ outcome: "deny", who: "Ann" });
  });
});

describe("what was allowed for the rest of a session", () => {
  it("is exactly that input, and only there", async () => {
    story.holds.answer(story.ask(bash("touch *.txt")).id, { decision: "allowAll", who: "Ann" });
    const again = story.ask({
      ...bash("touch *.txt"),
      tool_input: { command: "touch *.txt", description: "Again" },
    });
    const byAgent = story.ask(bash("touch *.txt", inAgent));
    const others = [bash("touch b.txt"), bash("touch *.txt", { session_id: "other" })].map((p) =>
      story.ask(p),
    );
    await pass();
    for (const { output } of [again, byAgent])
      expect(output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    expect(card(again.id)?.settled).toMatchObject({ by: "rule", outcome: "allow" });
    expect(others.map(({ output }) => output)).toEqual([undefined, undefined]);
    story.hear({ hook_event_name: "SessionEnd", session_id: SESSION, reason: "exit" });
    const later = story.ask(bash("touch *.txt", { prompt_id: "p9" }));
    await pass();
    expect(later.output).toBeUndefined();
  });

  it("is not allowed in the process that goes on after a crash, but after a compaction it is", async () => {
    const start = (source: string) => ({ hook_event_name: "SessionStart", session_id: SESSION, source });
    story.holds.answer(story.ask(bash("touch *.txt")).id, { decision: "allowAll" });
    story.hear(start("compact"));
    const same = story.ask(bash("touch *.txt"));
    await pass();
    expect(same.output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    story.hear(start("resume"));
    const other = story.ask(bash("touch *.txt"));
    await pass();
    expect(other.output).toBeUndefined();
  });

  it("is left to the agent's own rule where the whole tool was allowed", async () => {
    story.holds.answer(story.ask(bash("touch a.txt")).id, { decision: "allowAll", scope: "tool" });
    const again = story.ask(bash("touch a.txt"));
    await pass();
    expect(again.output).toBeUndefined();
  });
});

describe("the log", () => {
  it("is told who asked what, and who settled it how", () => {
    const { id } = story.ask(fixture("PermissionRequest.AskUserQuestion"));
    const answers = { "Which database should we use?": "SQLite" };
    story.holds.answer(id, { answers, who: "Ann" });
    expect(story.notes).toMatchObject([
      {
        eventType: "control.card",
        phase: "asked",
        promptId: "474d6305-402d-4833-9bdf-743d22348d2b",
        card: { cardId: id, kind: "question", toolName: "AskUserQuestion", blocking: false },
      },
      { phase: "settled", card: { cardId: id, outcome: "answered", by: "user", who: "Ann", answers } },
    ]);
  });
});
