import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { hookEntries } from "../hook/commands.ts";
import { runDurationMs } from "../shown/run-duration.ts";
import { foldEvent } from "./fold-event.ts";
import { readSession } from "./read-session.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { createSessionView } from "./session-view.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

function startedStory(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  return story;
}

const MINUTE_S = 60;
const epochSeconds = (atSeconds: number): string => String(Math.floor(Date.parse(iso(atSeconds)) / 1_000));

describe("after five minutes without events", () => {
  it("a session between turns or thinking is idle until its next event", () => {
    const story = startedStory();
    expect(story.at(4 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "busy" });
    expect(story.at(6 * MINUTE_S)).toMatchObject({ state: "idle", activityPhase: "busy", sinceIso: iso(1) });
    story.stop(7 * MINUTE_S, "p1");
    expect(story.at(8 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "interactable" });
    const idle = story.at(13 * MINUTE_S);
    expect(idle).toMatchObject({ state: "idle", activityPhase: "interactable", needsPerson: false });
    expect(idle.evidence.map(({ source }) => source)).toEqual(["hook", "timer"]);
    story.prompt(14 * MINUTE_S, "p2", "go on");
    expect(story.at(14 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "busy" });
  });

  it("a session with a running tool is not idle", () => {
    const story = startedStory();
    story.startCall(2, "t1", "npm run e2e");
    expect(story.at(60 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "busy" });
  });

  it("a session with a running subagent is not idle, nor a parked one", () => {
    const story = startedStory();
    story.hook(2, "SubagentStart", { agent_id: "a1", agent_type: "scout" });
    expect(story.at(60 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "busy" });
    story.stop(3, "p1", { background_tasks: [{ id: "a1", status: "running" }] });
    expect(story.at(60 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "parked" });
  });

  it("a waiting session is not idle", () => {
    const story = startedStory();
    story.requestPermission(2, "rm -r dist");
    expect(story.at(600 * MINUTE_S)).toMatchObject({ state: "active", needsPerson: true });
  });

  it("a session whose registry recently reported busy is not idle", () => {
    const story = startedStory();
    story.registryStatus(9 * MINUTE_S, "busy");
    expect(story.at(10 * MINUTE_S)).toMatchObject({ state: "active", activityPhase: "busy" });
    expect(story.at(15 * MINUTE_S)).toMatchObject({ state: "idle" });
  });
});

describe("a turn that ended with an error", () => {
  it("at the rate limit leaves the session rate limited until the reported time", () => {
    const story = startedStory();
    const last_assistant_message = `Claude AI usage limit reached|${epochSeconds(3_600)}`;
    story.hook(9, "StopFailure", { prompt_id: "p1", error: "rate_limit", last_assistant_message });
    expect(story.at(10)).toMatchObject({
      state: "active",
      activityPhase: "rate_limited",
      rateLimit: { untilIso: iso(3_600) },
      needsPerson: false,
      error: { kind: "rate_limit", atIso: iso(9) },
    });
    expect(story.at(3_601)).toMatchObject({ activityPhase: "interactable", rateLimit: null });
  });

  it("at the rate limit without a reported time leaves the session rate limited until its next turn", () => {
    const story = startedStory();
    story.hook(9, "StopFailure", { prompt_id: "p1", error: "rate_limit" });
    expect(story.at(10)).toMatchObject({ activityPhase: "rate_limited", rateLimit: { untilIso: null } });
    story.prompt(60, "p2", "again");
    expect(story.at(61)).toMatchObject({ activityPhase: "busy", rateLimit: null, error: null });
  });

  it.each(["server_error", "authentication_failed", "billing_error", "unknown"])(
    "of another kind (%s) needs a person",
    (error) => {
      const story = startedStory();
      const last_assistant_message = "API Error: it broke\nin the middle";
      story.hook(9, "StopFailure", { prompt_id: "p1", error, last_assistant_message });
      expect(story.at(10)).toMatchObject({
        activityPhase: "failed",
        needsPerson: true,
        error: { kind: error, message: last_assistant_message },
        why: `Turn failed (${error}): API Error: it broke`,
      });
      expect(story.at(6 * MINUTE_S + 10)).toMatchObject({ state: "idle", needsPerson: true });
      story.prompt(7 * MINUTE_S, "p2", "again");
      expect(story.at(7 * MINUTE_S)).toMatchObject({
        activityPhase: "busy",
        needsPerson: false,
        error: null,
      });
    },
  );

  it("is read from the transcript if its hook was lost", () => {
    const story = startedStory();
    story.line(2, {
      type: "user",
      promptId: "p1",
      uuid: "u1",
      message: { role: "user", content: "clean up" },
    });
    story.line(9, {
      type: "assistant",
      uuid: "u2",
      isApiErrorMessage: true,
      error: "server_error",
      message: {
        id: "m1",
        model: "<synthetic>",
        content: [{ type: "text", text: "API Error: 529 overloaded" }],
      },
    });
    expect(story.at(10)).toMatchObject({ activityPhase: "failed", needsPerson: true });
    expect(story.at(10).error?.kind).toBe("server_error");
  });
});

