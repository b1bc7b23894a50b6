import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { controlEnvelopeEvent } from "../event/control-events.ts";
import type { HooklineEvent } from "../event/event.ts";
import { foldEvent } from "./fold-event.ts";
import { readSession } from "./read-session.ts";
import { createSessionView } from "./session-view.ts";
import { createWatchedSessions } from "./watched-sessions.ts";

const START = Date.parse("2026-03-01T10:00:00.000Z");

function isoAt(second: number): string {
  return new Date(START + second * 1_000).toISOString();
}

function envelope(
  seq: number,
  second: number,
  body: Record<string, unknown> & { type: string },
): HooklineEvent {
  const base = { sessionId: "s", projectPath: "/p", cwd: "/p", occurredAtIso: isoAt(second) };
  return controlEnvelopeEvent(base, { ...body, seq });
}

const bodyOf = ({ envelope }: HooklineEvent) => envelope as Record<string, unknown> & { type: string };

function hook(id: string, second: number, fields: Partial<HooklineEvent>): HooklineEvent {
  const base = {
    v: 1,
    id,
    occurredAtIso: isoAt(second),
    sessionId: "s",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
  };
  return { ...base, origin: "hook", eventType: "agent.event", ...fields } as HooklineEvent;
}

const started = hook("start", 0, {
  eventType: "session.lifecycle",
  phase: "started",
  pid: 7,
  env: { CLAUDE_CODE_SESSION_ATTENDED: "0" },
});
const idle = envelope(1, 0, { type: "state", state: "idle" });
const prompt = hook("prompt", 1, { eventType: "turn.start", promptId: "p1", prompt: "Go" });
const call = hook("call", 2, {
  eventType: "tool.start",
  toolUseId: "toolu_1",
  promptId: "p1",
  payload: { toolName: "Bash", toolInput: { command: "make" } },
});
/** The agent reports the same request through its own hook. */
const hookRequest = hook("asked", 3, {
  eventType: "permission",
  phase: "requested",
  promptId: "p1",
  toolName: "Bash",
  toolInput: { command: "make" },
});
const request = envelope(2, 3, {
  type: "permission.request",
  toolUseId: "toolu_1",
  tool: "Bash",
  input: { command: "make" },
  agentId: null,
});
const lostRequest = envelope(3, 9, {
  type: "permission.resolved",
  toolUseId: "toolu_1",
  outcome: "lost",
  by: "lost",
});

function read(events: readonly HooklineEvent[], second: number) {
  const view = createSessionView("s", claude.usage);
  for (const event of events) foldEvent(view, event);
  return readSession(view, { nowMs: START + second * 1_000, quietMs: 100 });
}

