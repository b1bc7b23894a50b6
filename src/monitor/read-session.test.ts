import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { hookEntries } from "../hook/commands.ts";
import { runDurationMs } from "../shown/run-duration.ts";
import { foldEvent } from "./fold-event.ts";
import { readSession } from "./read-session.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { createSessionView } from "./session-view.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

function begun(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  return story;
}

const MINUTES = 60;
const seconds = (when: number): string => String(Math.floor(Date.parse(iso(when)) / 1_000));

describe("after five minutes without a word", () => {
  it("a session that rests or only thinks is idle, until it is heard of", () => {
    const story = begun();
    expect(story.at(4 * MINUTES)).toMatchObject({ state: "active", activityPhase: "busy" });
    expect(story.at(6 * MINUTES)).toMatchObject({ state: "idle", activityPhase: "busy", sinceIso: iso(1) });
    story.stop(7 * MINUTES, "p1");
    expect(story.at(8 * MINUTES)).toMatchObject({ state: "active", activityPhase: "interactable" });
    const idle = story.at(13 * MINUTES);
    expect(idle).toMatchObject({ state: "idle", activityPhase: "interactable", needsPerson: false });
    expect(idle.evidence.map(({ source }) => source)).toEqual(["hook", "timer"]);
    story.prompt(14 * MINUTES, "p2", "go on");
    expect(story.at(14 * MINUTES)).toMatchObject({ state: "active", activityPhase: "busy" });
  });

  it("a session whose tool runs is not idle", () => {
    const story = begun();
    story.call(2, "t1", "npm run e2e");
    expect(story.at(60 * MINUTES)).toMatchObject({ state: "active", activityPhase: "busy" });
  });

  it("a session whose subagent runs is not idle, nor one that is parked", () => {
    const story = begun();
    story.hook(2, "SubagentStart", { agent_id: "a1", agent_type: "scout" });
    expect(story.at(60 * MINUTES)).toMatchObject({ state: "active", activityPhase: "busy" });
    story.stop(3, "p1", { background_tasks: [{ id: "a1", status: "running" }] });
    expect(story.at(60 * MINUTES)).toMatchObject({ state: "active", activityPhase: "parked" });
  });

  it("a session that waits is not idle", () => {
    const story = begun();
    story.asks(2, "rm -r dist");
    expect(story.at(600 * MINUTES)).toMatchObject({ state: "active", needsPerson: true });
  });

  it("a session is not idle whose agent has said a moment ago that it works", () => {
    const story = begun();
    story.registrySays(9 * MINUTES, "busy");
    expect(story.at(10 * MINUTES)).toMatchObject({ state: "active", activityPhase: "busy" });
    expect(story.at(15 * MINUTES)).toMatchObject({ state: "idle" });
  });
});