describe("an API request that is retried", () => {
  const apiError = (status: number): object => ({
    type: "system",
    subtype: "api_error",
    uuid: `u${status}`,
    error: { status, formatted: `${status} Too many requests` },
    retryInMs: 30_000,
    retryAttempt: 1,
    maxRetries: 10,
  });

  it("after a rate limit shows the session as rate limited until the model answers", () => {
    const story = startedStory();
    story.line(5, apiError(429));
    expect(story.at(6)).toMatchObject({
      activityPhase: "rate_limited",
      sinceIso: iso(5),
      rateLimit: { untilIso: iso(35) },
      needsPerson: false,
    });
    story.startCall(36, "t1", "ls");
    expect(story.at(37)).toMatchObject({ activityPhase: "busy", rateLimit: null });
  });

  it("after another error counts as busy", () => {
    const story = startedStory();
    story.line(5, apiError(529));
    expect(story.at(6)).toMatchObject({
      activityPhase: "busy",
      action: { text: "retrying after API error 529" },
    });
  });
});

describe("every snapshot", () => {
  const situations: Record<string, (story: Story) => void> = {
    "that starts": () => undefined,
    "with a running tool": (story) => story.startCall(2, "t1", "ls"),
    "that waits": (story) => story.requestPermission(2, "ls"),
    "whose registry reports waiting": (story) => story.registryStatus(2, "waiting"),
    "that compacts": (story) => story.hook(2, "PreCompact", { trigger: "auto" }),
    "between turns": (story) => story.stop(2, "p1"),
    "that is parked": (story) => story.stop(2, "p1", { background_tasks: [{ id: "x", status: "running" }] }),
    "that is rate limited": (story) => story.hook(2, "StopFailure", { prompt_id: "p1", error: "rate_limit" }),
    "that failed": (story) => story.hook(2, "StopFailure", { prompt_id: "p1", error: "overloaded" }),
    "that ended": (story) => story.hook(2, "SessionEnd", { reason: "other" }),
    "that is gone": (story) => story.processGone(2),
    "whose registry reports busy": (story) => {
      story.stop(2, "p1");
      story.registryStatus(3, "busy");
    },
  };

  it.each(Object.entries(situations))(
    "of a session %s has a one-sentence reason and evidence",
    (_n, addEvents) => {
      const story = startedStory();
      addEvents(story);
      for (const when of [3, 20 * MINUTE_S, 30 * 60 * MINUTE_S]) {
        const shown = SessionSnapshot.parse(story.at(when));
        expect(shown.why).toMatch(/^[A-Z][^\n]{5,}$/);
        expect(shown.evidence.length).toBeGreaterThan(0);
        for (const { what, atIso } of shown.evidence) {
          expect(what).not.toBe("");
          expect(Date.parse(atIso)).not.toBeNaN();
        }
        expect(Date.parse(shown.sinceIso)).not.toBeNaN();
      }
    },
  );
});

