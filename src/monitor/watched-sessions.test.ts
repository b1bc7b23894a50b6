import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { controlCardEvent } from "../event/control-events.ts";
import type { HooklineEvent } from "../event/event.ts";
import { foldSession } from "./build-views.ts";
import { statusEvent } from "./decide-evidence.ts";
import type { SessionView } from "./session-view.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";
import { createWatchedSessions } from "./watched-sessions.ts";

/** Watched sessions with clocks controlled by the test; the monotonic one cannot go back. */
function open(recorded: readonly HooklineEvent[] = []) {
  const clock = { now: 0, passed: 0 };
  let built = 0;
  const watched = createWatchedSessions({
    prices: claude.usage,
    nowMs: () => Date.parse(iso(clock.now)),
    monotonicMs: () => 5_000 + clock.passed * 1_000,
  });
  const buildView = (sessionId: string): SessionView => {
    built++;
    return foldSession(
      sessionId,
      recorded.filter((event) => event.sessionId === sessionId),
      claude.usage,
    );
  };
  /** Like the real owner, builds a sleeping session's view from recorded events. */
  const view = (sessionId: string): SessionView | undefined => {
    if (watched.isAsleep(sessionId)) watched.wake(sessionId, buildView(sessionId));
    return watched.view(sessionId);
  };
  const applyEvent = (event: HooklineEvent): void =>
    watched.apply(event, watched.missingViews([event]).length > 0 ? buildView(event.sessionId) : undefined);
  const pass = (seconds: number): void => {
    clock.now += seconds;
    clock.passed += seconds;
  };
  const applyStory = (story: Story, from = 0): void => story.events.slice(from).forEach(applyEvent);
  return { watched, view, clock, pass, applyStory, built: () => built };
}

function betweenTurns(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  story.stop(5, "p1");
  return story;
}

describe("a fork", () => {
  it("whose copies arrive first, and late, is over a day after its own last event", () => {
    const story = createStory();
    const usage = { input_tokens: 100, output_tokens: 20 };
    const message = { id: "m1", role: "assistant", model: "claude-opus-5-5", content: [], usage };
    story.line(600, { type: "queue-operation", operation: "enqueue" });
    story.line(5, { type: "assistant", uuid: "u1", message });
    const { watched, pass, applyStory } = open();
    pass(3_600);
    applyStory(story);
    expect(watched.snapshot("s1")).toBeUndefined();
    expect(watched.snapshots()).toEqual([]);
    const before = story.events.length;
    const content = "another way";
    story.line(601, { type: "user", uuid: "u2", promptId: "p1", message: { role: "user", content } });
    applyStory(story, before);
    expect(watched.snapshot("s1")).toMatchObject({ startedAtIso: iso(601), state: "idle" });
    pass(2 * 86_400);
    expect(watched.snapshot("s1")).toMatchObject({ state: "completed", endedAtIso: iso(601) });
  });
});

describe("a view", () => {
  it("is dropped when its session is quiet for long, and rebuilt on demand", () => {
    const story = betweenTurns();
    const { watched, view, pass, applyStory, built } = open(story.events);
    applyStory(story);
    pass(60);
    expect(watched.snapshot("s1")).toMatchObject({ state: "active" });
    pass(3_600);
    watched.prune();
    expect(watched.isAsleep("s1")).toBe(true);
    const shown = watched.snapshot("s1");
    expect(shown).toMatchObject({ state: "idle", lastUserMessage: "clean up" });
    const asleep = built();
    expect(watched.view("s1")).toBeUndefined();
    expect(view("s1")!.prompts.size).toBe(1);
    expect(built()).toBe(asleep + 1);
    expect(watched.snapshot("s1")).toEqual(shown);
  });

  it("drops the inputs of its last calls when the session is quiet", () => {
    const story = betweenTurns();
    story.hook(2, "PreToolUse", { tool_name: "Write", tool_use_id: "t1", tool_input: { content: "long" } });
    story.hook(3, "PostToolUse", { tool_name: "Write", tool_use_id: "t1", tool_input: { content: "long" } });
    const { watched, pass, applyStory } = open(story.events);
    applyStory(story);
    const retainedInputs = () =>
      JSON.stringify([watched.view("s1")!.recentCalls, watched.view("s1")!.recentEnds]);
    watched.prune();
    expect(retainedInputs()).toContain("long");
    pass(120);
    watched.prune();
    expect(retainedInputs()).not.toContain("long");
  });

  it("stays while it is used, so that it is not rebuilt repeatedly", () => {
    const story = betweenTurns();
    const { watched, view, pass, applyStory, built } = open(story.events);
    applyStory(story);
    pass(3_600);
    for (let n = 0; n < 20; n++) {
      view("s1");
      watched.prune();
      pass(5);
    }
    expect(built()).toBe(1);
  });
});