describe("a driven session", () => {
  it("waits for a person once, although its process is unattended", () => {
    for (const events of [
      [started, idle, prompt, call, hookRequest, request],
      [request, hookRequest, idle, call, prompt, started],
    ])
      expect(read(events, 4)).toMatchObject({
        driven: true,
        attended: true,
        needsPerson: true,
        activityPhase: "waiting_permission",
        alsoWaiting: 0,
        waiting: { kind: "permission", toolUseId: "toolu_1", text: "make", requestId: "toolu_1" },
        evidence: [{ source: "driver" }],
      });
  });

  it("no longer waits once its driver settled the request, in any order of events", () => {
    for (const events of [
      [started, idle, prompt, call, hookRequest, request, lostRequest],
      [lostRequest, started, idle, prompt, request, call, hookRequest],
    ]) {
      const snapshot = read(events, 10);
      expect(snapshot).toMatchObject({ needsPerson: false, waiting: null, activityPhase: "busy" });
      expect(snapshot.humanWaitMs).toBe(6_000);
    }
  });

  it("is lost, not completed, when it ended with a lost request, until it continues", () => {
    const closed = envelope(4, 9, { type: "state", state: "closed" });
    const ended = hook("end", 8, { eventType: "session.lifecycle", phase: "ended", reason: "other", pid: 7 });
    const all = [started, idle, request, lostRequest, closed, ended];
    for (const events of [all, [lostRequest, closed, request, started, idle, ended]])
      expect(read(events, 10)).toMatchObject({
        state: "lost",
        why: "The request was lost: Bash: make. You can ask it again.",
      });
    const nextPrompt = envelope(5, 11, { type: "user", text: "again" });
    expect(read([...all, nextPrompt], 12)).toMatchObject({ state: "completed", why: "Ended." });
  });

  it("is completed when it ends after asking again, also when events are applied one by one", () => {
    const resumed = hook("start2", 11, { eventType: "session.lifecycle", phase: "started", pid: 8 });
    const again = envelope(5, 12, { type: "user", text: "If it is still needed, ask again now." });
    const closed = envelope(6, 20, { type: "state", state: "closed" });
    const ended = hook("end", 20, {
      eventType: "session.lifecycle",
      phase: "ended",
      reason: "other",
      pid: 8,
    });
    const events = [
      started,
      idle,
      prompt,
      call,
      hookRequest,
      request,
      lostRequest,
      resumed,
      again,
      closed,
      ended,
    ];
    const watched = createWatchedSessions({
      prices: claude.usage,
      nowMs: () => START + 21_000,
      monotonicMs: () => 0,
    });
    for (const event of events) watched.apply(event);
    expect(watched.snapshot("s")).toMatchObject({ state: "completed", why: "Ended." });
    expect(watched.snapshot("s")).toEqual({ ...read(events, 21), lastEventAtIso: isoAt(20) });
  });

  it("waits for each of two requests when the API gave both calls the same id", () => {
    const [first, second] = [2, 3].map((seq) =>
      envelope(seq, seq, { ...bodyOf(request), requestId: `ask_${seq}` }),
    );
    const end = envelope(4, 9, { ...bodyOf(lostRequest), requestId: "ask_2" });
    const ids = (events: readonly HooklineEvent[]) =>
      read([started, idle, prompt, call, ...events], 10).requests.map(({ requestId }) => requestId);
    expect(ids([first!, second!])).toEqual(["ask_2", "ask_3"]);
    expect(ids([first!, second!, end])).toEqual(["ask_3"]);
  });

  it("has the mode of its driver, not the mode of its process", () => {
    const initialMode = envelope(1, 0, { type: "mode", mode: "acceptEdits", by: "start" });
    const changed = envelope(4, 3, { type: "mode", mode: "bypassPermissions", by: "browser" });
    const working = envelope(2, 1, { type: "state", state: "thinking" });
    const closed = envelope(9, 8, { type: "state", state: "closed" });
    const hookPrompt = hook("said", 5, {
      eventType: "turn.start",
      promptId: "p2",
      permissionMode: "default",
    });
    const modeOf = (events: readonly HooklineEvent[]) => read([started, ...events], 10).permissionMode;
    expect(modeOf([initialMode, working, hookPrompt])).toBe("acceptEdits");
    expect(modeOf([initialMode, working, changed, hookPrompt])).toBe("bypassPermissions");
    expect(modeOf([hookPrompt, changed, working, initialMode])).toBe("bypassPermissions");
    expect(modeOf([initialMode, working, changed, hookPrompt, closed])).toBe("bypassPermissions");
  });

  it("has the mode of its terminal once it is resumed there", () => {
    const mode = envelope(1, 0, { type: "mode", mode: "acceptEdits", by: "start" });
    const closed = envelope(2, 3, { type: "state", state: "closed" });
    const hookPrompt = hook("said", 5, { eventType: "turn.start", promptId: "p2", permissionMode: "plan" });
    const driven = [envelope(3, 6, { type: "mode", mode: "dontAsk", by: "browser" })];
    driven.push(envelope(4, 6, { type: "state", state: "idle" }));
    expect(read([started, mode, closed, hookPrompt], 6).permissionMode).toBe("plan");
    expect(read([hookPrompt, closed, mode, started], 6).permissionMode).toBe("plan");
    expect(read([started, mode, closed, hookPrompt, ...driven], 7).permissionMode).toBe("dontAsk");
  });

  it("is neither driven nor waiting once it is closed", () => {
    const closed = envelope(4, 12, { type: "state", state: "closed" });
    expect(read([started, idle, prompt, call, request, closed], 13)).toMatchObject({
      driven: false,
      waiting: null,
    });
  });

  it("differs from an unattended run, which never waits", () => {
    expect(read([started, prompt, call, hookRequest], 4)).toMatchObject({
      driven: false,
      attended: false,
      needsPerson: false,
      waiting: null,
    });
  });
});