describe("a session that lasts a week", () => {
  it("is read quickly, with 500 turns, 5,000 messages and as many calls and 1,000 requests", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
    for (let turn = 0; turn < 500; turn++) {
      const at = turn * 600;
      const prompt_id = `p${turn}`;
      story.prompt(at, prompt_id, "go on");
      for (let n = 0; n < 10; n++) {
        const id = `t${turn}-${n}`;
        story.startCall(at + n, id, `echo ${n}`, { prompt_id });
        if (n < 2) story.requestPermission(at + n + 0.1, `echo ${n}`, { prompt_id });
        story.endCall(at + n + 0.5, id, `echo ${n}`, { prompt_id });
        const usage = { input_tokens: 10, output_tokens: 5 };
        const message = { id: `m${turn}-${n}`, model: "claude-opus-5-5", content: [], usage };
        story.line(at + n, { type: "assistant", uuid: id, message });
      }
      // Every tenth turn was stopped in a way that no hook reports.
      if (turn % 10 > 0) story.stop(at + 20, prompt_id);
    }
    // Ended waits are not recomputed at each later event.
    const unsettled = [...story.view.waits.values()].filter(({ closedAt }) => closedAt === null);
    expect(unsettled.length).toBeLessThan(5);
    const startedMs = performance.now();
    const shown = story.at(500 * 600);
    const firstMs = performance.now() - startedMs;
    expect(shown).toMatchObject({
      turnCount: 500,
      toolCount: 5_000,
      waiting: null,
      tokens: { input: 50_000 },
    });
    // Allows for slow machines: quadratic growth takes tens of seconds.
    expect(firstMs).toBeLessThan(2_000);
  });
});

describe("a session that was resumed", () => {
  const resumed = (): Story => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
    story.hook(6, "SessionEnd", { reason: "other" });
    return story;
  };
  const runMs = (story: Story, seconds: number): number => {
    const session = story.at(seconds);
    return runDurationMs(session, Date.parse(session.endedAtIso ?? iso(seconds)));
  };

  it("counts the run time of its processes, not the time between them", () => {
    const story = resumed();
    story.hook(180, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
    expect(runMs(story, 190)).toBe(16_000);
    story.hook(181, "SessionEnd", { reason: "other" }, { pid: 200 });
    expect(runMs(story, 900)).toBe(7_000);
    // Resumed in its first process; a compaction starts nothing.
    story.hook(1_000, "SessionStart", { source: "resume" }, ATTENDED);
    story.hook(1_001, "SessionStart", { source: "compact" });
    story.processGone(1_005);
    expect(runMs(story, 2_000)).toBe(12_000);
  });

  it("is independent of the order and repetition of events", () => {
    const story = resumed();
    story.hook(180, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
    const view = createSessionView("s1", claude.usage);
    for (const event of [...story.events.toReversed(), ...story.events]) foldEvent(view, event);
    expect(readSession(view, { nowMs: Date.parse(iso(190)), quietMs: 0 }).stoppedMs).toBe(174_000);
  });

  it("counts as running while any of its processes runs", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
    story.hook(3, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
    story.hook(6, "SessionEnd", { reason: "other" });
    story.hook(60, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 300 });
    expect(story.at(61).stoppedMs).toBe(0);
  });
});

it("names evidence in our own terms, whichever agent reports it", () => {
  const story = createStory();
  const seen: string[] = [];
  const collectEvidence = (seconds: number): void => {
    seen.push(...story.at(seconds).evidence.map(({ what }) => what));
  };
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  collectEvidence(0);
  story.prompt(1, "p1", "go on");
  collectEvidence(1);
  story.startCall(2, "t1", "npm test");
  collectEvidence(2);
  story.requestPermission(3, "rm -r dist");
  collectEvidence(3);
  story.hook(4, "PreCompact", { trigger: "auto", prompt_id: "p1" });
  collectEvidence(4);
  story.stop(5, "p1");
  collectEvidence(5);
  story.hook(6, "StopFailure", { prompt_id: "p1", error: "server_error" });
  collectEvidence(6);
  story.hook(7, "SessionEnd", { reason: "other" });
  collectEvidence(7);
  const hooks = Object.keys(hookEntries(claude));
  expect(hooks).toContain("Stop");
  expect(seen.filter((what) => hooks.includes(what))).toEqual([]);
  expect(seen).toEqual(expect.arrayContaining(["session started", "turn", "request", "session ended"]));
});