describe("time", () => {
  it("makes a session idle by the monotonic clock", () => {
    const story = betweenTurns();
    const { watched, clock, pass, applyStory } = open();
    applyStory(story);
    clock.now += 86_400;
    expect(watched.snapshot("s1")).toMatchObject({ state: "active" });
    clock.now -= 2 * 86_400;
    expect(watched.snapshot("s1")).toMatchObject({ state: "active" });
    pass(301);
    expect(watched.snapshot("s1")).toMatchObject({ state: "idle" });
  });

  it("of a backlog is that of its events, not of their arrival", () => {
    const story = betweenTurns();
    const { watched, pass, applyStory } = open();
    pass(3_600);
    applyStory(story);
    expect(watched.snapshot("s1")).toMatchObject({ state: "idle", sinceIso: iso(5) });
  });

  it("in the future invalidates a registry status from before a clock change", () => {
    const story = betweenTurns();
    story.registryStatus(6, "idle");
    const { watched, clock, applyStory } = open();
    applyStory(story);
    const before = story.events.length;
    clock.now = 10 - 3_600;
    story.prompt(10 - 3_600, "p2", "more");
    story.startCall(11 - 3_600, "t1", "npm test", { prompt_id: "p2" });
    applyStory(story, before);
    expect(watched.snapshot("s1")).toMatchObject({ activityPhase: "busy", action: { text: "npm test" } });
    const beforeRequest = story.events.length;
    story.requestPermission(12 - 3_600, "npm test", { prompt_id: "p2" });
    applyStory(story, beforeRequest);
    expect(watched.snapshot("s1")).toMatchObject({ activityPhase: "waiting_permission" });
  });
});

describe("the watched sessions", () => {
  it("ignore events that name no session", () => {
    const story = createStory("unknown");
    story.hook(0, "SessionStart", { source: "startup" });
    const { watched, applyStory } = open();
    applyStory(story);
    expect([...watched.ids()]).toEqual([]);
    expect(watched.view("nobody")).toBeUndefined();
    expect(watched.snapshot("nobody")).toBeUndefined();
  });

  it("report each change once", () => {
    const { watched, applyStory } = open();
    applyStory(betweenTurns());
    expect(watched.takeChanged()).toEqual(["s1"]);
    expect(watched.takeChanged()).toEqual([]);
  });
});

describe("a request that ended while recording was off", () => {
  const withRequest = (): Story => {
    const story = betweenTurns();
    story.prompt(10, "p2", "go on");
    story.hook(12, "PermissionRequest", {
      tool_name: "Bash",
      tool_input: { command: "touch a.txt" },
      prompt_id: "p2",
    });
    return story;
  };
  const settledCard = (story: Story): HooklineEvent => {
    const { id, sessionId, projectPath, cwd } = story.events.find((event) => event.phase === "requested")!;
    return controlCardEvent({ sessionId, projectPath, cwd, occurredAtIso: iso(20) }, "settled", {
      cardId: id,
      outcome: "allow",
      by: "user",
    });
  };

  it("is over, and stays so when its view is rebuilt from recorded events", () => {
    const story = withRequest();
    const { watched, view, pass, applyStory } = open(story.events);
    pass(15);
    applyStory(story);
    expect(watched.snapshot("s1")!.requests).toHaveLength(1);
    watched.takeChanged();
    watched.applyUnrecorded(settledCard(story));
    expect(watched.takeChanged()).toEqual(["s1"]);
    expect(watched.snapshot("s1")).toMatchObject({ needsPerson: false, requests: [] });
    pass(3_600);
    watched.prune();
    expect(watched.isAsleep("s1")).toBe(true);
    view("s1");
    expect(watched.snapshot("s1")).toMatchObject({ needsPerson: false, requests: [] });
  });

  it("does not wait because of an earlier registry status", () => {
    const story = withRequest();
    const { watched, pass, applyStory } = open(story.events);
    applyStory(story);
    const status = (at: number, phase: "waiting" | "busy"): HooklineEvent => {
      const entry = { pid: 4711, status: phase, statusUpdatedAtMs: Date.parse(iso(at)), waitingFor: null };
      const rest = { cwd: null, entrypoint: "cli", name: "secret name" };
      return statusEvent("s1", { ...entry, ...rest } as never, null, null);
    };
    watched.apply(status(13, "waiting"));
    pass(20);
    watched.applyUnrecorded(settledCard(story));
    watched.applyUnrecorded(status(19, "busy"));
    expect(watched.snapshot("s1")).toMatchObject({ needsPerson: false, requests: [] });
    expect(JSON.stringify(watched.snapshot("s1"))).not.toContain("secret name");
  });
});
