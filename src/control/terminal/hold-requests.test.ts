import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import type { CardAnswer } from "../control-contract.ts";
import { openTerminalStory, type Payload } from "./terminal-story.testing.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude/2.1.325");
const SESSION = "99bfd6b9-3457-40ab-ad85-714da7b47e3b";
const HOLD_MS = 120_000;

function fixture(name: string, fields: Payload = {}): Payload {
  return { ...(JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")) as Payload), ...fields };
}

const bash = (command: string, fields: Payload = {}) =>
  fixture("PermissionRequest.Bash", { tool_input: { command, description: "Run" }, ...fields });
const read = (file: string, fields: Payload = {}) =>
  fixture("PermissionRequest.Bash", { tool_name: "Read", tool_input: { file_path: file }, ...fields });
const callEnd = (payload: Payload, id = "toolu_1") => ({
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

const advance = (ms = 1) => vi.advanceTimersByTimeAsync(ms);
/** Advances long enough for a request that seems over to be settled. */
const settle = () => advance(400);
const appError = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string });
const card = (id: string) => story.holds.get(id);

describe("a held request", () => {
  it("is shown raw under the id of its recorded event, and the first answer wins", async () => {
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
    await advance(5_000);
    expect(hook.output).toBeUndefined();
    const answered = story.holds.answer(hook.id, { decision: "allow", who: "Ann" });
    await advance();
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
    // A prefix, as lists show it, works too.
    expect(card(hook.id.slice(0, 8))).toEqual(answered);
    expect(card(hook.id.slice(0, 3))).toBeUndefined();
    expect(() => story.holds.answer(hook.id, { decision: "deny" })).toThrow(
      appError("not_pending", /^Already answered by Ann \(allow\)/),
    );
  });

  it("returns the same card for a repeated command", () => {
    const { id } = story.ask(bash("touch a.txt"));
    const answer = { decision: "deny", commandId: "k1" } as const;
    expect(story.holds.answer(id, answer)).toEqual(story.holds.answer(id, answer));
    expect(() => story.holds.answer(id, { decision: "deny", commandId: "k2" })).toThrow(
      appError("not_pending", /someone/),
    );
  });

  it("stays open after an invalid answer, and an unknown card is reported", async () => {
    const hook = story.ask(fixture("PermissionRequest.AskUserQuestion"));
    const { holds } = story;
    expect(() => holds.answer(hook.id, { decision: "allow" })).toThrow(appError("answer_invalid", /answers/));
    expect(() => holds.answer("card-9", { decision: "allow" })).toThrow(appError("card_unknown", /card-9/));
    await advance();
    expect(hook.output).toBeUndefined();
    expect(story.pending()).toEqual([hook.id]);
  });

  it("is left to the terminal after the timeout, and stays listed until answered there", async () => {
    const [first, second] = [story.ask(bash("touch a.txt")), story.ask(read("/etc/hosts"))];
    await advance(HOLD_MS - 1);
    expect(first.output).toBeUndefined();
    await advance();
    expect([first.output, second.output]).toEqual([null, null]);
    expect(story.holds.cards()).toMatchObject([
      { id: first.id, status: "terminal", whyTerminal: "released", input: { command: "touch a.txt" } },
      { id: second.id, status: "terminal" },
    ]);
    expect(story.waiting(SESSION)).toEqual([first.id, second.id]);
    expect(() => story.holds.answer(first.id, { decision: "allow" })).toThrow(
      appError("not_pending", /Answer it in the terminal/),
    );
    story.receive(callEnd(read("/etc/hosts")));
    await settle();
    expect(story.ids()).toEqual([first.id]);
  });

  it("is left to the terminal when its hook ends just before the timeout, and on close", async () => {
    const early = story.ask(bash("touch b.txt"));
    await advance(HOLD_MS - 100);
    early.abort();
    expect(card(early.id)?.status).toBe("terminal");
    const third = story.ask(bash("touch c.txt"));
    story.close();
    await advance();
    expect(third.output).toBeNull();
    expect(story.recordedEvents.at(-1)).toMatchObject({
      phase: "settled",
      card: { cardId: third.id, by: "stopped" },
    });
    expect(story.waiting(SESSION)).toEqual([early.id, third.id]);
    const late = story.ask(bash("touch d.txt"));
    await advance();
    expect(late.output).toBeNull();
  });

  it("is forgotten some minutes after it was settled", async () => {
    const { id } = story.ask(bash("touch a.txt"));
    story.holds.answer(id, { decision: "allow" });
    await advance(11 * 60_000);
    story.holds.cards();
    expect(() => story.holds.answer(id, { decision: "allow" })).toThrow(
      appError("card_unknown", /not found/),
    );
  });

  it("of a private turn is shown raw, and none of its content is stored", async () => {
    const hook = story.ask(bash("touch private.txt"), { isPrivate: true });
    expect(story.holds.cards()).toMatchObject([{ id: hook.id, input: { command: "touch private.txt" } }]);
    expect(story.session(SESSION).requests).toMatchObject([{ requestId: hook.id, text: "" }]);
    story.receivePrivate(callEnd(bash("touch private.txt")));
    await settle();
    expect(story.ids()).toEqual([]);
  });

  it.each<[string, CardAnswer]>([
    ["allowed", { decision: "allow" }],
    ["denied", { decision: "deny", message: "not this private thing" }],
  ])("of a private turn needs no person once it is %s", async (_how, answer) => {
    const { id } = story.ask(bash("touch private.txt"), { isPrivate: true });
    await advance(20);
    expect(story.waiting(SESSION)).toEqual([id]);
    story.holds.answer(id, answer);
    await settle();
    expect(story.waiting(SESSION)).toEqual([]);
    expect(story.session(SESSION).needsPerson).toBe(false);
  });

  it("of a private turn still waits in its terminal after the timeout", async () => {
    const { id } = story.ask(bash("touch private.txt"), { isPrivate: true });
    await advance(130_000);
    expect(card(id)?.status).toBe("terminal");
    expect(story.waiting(SESSION)).toEqual([id]);
  });

  it("that is too large to show is left to the terminal, with that reason", async () => {
    const hook = story.ask(bash(`echo ${"x".repeat(256 * 1024)}`));
    await advance();
    expect(hook.output).toBeNull();
    expect(story.holds.cards()).toMatchObject([
      { id: hook.id, status: "terminal", whyTerminal: "too_large", input: {} },
    ]);
    expect(() => story.holds.answer(hook.id, { decision: "allow" })).toThrow(
      appError("not_pending", /too large/),
    );
  });
});

describe("a request is not held", () => {
  it.each<[string, Payload, boolean | null]>([
    ["of a driven session", bash("touch a.txt", { session_id: "driven" }), true],
    ["of an unattended run", bash("touch a.txt"), false],
    ["of a subagent in an unattended run", bash("touch a.txt", inAgent), false],
    ["with an invalid payload", { hook_event_name: "PermissionRequest" }, true],
  ])("%s", async (_what, payload, attended) => {
    const hook = story.ask(payload, { attended });
    await advance();
    expect(hook.output).toBeNull();
    expect([story.changes, story.recordedEvents]).toEqual([[], []]);
  });

  it("if its hook is already gone, or it was not recorded", async () => {
    const details = { requestId: "r1", attended: true, signal: AbortSignal.abort() };
    expect(await story.holds.hold(claude.answers.read(bash("touch a.txt")), details)).toBeNull();
    const unnamed = { requestId: null, attended: true, signal: new AbortController().signal };
    expect(await story.holds.hold(claude.answers.read(bash("touch a.txt")), unnamed)).toBeNull();
  });

  it("if nothing may be recorded", async () => {
    mayRecord = false;
    const hook = story.ask(bash("touch a.txt"));
    await advance();
    expect(hook.output).toBeNull();
    expect([story.changes, story.recordedEvents, story.ids()]).toEqual([[], [], []]);
  });
});

describe("a request that ends while nothing may be recorded", () => {
  beforeEach(() => {
    story.receive(fixture("UserPromptSubmit", { session_id: SESSION }));
  });
  const expectOver = (id: string) => {
    expect(story.waiting(SESSION)).toEqual([]);
    expect(story.session(SESSION).needsPerson).toBe(false);
    expect(card(id)?.status).toBe("settled");
  };

  it.each<[string, (hook: ReturnType<Story["ask"]>) => void]>([
    ["answered from here", ({ id }) => story.holds.answer(id, { decision: "allow" })],
    ["denied from here", ({ id }) => story.holds.answer(id, { decision: "deny" })],
    ["answered with No in its terminal", (hook) => hook.abort()],
    ["answered with Yes in its terminal", () => story.receiveUnrecorded(callEnd(bash("touch a.txt")))],
    ["over with its turn", () => story.receiveUnrecorded(fixture("Stop", { session_id: SESSION }))],
    [
      "over with its session",
      () =>
        story.receiveUnrecorded(
          fixture("Stop", { hook_event_name: "SessionEnd", session_id: SESSION, reason: "clear" }),
        ),
    ],
  ])("needs no person once it is %s", async (_how, action) => {
    const hook = story.ask(bash("touch a.txt"));
    await advance(20);
    const noted = story.recordedEvents.length;
    mayRecord = false;
    action(hook);
    await settle();
    expectOver(hook.id);
    expect(story.recordedEvents).toHaveLength(noted);
  });

  it("is not ended by another call, turn or agent", async () => {
    const hook = story.ask(bash("touch a.txt"));
    await advance(20);
    mayRecord = false;
    story.receiveUnrecorded(callEnd(bash("touch b.txt")));
    story.receiveUnrecorded(callEnd(bash("touch a.txt", inAgent)));
    story.receiveUnrecorded(callEnd(bash("touch a.txt", { session_id: "other" })));
    await settle();
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.pending()).toEqual([hook.id]);
  });

  it("ends one of two equal ones", async () => {
    const first = story.ask(bash("touch a.txt"));
    await advance(20);
    const second = story.ask(bash("touch a.txt"));
    await advance(20);
    mayRecord = false;
    story.receiveUnrecorded(callEnd(bash("touch a.txt")));
    await settle();
    expect(story.waiting(SESSION)).toEqual([second.id]);
    expect(card(first.id)?.status).toBe("settled");
  });
});

describe("two equal requests, one answered in the terminal", () => {
  it.each([
    ["the call ends before the hook does", true],
    ["the hook ends before its call does", false],
  ])("leave one waiting: %s", async (_order, isCallFirst) => {
    const first = story.ask(bash("touch a.txt"));
    await advance(20);
    const second = story.ask(bash("touch a.txt"));
    await advance(400);
    if (isCallFirst) story.receive(callEnd(bash("touch a.txt")));
    else second.abort();
    await advance(10);
    if (isCallFirst) second.abort();
    else story.receive(callEnd(bash("touch a.txt")));
    expect(() => story.holds.answer(second.id, { decision: "allow" })).toThrow(
      appError("not_pending", /answered in the terminal/),
    );
    await advance(1_000);
    expect(story.waiting(SESSION)).toEqual([second.id]);
    expect([first, second].map(({ id }) => card(id)?.status)).toEqual(["settled", "terminal"]);
  });
});

describe("a held request when remote answers are switched off", () => {
  it("is left to its terminal within a second, and still waits there", async () => {
    const hooks = [story.ask(bash("touch a.txt")), story.ask(read("/etc/hosts"))];
    await advance(20);
    isOn = false;
    await advance(1_000);
    expect(hooks.map(({ output }) => output)).toEqual([null, null]);
    expect(story.waiting(SESSION)).toEqual(hooks.map(({ id }) => id));
  });

  it("cannot be answered and is not shown as answerable, even before that", () => {
    const [first, second] = [story.ask(bash("touch a.txt")), story.ask(read("/etc/hosts"))];
    isOn = false;
    expect(() => story.holds.answer(first.id, { decision: "allow" })).toThrow(
      appError("not_pending", /Answer it in the terminal/),
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

describe("a background agent's request, whose dialog waits for its hook", () => {
  const reportView = (requests: readonly string[], sessionId: string | null = null) =>
    story.viewers.update({ viewer: "page", sessionId, requests });

  it("is left to the terminal immediately while nobody is viewing, but listed", async () => {
    const hook = story.ask(bash("touch a.txt", inAgent));
    await advance();
    expect(hook.output).toBeNull();
    expect(story.holds.cards()).toMatchObject([{ id: hook.id, status: "terminal", agentType: "Explore" }]);
    expect(story.waiting(SESSION)).toEqual([hook.id]);
  });

  it("is left to the terminal immediately while the only page shows another session", async () => {
    reportView([], "other");
    const hook = story.ask(bash("touch a.txt", inAgent));
    await advance();
    expect(hook.output).toBeNull();
  });

  it("is held for at most 15 s while a focused page shows it", async () => {
    reportView([]);
    const hook = story.ask(bash("touch a.txt", inAgent));
    for (let seconds = 0; seconds < 14; seconds++) {
      reportView([hook.id]);
      await advance(1_000);
      expect(hook.output).toBeUndefined();
    }
    reportView([hook.id]);
    await advance(1_000);
    expect(hook.output).toBeNull();
    expect(card(hook.id)).toMatchObject({ status: "terminal", whyTerminal: "released" });
  });

  it.each<[string, (id: string) => void]>([
    ["the viewed page never shows it", () => reportView([])],
    ["the person looks away", () => story.viewers.remove("page")],
    ["the page stops reporting", () => undefined],
  ])("is released when %s", async (_what, action) => {
    reportView([]);
    const hook = story.ask(bash("touch a.txt", inAgent));
    await advance(1_000);
    expect(hook.output).toBeUndefined();
    action(hook.id);
    for (let seconds = 0; seconds < 8; seconds++) await advance(1_000);
    expect(hook.output).toBeNull();
    expect(story.waiting(SESSION)).toEqual([hook.id]);
  });

  it("is not ended by the session's other activity", async () => {
    reportView([]);
    const main = story.ask(bash("touch main.txt"));
    const hook = story.ask(bash("touch a.txt", inAgent));
    reportView([hook.id, main.id]);
    await advance(1_000);
    story.registry(SESSION, "waiting");
    await advance(1_000);
    // The main agent's dialog was answered; the subagent has none.
    story.registry(SESSION, "busy");
    await settle();
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.pending()).toEqual([hook.id]);
    story.receive(fixture("Stop", { session_id: SESSION }));
    await settle();
    expect(story.pending()).toEqual([hook.id]);
    expect(story.session(SESSION)).toMatchObject({ needsPerson: true, activityPhase: "waiting_permission" });
  });
});

describe("an unattended run whose requests are held", () => {
  it("needs a person only while a request is held", async () => {
    story = openTerminalStory({ headless: true, holdMs: 60_000 });
    story.apply([
      {
        ...story.toEvents({ hook_event_name: "SessionStart", session_id: SESSION, source: "startup" })[0]!,
        env: { CLAUDE_CODE_SESSION_ATTENDED: "0" },
      },
    ]);
    const hook = story.ask(bash("touch a.txt"), { attended: false });
    await advance();
    expect(story.session(SESSION)).toMatchObject({ attended: false, needsPerson: true });
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    await advance(60_000);
    expect(hook.output).toBeNull();
    await settle();
    expect(story.session(SESSION)).toMatchObject({ needsPerson: false, requests: [] });
  });
});

describe("an answer in the terminal withdraws the card", () => {
  const expectWithdrawn = (id: string, by: string) =>
    expect(card(id)).toMatchObject({ status: "settled", settled: { outcome: "withdrawn", by, who: null } });

  it("when its hook is ended by No, Esc or a signal", async () => {
    const hook = story.ask(bash("touch a.txt"));
    hook.abort();
    await advance();
    expect(hook.output).toBeNull();
    expectWithdrawn(hook.id, "terminal");
    expect(story.waiting(SESSION)).toEqual([]);
    expect(() => story.holds.answer(hook.id, { decision: "allow" })).toThrow(
      appError("not_pending", /^Already answered in the terminal/),
    );
  });

  it("not if its hook was killed while the terminal still shows its dialog", async () => {
    const hook = story.ask(bash("touch a.txt"));
    await advance(40);
    story.registry(SESSION, "waiting");
    await advance(4_000);
    hook.abort();
    await settle();
    expect(card(hook.id)).toMatchObject({ status: "terminal", whyTerminal: "released" });
    expect(story.waiting(SESSION)).toEqual([hook.id]);
    expect(story.recordedEvents.at(-1)).toMatchObject({ phase: "settled", card: { by: "cancelled" } });
    story.registry(SESSION, "busy");
    await settle();
    expectWithdrawn(hook.id, "terminal");
    expect(story.waiting(SESSION)).toEqual([]);
  });

  it("when the registry shows that the dialogs are closed", async () => {
    const hooks = [read("/a"), read("/b"), read("/c")].map((payload) => story.ask(payload));
    await advance(40);
    story.registry(SESSION, "waiting");
    await advance(4_000);
    story.receive(callEnd(read("/b")));
    await settle();
    expect(story.pending()).toEqual([hooks[0]!.id, hooks[2]!.id]);
    story.holds.answer(hooks[2]!.id, { decision: "allow" });
    story.registry("other", "busy");
    await settle();
    expect(story.pending()).toEqual([hooks[0]!.id]);
    story.registry(SESSION, "busy");
    await settle();
    expectWithdrawn(hooks[0]!.id, "terminal");
    expect(hooks.map(({ output }) => output === null)).toEqual([true, true, false]);
  });

  it("not for a status that is reverted immediately", async () => {
    const hook = story.ask(bash("touch a.txt"));
    await advance(20);
    story.registry(SESSION, "busy");
    await advance(40);
    story.registry(SESSION, "waiting");
    await settle();
    expect(story.pending()).toEqual([hook.id]);
  });

  it("when its own call has ended, compared as masked in the log, not by an earlier one", async () => {
    const secret = bash(
      "curl -H 'authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' x.dev",
    );
    const before = story.toEvents(callEnd(secret, "toolu_0"));
    await advance(50);
    const { id } = story.ask(secret);
    await advance(50);
    story.apply(before);
    story.receive(callEnd(bash("curl x.dev"), "toolu_2"));
    story.receive(callEnd({ ...secret, ...inAgent }, "toolu_3"));
    story.receive(callEnd({ ...secret, session_id: "other" }, "toolu_4"));
    await settle();
    expect(story.pending()).toEqual([id]);
    const [end] = story.toEvents(callEnd(secret));
    expect(JSON.stringify(end)).not.toContain("sk-ant-api03");
    story.apply([end!]);
    await settle();
    expectWithdrawn(id, "terminal");
  });

  it("once for each of two equal calls, whichever was answered here", async () => {
    const [first, second] = [story.ask(read("/a")), story.ask(read("/a"))];
    await advance(10);
    // The newer one is answered here, so the end of a call is its own.
    story.holds.answer(second.id, { decision: "allow" });
    await advance(10);
    story.receive(callEnd(read("/a"), "toolu_2"));
    await settle();
    expect(story.waiting(SESSION)).toEqual([first.id]);
    story.receive(callEnd(read("/a"), "toolu_1"));
    await settle();
    expect(story.waiting(SESSION)).toEqual([]);
  });

  it("when a question was answered, which adds the answers to its input", async () => {
    const { id } = story.ask(fixture("PermissionRequest.AskUserQuestion"));
    story.receive(fixture("PostToolUse.AskUserQuestion"));
    await settle();
    expect(card(id)?.status).toBe("settled");
  });

  it.each<[string, Payload, string]>([
    ["its turn", fixture("Stop", { session_id: SESSION }), "terminal"],
    ["its session", { hook_event_name: "SessionEnd", session_id: SESSION, reason: "exit" }, "ended"],
    [
      "its turn by the next prompt",
      { hook_event_name: "UserPromptSubmit", session_id: SESSION, prompt_id: "p2", prompt: "b" },
      "terminal",
    ],
  ])("at the end of %s", async (_what, payload, by) => {
    const { id } = story.ask(bash("touch a.txt"));
    await advance(10);
    story.receive({ ...payload, session_id: "other" });
    await settle();
    expect(story.pending()).toEqual([id]);
    story.receive(payload);
    await settle();
    expectWithdrawn(id, by);
  });
});

describe("a denial just after a Yes in the terminal", () => {
  const started = (payload: Payload, id: string) => ({
    ...payload,
    hook_event_name: "PreToolUse",
    tool_use_id: id,
  });
  let id: string;

  beforeEach(async () => {
    id = story.ask(bash("touch a.txt")).id;
    await advance(1_000);
    story.holds.answer(id, { decision: "deny", who: "Ann" });
    await advance(100);
  });

  it("is reported as overruled when the call has run", async () => {
    story.receive(callEnd(bash("touch a.txt")));
    const settled = { outcome: "withdrawn", by: "terminal", who: null };
    expect(card(id)).toMatchObject({ status: "settled", settled });
    expect(story.changes.map((change) => change.settled?.by)).toEqual([undefined, "user", "terminal"]);
    expect(story.recordedEvents.map(({ phase }) => phase)).toEqual(["asked", "settled", "overruled"]);
    story.receive(callEnd(bash("touch a.txt")));
    expect(story.changes).toHaveLength(3);
  });

  it("is not overruled by a repeated call, nor by a report that it did not run", () => {
    story.receive(started(bash("touch a.txt"), "toolu_2"));
    story.receive(callEnd(bash("touch a.txt"), "toolu_2"));
    story.receive(callEnd(bash("touch b.txt"), "toolu_3"));
    story.apply(
      story.toEvents(callEnd(bash("touch a.txt"))).map((event) => ({ ...event, origin: "batch" as const })),
    );
    expect(card(id)?.settled).toMatchObject({ outcome: "deny", who: "Ann" });
  });
});

describe("an allowance for the rest of a session", () => {
  it("covers exactly that input, in that session only", async () => {
    story.holds.answer(story.ask(bash("touch *.txt")).id, { decision: "allowAll", who: "Ann" });
    const again = story.ask({
      ...bash("touch *.txt"),
      tool_input: { command: "touch *.txt", description: "Again" },
    });
    const byAgent = story.ask(bash("touch *.txt", inAgent));
    const others = [bash("touch b.txt"), bash("touch *.txt", { session_id: "other" })].map((p) =>
      story.ask(p),
    );
    await advance();
    for (const { output } of [again, byAgent])
      expect(output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    expect(card(again.id)?.settled).toMatchObject({ by: "rule", outcome: "allow" });
    expect(others.map(({ output }) => output)).toEqual([undefined, undefined]);
    story.receive({ hook_event_name: "SessionEnd", session_id: SESSION, reason: "exit" });
    const later = story.ask(bash("touch *.txt", { prompt_id: "p9" }));
    await advance();
    expect(later.output).toBeUndefined();
  });

  it("ends with the process after a crash, but survives a compaction", async () => {
    const start = (source: string) => ({ hook_event_name: "SessionStart", session_id: SESSION, source });
    story.holds.answer(story.ask(bash("touch *.txt")).id, { decision: "allowAll" });
    story.receive(start("compact"));
    const same = story.ask(bash("touch *.txt"));
    await advance();
    expect(same.output).toMatchObject({ hookSpecificOutput: { decision: { behavior: "allow" } } });
    story.receive(start("resume"));
    const other = story.ask(bash("touch *.txt"));
    await advance();
    expect(other.output).toBeUndefined();
  });

  it("is left to the agent's own rule if the whole tool was allowed", async () => {
    story.holds.answer(story.ask(bash("touch a.txt")).id, { decision: "allowAll", scope: "tool" });
    const again = story.ask(bash("touch a.txt"));
    await advance();
    expect(again.output).toBeUndefined();
  });
});

describe("the log", () => {
  it("contains who asked what, and who settled it how", () => {
    const { id } = story.ask(fixture("PermissionRequest.AskUserQuestion"));
    const answers = { "Which database should we use?": "SQLite" };
    story.holds.answer(id, { answers, who: "Ann" });
    expect(story.recordedEvents).toMatchObject([
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
