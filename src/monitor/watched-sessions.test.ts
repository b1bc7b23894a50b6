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
function open(remembered: readonly HooklineEvent[] = []) {
  const clock = { now: 0, passed: 0 };
  let made = 0;
  const book = createWatchedSessions({
    prices: claude.usage,
    nowMs: () => Date.parse(iso(clock.now)),
    monotonicMs: () => 5_000 + clock.passed * 1_000,
  });
  const make = (sessionId: string): SessionView => {
    made++;
    return foldSession(
      sessionId,
      remembered.filter((event) => event.sessionId === sessionId),
      claude.usage,
    );
  };
  /** Like the real owner: built from recorded events if the session is asleep. */
  const view = (sessionId: string): SessionView | undefined => {
    if (book.isAsleep(sessionId)) book.wake(sessionId, make(sessionId));
    return book.view(sessionId);
  };
  const tellOne = (event: HooklineEvent): void =>
    book.apply(event, book.missingViews([event]).length > 0 ? make(event.sessionId) : undefined);
  const pass = (seconds: number): void => {
    clock.now += seconds;
    clock.passed += seconds;
  };
  const tell = (story: Story, from = 0): void => story.events.slice(from).forEach(tellOne);
  return { book, view, clock, pass, tell, made: () => made };
}

function resting(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  story.stop(5, "p1");
  return story;
}

describe("a fork", () => {
  it("of which its copies are told first, and late, is over a day after its own last word", () => {
    const story = createStory();
    const usage = { input_tokens: 100, output_tokens: 20 };
    const message = { id: "m1", role: "assistant", model: "claude-opus-5-5", content: [], usage };
    story.line(600, { type: "queue-operation", operation: "enqueue" });
    story.line(5, { type: "assistant", uuid: "u1", message });
    const { book, pass, tell } = open();
    pass(3_600);
    tell(story);
    expect(book.snapshot("s1")).toBeUndefined();
    expect(book.snapshots()).toEqual([]);
    const told = story.events.length;
    const content = "another way";
    story.line(601, { type: "user", uuid: "u2", promptId: "p1", message: { role: "user", content } });
    tell(story, told);
    expect(book.snapshot("s1")).toMatchObject({ startedAtIso: iso(601), state: "idle" });
    pass(2 * 86_400);
    expect(book.snapshot("s1")).toMatchObject({ state: "completed", endedAtIso: iso(601) });
  });
});

describe("a view", () => {
  it("is let go when nothing was heard of its session for long, and made again when it is asked for", () => {
    const story = resting();
    const { book, view, pass, tell, made } = open(story.events);
    tell(story);
    pass(60);
    expect(book.snapshot("s1")).toMatchObject({ state: "active" });
    pass(3_600);
    book.prune();
    expect(book.isAsleep("s1")).toBe(true);
    const shown = book.snapshot("s1");
    expect(shown).toMatchObject({ state: "idle", lastUserMessage: "clean up" });
    const asleep = made();
    expect(book.view("s1")).toBeUndefined();
    expect(view("s1")!.prompts.size).toBe(1);
    expect(made()).toBe(asleep + 1);
    expect(book.snapshot("s1")).toEqual(shown);
  });

  it("lets go of the inputs of its last calls when the session is quiet", () => {
    const story = resting();
    story.hook(2, "PreToolUse", { tool_name: "Write", tool_use_id: "t1", tool_input: { content: "long" } });
    story.hook(3, "PostToolUse", { tool_name: "Write", tool_use_id: "t1", tool_input: { content: "long" } });
    const { book, pass, tell } = open(story.events);
    tell(story);
    const held = () => JSON.stringify([book.view("s1")!.recentCalls, book.view("s1")!.recentEnds]);
    book.prune();
    expect(held()).toContain("long");
    pass(120);
    book.prune();
    expect(held()).not.toContain("long");
  });

  it("stays while somebody asks for it, so that it is not made again and again", () => {
    const story = resting();
    const { book, view, pass, tell, made } = open(story.events);
    tell(story);
    pass(3_600);
    for (let n = 0; n < 20; n++) {
      view("s1");
      book.prune();
      pass(5);
    }
    expect(made()).toBe(1);
  });
});