describe("a turn that ended with an error", () => {
  it("of the rate limit leaves the session limited, until the time that the agent was told", () => {
    const story = begun();
    const last_assistant_message = `Claude AI usage limit reached|${seconds(3_600)}`;
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

  it("of the rate limit leaves the session limited until its next turn, where nobody told a time", () => {
    const story = begun();
    story.hook(9, "StopFailure", { prompt_id: "p1", error: "rate_limit" });
    expect(story.at(10)).toMatchObject({ activityPhase: "rate_limited", rateLimit: { untilIso: null } });
    story.prompt(60, "p2", "again");
    expect(story.at(61)).toMatchObject({ activityPhase: "busy", rateLimit: null, error: null });
  });

  it.each(["server_error", "authentication_failed", "billing_error", "unknown"])(
    "of another kind (%s) needs a person",
    (error) => {
      const story = begun();
      const last_assistant_message = "API Error: it broke\nin the middle";
      story.hook(9, "StopFailure", { prompt_id: "p1", error, last_assistant_message });
      expect(story.at(10)).toMatchObject({
        activityPhase: "failed",
        needsPerson: true,
        error: { kind: error, message: last_assistant_message },
        why: `Turn failed (${error}): API Error: it broke`,
      });
      expect(story.at(6 * MINUTES + 10)).toMatchObject({ state: "idle", needsPerson: true });
      story.prompt(7 * MINUTES, "p2", "again");
      expect(story.at(7 * MINUTES)).toMatchObject({ activityPhase: "busy", needsPerson: false, error: null });
    },
  );

  it("is known from the transcript when its hook was lost", () => {
    const story = begun();
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

describe("a request to the API that is tried again", () => {
  const refused = (status: number): object => ({
    type: "system",
    subtype: "api_error",
    uuid: `u${status}`,
    error: { status, formatted: `${status} Too many requests` },
    retryInMs: 30_000,
    retryAttempt: 1,
    maxRetries: 10,
  });

  it("for the rate limit shows the session limited, until it is tried again and the model answers", () => {
    const story = begun();
    story.line(5, refused(429));
    expect(story.at(6)).toMatchObject({
      activityPhase: "rate_limited",
      sinceIso: iso(5),
      rateLimit: { untilIso: iso(35) },
      needsPerson: false,
    });
    story.call(36, "t1", "ls");
    expect(story.at(37)).toMatchObject({ activityPhase: "busy", rateLimit: null });
  });

  it("for another error is work", () => {
    const story = begun();
    story.line(5, refused(529));
    expect(story.at(6)).toMatchObject({
      activityPhase: "busy",
      action: { text: "retrying after API error 529" },
    });
  });
});

describe("whatever is shown", () => {
  const told: Record<string, (story: Story) => void> = {
    "that begins": () => undefined,
    "at a tool": (story) => story.call(2, "t1", "ls"),
    "that waits": (story) => story.asks(2, "ls"),
    "whose registry waits": (story) => story.registrySays(2, "waiting"),
    "that compacts": (story) => story.hook(2, "PreCompact", { trigger: "auto" }),
    "that rests": (story) => story.stop(2, "p1"),
    "that is parked": (story) => story.stop(2, "p1", { background_tasks: [{ id: "x", status: "running" }] }),
    "that is limited": (story) => story.hook(2, "StopFailure", { prompt_id: "p1", error: "rate_limit" }),
    "that failed": (story) => story.hook(2, "StopFailure", { prompt_id: "p1", error: "overloaded" }),
    "that ended": (story) => story.hook(2, "SessionEnd", { reason: "other" }),
    "that is gone": (story) => story.gone(2),
    "whose registry works": (story) => {
      story.stop(2, "p1");
      story.registrySays(3, "busy");
    },
  };

  it.each(Object.entries(told))(
    "of a session %s has a reason of one sentence and what it rests on",
    (_n, tell) => {
      const story = begun();
      tell(story);
      for (const when of [3, 20 * MINUTES, 30 * 60 * MINUTES]) {
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

describe("a session of a whole week", () => {
  it("is read in a moment, with 500 turns, 5,000 messages and as many calls and 1,000 requests", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
    for (let turn = 0; turn < 500; turn++) {
      const at = turn * 600;
      const prompt_id = `p${turn}`;
      story.prompt(at, prompt_id, "go on");
      for (let n = 0; n < 10; n++) {
        const id = `t${turn}-${n}`;
        story.call(at + n, id, `echo ${n}`, { prompt_id });
        if (n < 2) story.asks(at + n + 0.1, `echo ${n}`, { prompt_id });
        story.ran(at + n + 0.5, id, `echo ${n}`, { prompt_id });
        const usage = { input_tokens: 10, output_tokens: 5 };
        const message = { id: `m${turn}-${n}`, model: "claude-opus-5-5", content: [], usage };
        story.line(at + n, { type: "assistant", uuid: id, message });
      }
      // Every tenth was stopped in a way that no hook reports.
      if (turn % 10 > 0) story.stop(at + 20, prompt_id);
    }
    // Ended waits are not recomputed at each later event.
    const unsettled = [...story.view.waits.values()].filter(({ closedAt }) => closedAt === null);
    expect(unsettled.length).toBeLessThan(5);
    const began = performance.now();
    const shown = story.at(500 * 600);
    const firstMs = performance.now() - began;
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
  const ran = (story: Story, seconds: number): number => {
    const session = story.at(seconds);
    return runDurationMs(session, Date.parse(session.endedAtIso ?? iso(seconds)));
  };

  it("ran while a process of it did, not between them", () => {
    const story = resumed();
    story.hook(180, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
    expect(ran(story, 190)).toBe(16_000);
    story.hook(181, "SessionEnd", { reason: "other" }, { pid: 200 });
    expect(ran(story, 900)).toBe(7_000);
    // Again in the process it had before; a compaction starts nothing.
    story.hook(1_000, "SessionStart", { source: "resume" }, ATTENDED);
    story.hook(1_001, "SessionStart", { source: "compact" });
    story.gone(1_005);
    expect(ran(story, 2_000)).toBe(12_000);
  });

  it("reads the same in whatever order that is told, and told twice", () => {
    const story = resumed();
    story.hook(180, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
    const view = createSessionView("s1", claude.usage);
    for (const event of [...story.events.toReversed(), ...story.events]) foldEvent(view, event);
    expect(readSession(view, { nowMs: Date.parse(iso(190)), quietMs: 0 }).stoppedMs).toBe(174_000);
  });

  it("runs on while another process of it does", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
    story.hook(3, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 200 });
    story.hook(6, "SessionEnd", { reason: "other" });
    story.hook(60, "SessionStart", { source: "resume" }, { ...ATTENDED, pid: 300 });
    expect(story.at(61).stoppedMs).toBe(0);
  });
});

it("names what it rests on in our own words, whichever agent it is of", () => {
  const story = createStory();
  const seen: string[] = [];
  const look = (seconds: number): void => {
    seen.push(...story.at(seconds).evidence.map(({ what }) => what));
  };
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  look(0);
  story.prompt(1, "p1", "go on");
  look(1);
  story.call(2, "t1", "npm test");
  look(2);
  story.asks(3, "rm -r dist");
  look(3);
  story.hook(4, "PreCompact", { trigger: "auto", prompt_id: "p1" });
  look(4);
  story.stop(5, "p1");
  look(5);
  story.hook(6, "StopFailure", { prompt_id: "p1", error: "server_error" });
  look(6);
  story.hook(7, "SessionEnd", { reason: "other" });
  look(7);
  const hooks = Object.keys(hookEntries(claude));
  expect(hooks).toContain("Stop");
  expect(seen.filter((what) => hooks.includes(what))).toEqual([]);
  expect(seen).toEqual(expect.arrayContaining(["session started", "turn", "request", "session ended"]));
});
