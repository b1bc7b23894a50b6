import { describe, expect, it } from "vitest";
import { decideEvidence, processGoneEvent } from "./decide-evidence.ts";
import { foldEvent } from "./fold-event.ts";
import { ATTENDED, createStory, iso, registryEntry, type Story } from "./story.testing.ts";

type Said = Partial<ReturnType<typeof registryEntry>>;

/** The event for a registry status at `seconds`, given the hook events of the story so far. */
function decide(story: Story, seconds: number, nowSeconds: number, said: Said, heardSeconds = seconds) {
  const entry = registryEntry({ statusUpdatedAtMs: Date.parse(iso(seconds)), ...said });
  const moment = { nowMs: Date.parse(iso(nowSeconds)), quietMs: (nowSeconds - heardSeconds) * 1_000 };
  return decideEvidence(story.view, entry, moment);
}

const stories = {
  rests: (story) => story.stop(20, "p1"),
  works: () => undefined,
  waits: (story) => story.asks(20, "rm -r dist"),
  runs: (story) => story.call(20, "t1", "npm test"),
} satisfies Record<string, (story: Story) => void>;

function told(how: keyof typeof stories): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(10, "p1", "clean up");
  stories[how](story);
  return story;
}

describe("what the registry says", () => {
  it.each<[string, keyof typeof stories, number, number, Said, string | null]>([
    ["the same as the hooks: idle", "rests", 20.1, 60, { status: "idle" }, null],
    ["the same as the hooks: busy", "works", 10.1, 60, { status: "busy" }, null],
    ["what was before the hook came: busy", "rests", 19, 60, { status: "busy" }, null],
    ["what was before the hook came: idle", "works", 9, 60, { status: "idle" }, null],
    ["what was before the request: busy", "waits", 19.9, 60, { status: "busy" }, null],
    ["what was before the request: idle", "waits", 5, 60, { status: "idle" }, null],
    ["that it waits, as a hook told", "waits", 20.1, 20.2, { status: "waiting" }, "waiting"],
    [
      "that it waits, before the hook's file was written",
      "waits",
      19.9,
      20.2,
      { status: "waiting" },
      "waiting",
    ],
    ["that somebody answered", "waits", 25, 25.1, { status: "busy" }, "busy"],
    ["that the request was laid down", "waits", 25, 25.1, { status: "idle" }, "idle"],
    ["that a turn was laid down", "works", 25, 27, { status: "idle" }, "idle"],
    ["the end of a turn that a hook may tell yet", "works", 25, 25.5, { status: "idle" }, null],
    ["a wait of which no hook tells", "runs", 25, 27, { status: "waiting" }, "waiting"],
    ["a wait of which a hook may tell yet", "runs", 25, 25.5, { status: "waiting" }, null],
    ["work of which no hook tells", "rests", 25, 28, { status: "busy" }, "busy"],
    ["work of which a hook may tell yet", "rests", 25, 26, { status: "busy" }, null],
    [
      "a menu that the person opened",
      "rests",
      25,
      60,
      { status: "waiting", waitingFor: "dialog open" },
      null,
    ],
    ["a menu over a request", "waits", 25, 60, { status: "waiting", waitingFor: "dialog open" }, null],
    ["no word that is known", "works", 25, 60, { status: null }, null],
    ["no time", "works", 25, 60, { status: "idle", statusUpdatedAtMs: null }, null],
  ])("%s", (_what, how, seconds, now, said, phase) => {
    const story = told(how);
    const event = decide(story, seconds, now, said);
    expect(event?.phase ?? null).toBe(phase);
    if (event === null) return;
    expect(event).toMatchObject({
      occurredAtIso: iso(seconds),
      pid: 100,
      origin: "watch",
      source: "registry",
    });
    foldEvent(story.view, event);
    // Once is enough.
    expect(decide(story, seconds, now, said)).toBeNull();
  });

  it("is not asked about a run without a person", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, { env: { CLAUDE_CODE_SESSION_ATTENDED: "0" } });
    story.prompt(10, "p1", "clean up");
    for (const status of ["busy", "idle", "waiting"] as const)
      expect(decide(story, 25, 60, { status, entrypoint: "sdk-cli" })).toBeNull();
  });

  it("is told again while the agent works long without a word, before it would seem idle", () => {
    const story = told("works");
    expect(decide(story, 10.1, 200, { status: "busy" }, 10)).toBeNull();
    const event = decide(story, 10.1, 260, { status: "busy" }, 10)!;
    expect(event).toMatchObject({ phase: "busy", occurredAtIso: iso(260) });
    foldEvent(story.view, event);
    expect(decide(story, 10.1, 300, { status: "busy" }, 10)).toBeNull();
    expect(story.at(400)).toMatchObject({ state: "active", activityPhase: "busy" });
    expect(decide(story, 10.1, 520, { status: "busy" }, 10)).toMatchObject({ occurredAtIso: iso(520) });
  });

  it("is believed about a wait, whatever was noted since", () => {
    const story = told("runs");
    story.hook(26, "Notification", { notification_type: "permission_prompt", message: "?" });
    expect(decide(story, 25, 27, { status: "waiting" })).toMatchObject({ phase: "waiting" });
  });

  it("is not believed about a new request while it still shows the dialog of an answered one", () => {
    const story = told("waits");
    foldEvent(story.view, decide(story, 20.1, 20.2, { status: "waiting" })!);
    story.call(19.5, "t1", "rm -r dist");
    story.ran(23, "t1", "rm -r dist");
    story.asks(24, "rm -r build");
    expect(decide(story, 20.2, 24.1, { status: "waiting" })).toBeNull();
    expect(decide(story, 23.9, 24.1, { status: "waiting" })).toMatchObject({ phase: "waiting" });
  });

  it("carries a name only where somebody gave one", () => {
    const said = { status: "idle", name: "acme-shop-6c" } as const;
    expect(decide(told("works"), 25, 27, { ...said, nameSource: "derived" })).not.toHaveProperty("name");
    expect(decide(told("works"), 25, 27, { ...said, nameSource: "user" })).toMatchObject({ name: said.name });
  });
});

describe("a process that is gone", () => {
  it("is gone once, however often it is found so, and again when it was heard of since", () => {
    const story = told("works");
    const first = processGoneEvent(story.view, 100, iso(60));
    expect(processGoneEvent(story.view, 100, iso(90)).id).toBe(first.id);
    foldEvent(story.view, first);
    expect(story.at(61)).toMatchObject({ state: "lost" });
    // In a container whose processes are not visible here.
    story.call(70, "t1", "ls");
    expect(story.at(71)).toMatchObject({ state: "active", activityPhase: "busy" });
    const second = processGoneEvent(story.view, 100, iso(90));
    expect(second.id).not.toBe(first.id);
    foldEvent(story.view, second);
    expect(story.at(91)).toMatchObject({ state: "lost" });
  });
});