describe("time", () => {
  it("makes a session idle by the clock that is never moved", () => {
    const story = resting();
    const { book, clock, pass, tell } = open();
    tell(story);
    clock.now += 86_400;
    expect(book.snapshot("s1")).toMatchObject({ state: "active" });
    clock.now -= 2 * 86_400;
    expect(book.snapshot("s1")).toMatchObject({ state: "active" });
    pass(301);
    expect(book.snapshot("s1")).toMatchObject({ state: "idle" });
  });

  it("of a backlog is that of its events, not that of their telling", () => {
    const story = resting();
    const { book, pass, tell } = open();
    pass(3_600);
    tell(story);
    expect(book.snapshot("s1")).toMatchObject({ state: "idle", sinceIso: iso(5) });
  });

  it("that has not come yet is no time of the registry's: what it said before the clock was moved is void", () => {
    const story = resting();
    story.registrySays(6, "idle");
    const { book, clock, tell } = open();
    tell(story);
    const told = story.events.length;
    clock.now = 10 - 3_600;
    story.prompt(10 - 3_600, "p2", "more");
    story.call(11 - 3_600, "t1", "npm test", { prompt_id: "p2" });
    tell(story, told);
    expect(book.snapshot("s1")).toMatchObject({ activityPhase: "busy", action: { text: "npm test" } });
    const asked = story.events.length;
    story.asks(12 - 3_600, "npm test", { prompt_id: "p2" });
    tell(story, asked);
    expect(book.snapshot("s1")).toMatchObject({ activityPhase: "waiting_permission" });
  });
});

describe("a book", () => {
  it("knows nothing of events that name no session", () => {
    const story = createStory("unknown");
    story.hook(0, "SessionStart", { source: "startup" });
    const { book, tell } = open();
    tell(story);
    expect([...book.ids()]).toEqual([]);
    expect(book.view("nobody")).toBeUndefined();
    expect(book.snapshot("nobody")).toBeUndefined();
  });

  it("tells once of what has changed", () => {
    const { book, tell } = open();
    tell(resting());
    expect(book.takeChanged()).toEqual(["s1"]);
    expect(book.takeChanged()).toEqual([]);
  });
});

describe("a request that ended while nothing could be recorded", () => {
  const asking = (): Story => {
    const story = resting();
    story.prompt(10, "p2", "go on");
    story.hook(12, "PermissionRequest", {
      tool_name: "Bash",
      tool_input: { command: "touch a.txt" },
      prompt_id: "p2",
    });
    return story;
  };
  const settled = (story: Story): HooklineEvent => {
    const { id, sessionId, projectPath, cwd } = story.events.find((event) => event.phase === "requested")!;
    return controlCardEvent({ sessionId, projectPath, cwd, occurredAtIso: iso(20) }, "settled", {
      cardId: id,
      outcome: "allow",
      by: "user",
    });
  };

  it("is over, and stays so when its session is read again from what is recorded", () => {
    const story = asking();
    const { book, view, pass, tell } = open(story.events);
    pass(15);
    tell(story);
    expect(book.snapshot("s1")!.requests).toHaveLength(1);
    book.takeChanged();
    book.applyUnrecorded(settled(story));
    expect(book.takeChanged()).toEqual(["s1"]);
    expect(book.snapshot("s1")).toMatchObject({ needsPerson: false, requests: [] });
    pass(3_600);
    book.prune();
    expect(book.isAsleep("s1")).toBe(true);
    view("s1");
    expect(book.snapshot("s1")).toMatchObject({ needsPerson: false, requests: [] });
  });

  it("is not waited for because of what the registry said before it ended", () => {
    const story = asking();
    const { book, pass, tell } = open(story.events);
    tell(story);
    const status = (at: number, phase: "waiting" | "busy"): HooklineEvent => {
      const entry = { pid: 4711, status: phase, statusUpdatedAtMs: Date.parse(iso(at)), waitingFor: null };
      const rest = { cwd: null, entrypoint: "cli", name: "secret name" };
      return statusEvent("s1", { ...entry, ...rest } as never, null, null);
    };
    book.apply(status(13, "waiting"));
    pass(20);
    book.applyUnrecorded(settled(story));
    book.applyUnrecorded(status(19, "busy"));
    expect(book.snapshot("s1")).toMatchObject({ needsPerson: false, requests: [] });
    expect(JSON.stringify(book.snapshot("s1"))).not.toContain("secret name");
  });
});
