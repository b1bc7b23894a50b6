import { describe, expect, it } from "vitest";
import { decideEvidence, processGoneEvent } from "./decide-evidence.ts";
import { foldEvent } from "./fold-event.ts";
import { ATTENDED, createStory, iso, registryEntry, type Story } from "./story.testing.ts";

type RegistryStatus = Partial<ReturnType<typeof registryEntry>>;

/** The event for a registry status at `seconds`, given the hook events of the story so far. */
function decide(
  story: Story,
  seconds: number,
  nowSeconds: number,
  status: RegistryStatus,
  lastEventSeconds = seconds,
) {
  const entry = registryEntry({ statusUpdatedAtMs: Date.parse(iso(seconds)), ...status });
  const moment = { nowMs: Date.parse(iso(nowSeconds)), quietMs: (nowSeconds - lastEventSeconds) * 1_000 };
  return decideEvidence(story.view, entry, moment);
}

const situations = {
  rests: (story) => story.stop(20, "p1"),
  works: () => undefined,
  waits: (story) => story.requestPermission(20, "rm -r dist"),
  runs: (story) => story.startCall(20, "t1", "npm test"),
} satisfies Record<string, (story: Story) => void>;

function createStoryOf(situation: keyof typeof situations): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(10, "p1", "clean up");
  situations[situation](story);
  return story;
}

describe("evidence from the registry", () => {
  it.each<[string, keyof typeof situations, number, number, RegistryStatus, string | null]>([
    ["agrees with the hooks: idle", "rests", 20.1, 60, { status: "idle" }, null],
    ["agrees with the hooks: busy", "works", 10.1, 60, { status: "busy" }, null],
    ["is older than the hook: busy", "rests", 19, 60, { status: "busy" }, null],
    ["is older than the hook: idle", "works", 9, 60, { status: "idle" }, null],
    ["is older than the request: busy", "waits", 19.9, 60, { status: "busy" }, null],
    ["is older than the request: idle", "waits", 5, 60, { status: "idle" }, null],
    ["confirms the wait that a hook reported", "waits", 20.1, 20.2, { status: "waiting" }, "waiting"],
    [
      "confirms the wait before the hook's file is written",
      "waits",
      19.9,
      20.2,
      { status: "waiting" },
      "waiting",
    ],
    ["shows that the request was answered", "waits", 25, 25.1, { status: "busy" }, "busy"],
    ["shows that the request was dismissed", "waits", 25, 25.1, { status: "idle" }, "idle"],
    ["shows that a turn was interrupted", "works", 25, 27, { status: "idle" }, "idle"],
    ["shows the end of a turn that a hook may still report", "works", 25, 25.5, { status: "idle" }, null],
    ["shows a wait that no hook reported", "runs", 25, 27, { status: "waiting" }, "waiting"],
    ["shows a wait that a hook may still report", "runs", 25, 25.5, { status: "waiting" }, null],
    ["shows work that no hook reported", "rests", 25, 28, { status: "busy" }, "busy"],
    ["shows work that a hook may still report", "rests", 25, 26, { status: "busy" }, null],
    [
      "shows a menu that the person opened",
      "rests",
      25,
      60,
      { status: "waiting", waitingFor: "dialog open" },
      null,
    ],
    ["shows a menu over a request", "waits", 25, 60, { status: "waiting", waitingFor: "dialog open" }, null],
    ["has an unknown status", "works", 25, 60, { status: null }, null],
    ["has no time", "works", 25, 60, { status: "idle", statusUpdatedAtMs: null }, null],
  ])("%s", (_what, situation, seconds, now, status, phase) => {
    const story = createStoryOf(situation);
    const event = decide(story, seconds, now, status);
    expect(event?.phase ?? null).toBe(phase);
    if (event === null) return;
    expect(event).toMatchObject({
      occurredAtIso: iso(seconds),
      pid: 100,
      origin: "watch",
      source: "registry",
    });
    foldEvent(story.view, event);
    // The same status is reported only once.
    expect(decide(story, seconds, now, status)).toBeNull();
  });

  it("is ignored for an unattended run", () => {
    const story = createStory();
    story.hook(0, "SessionStart", { source: "startup" }, { env: { CLAUDE_CODE_SESSION_ATTENDED: "0" } });
    story.prompt(10, "p1", "clean up");
    for (const status of ["busy", "idle", "waiting"] as const)
      expect(decide(story, 25, 60, { status, entrypoint: "sdk-cli" })).toBeNull();
  });

  it("is recorded again during a long quiet turn, before the session would count as idle", () => {
    const story = createStoryOf("works");
    expect(decide(story, 10.1, 200, { status: "busy" }, 10)).toBeNull();
    const event = decide(story, 10.1, 260, { status: "busy" }, 10)!;
    expect(event).toMatchObject({ phase: "busy", occurredAtIso: iso(260) });
    foldEvent(story.view, event);
    expect(decide(story, 10.1, 300, { status: "busy" }, 10)).toBeNull();
    expect(story.at(400)).toMatchObject({ state: "active", activityPhase: "busy" });
    expect(decide(story, 10.1, 520, { status: "busy" }, 10)).toMatchObject({ occurredAtIso: iso(520) });
  });

  it("is trusted about a wait, whatever was recorded since", () => {
    const story = createStoryOf("runs");
    story.hook(26, "Notification", { notification_type: "permission_prompt", message: "?" });
    expect(decide(story, 25, 27, { status: "waiting" })).toMatchObject({ phase: "waiting" });
  });

  it("is not trusted about a new request while it still shows the dialog of an answered one", () => {
    const story = createStoryOf("waits");
    foldEvent(story.view, decide(story, 20.1, 20.2, { status: "waiting" })!);
    story.startCall(19.5, "t1", "rm -r dist");
    story.endCall(23, "t1", "rm -r dist");
    story.requestPermission(24, "rm -r build");
    expect(decide(story, 20.2, 24.1, { status: "waiting" })).toBeNull();
    expect(decide(story, 23.9, 24.1, { status: "waiting" })).toMatchObject({ phase: "waiting" });
  });

  it("carries a name only if a person set it", () => {
    const named = { status: "idle", name: "acme-shop-6c" } as const;
    expect(decide(createStoryOf("works"), 25, 27, { ...named, nameSource: "derived" })).not.toHaveProperty(
      "name",
    );
    expect(decide(createStoryOf("works"), 25, 27, { ...named, nameSource: "user" })).toMatchObject({
      name: named.name,
    });
  });
});

describe("an event for a process that is gone", () => {
  it("has one id per disappearance: found twice it is the same, after new activity another", () => {
    const story = createStoryOf("works");
    const first = processGoneEvent(story.view, 100, iso(60));
    expect(processGoneEvent(story.view, 100, iso(90)).id).toBe(first.id);
    foldEvent(story.view, first);
    expect(story.at(61)).toMatchObject({ state: "lost" });
    // The process may run in a container whose processes are not visible here.
    story.startCall(70, "t1", "ls");
    expect(story.at(71)).toMatchObject({ state: "active", activityPhase: "busy" });
    const second = processGoneEvent(story.view, 100, iso(90));
    expect(second.id).not.toBe(first.id);
    foldEvent(story.view, second);
    expect(story.at(91)).toMatchObject({ state: "lost" });
  });
});
