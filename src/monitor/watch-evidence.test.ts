import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../test/support/cli.ts";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { foldSession } from "./build-views.ts";
import { ATTENDED, createStory, iso, registryEntry, type Story } from "./story.testing.ts";
import { type EvidenceWatch, watchEvidence } from "./watch-evidence.ts";
import type { RegistryEntry } from "./watch-registry.ts";
import { createWatchedSessions } from "./watched-sessions.ts";

let watches: EvidenceWatch[] = [];
afterEach(async () => {
  for (const watch of watches) await watch.close();
  watches = [];
});

/** Checks a story's session every few milliseconds, on a machine whose processes the test controls. */
function openWatch(story: Story) {
  const clock = { now: 100 };
  const alivePids = new Set([100, 200]);
  const recorded: HooklineEvent[] = [];
  const followed: string[] = [];
  let built = 0;
  let tickCount = 0;
  let flush = (): void => undefined;
  let beforeRecord = async (): Promise<void> => undefined;
  const watched = createWatchedSessions({
    prices: claude.usage,
    nowMs: () => Date.parse(iso(clock.now)),
    monotonicMs: () => 1e9 + clock.now * 1_000,
  });
  for (const event of story.events) watched.apply(event);
  const watch = watchEvidence({
    watched,
    wake: async (wanted, action) => {
      for (const sessionId of wanted().filter(watched.isAsleep)) {
        built++;
        watched.wake(sessionId, foldSession(sessionId, story.events, claude.usage));
      }
      return action();
    },
    nowMs: () => Date.parse(iso(clock.now)),
    isAlive: (pid) => alivePids.has(pid),
    flush: async () => flush(),
    record: async (events) => {
      await beforeRecord();
      recorded.push(...events);
      for (const event of events) watched.apply(event);
    },
    projectOf: (cwd) => cwd,
    locateTranscript: ({ configDir, ...entry }) => claude.liveness.locateTranscript(configDir, entry),
    follow: ({ sessionId }) => followed.push(sessionId),
    unfollow: (sessionId) => followed.push(`not ${sessionId}`),
    onTick: () => {
      tickCount++;
    },
    onError: (error) => {
      throw error;
    },
    tickMs: 5,
  });
  watches.push(watch);
  return {
    ...{ watched, clock, alivePids, recorded, followed, watch },
    built: () => built,
    onFlush: (action: () => void) => {
      flush = action;
    },
    onRecord: (action: () => Promise<void>) => {
      beforeRecord = action;
    },
    /** Waits for `times` more checks. */
    async ticks(times: number): Promise<void> {
      const target = tickCount + times;
      await until(() => tickCount >= target);
    },
    start: () => watch.sessionChanged(watched.snapshot("s1")!),
  };
}

function busyStory(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  return story;
}

const entry = (fields: Partial<RegistryEntry> = {}): RegistryEntry => ({
  ...registryEntry(),
  configDir: "/nowhere",
  alive: true,
  ...fields,
});
const at = (seconds: number): number => Date.parse(iso(seconds));

describe("a process that disappears without an end event", () => {
  it("is reported once, after it was found dead twice", async () => {
    const { start, ticks, alivePids, recorded, watched } = openWatch(busyStory());
    start();
    await ticks(3);
    expect(recorded).toEqual([]);
    alivePids.delete(100);
    await until(() => recorded.length > 0);
    await until(() => watched.snapshot("s1")!.state === "lost");
    expect(recorded).toMatchObject([{ phase: "gone", pid: 100, origin: "watch" }]);
  });

  it("is not reported if its end was still in the spool", async () => {
    const story = busyStory();
    const { start, alivePids, recorded, watched, onFlush, ticks } = openWatch(story);
    onFlush(() => {
      if (watched.snapshot("s1")!.state === "completed") return;
      story.hook(90, "SessionEnd", { reason: "other" });
      watched.apply(story.events.at(-1)!);
    });
    start();
    await ticks(2);
    alivePids.delete(100);
    await until(() => watched.snapshot("s1")!.state === "completed");
    expect(recorded).toEqual([]);
  });
});

describe("a session that is quiet for hours", () => {
  it("does not need its view while its process and registry report nothing new", async () => {
    const story = busyStory();
    story.stop(5, "p1");
    const { start, watch, watched, clock, ticks, built, recorded } = openWatch(story);
    start();
    watch.registryChanged([entry({ status: "idle", statusUpdatedAtMs: at(5.1) })]);
    await ticks(2);
    clock.now = 4_000;
    watched.prune();
    expect(watched.isAsleep("s1")).toBe(true);
    const before = built();
    await ticks(5);
    expect([built(), recorded]).toEqual([before, []]);
    // It is still monitored.
    watch.registryChanged([
      entry({ status: "waiting", statusUpdatedAtMs: at(3_990), waitingFor: "input needed" }),
    ]);
    await until(() => watched.snapshot("s1")!.activityPhase === "waiting_question");
  });
});

describe("a session known only from the registry", () => {
  it("is recorded if no hook reports it for a while, with its transcript to follow", async () => {
    const { watch, clock, recorded, watched, ticks } = openWatch(createStory());
    clock.now = 1;
    watch.registryChanged([entry({ sessionId: "s2", status: "busy", statusUpdatedAtMs: at(0.5) })]);
    await ticks(2);
    expect(recorded).toEqual([]);
    clock.now = 10;
    await until(() => watched.has("s2"));
    expect(watched.snapshot("s2")).toMatchObject({
      activityPhase: "busy",
      attended: true,
      pid: 100,
      projectPath: "/home/dev/acme-shop",
    });
    expect(recorded).toHaveLength(1);
  });

  it("is not recorded if its process is dead", async () => {
    const { watch, recorded, ticks } = openWatch(createStory());
    watch.registryChanged([entry({ sessionId: "s2", alive: false })]);
    await ticks(2);
    expect(recorded).toEqual([]);
  });

  it("is not lost because its process cannot be seen from here", async () => {
    const { watch, watched, alivePids, ticks } = openWatch(createStory());
    alivePids.clear();
    watch.registryChanged([
      entry({ sessionId: "s2", alive: null, status: "idle", statusUpdatedAtMs: at(5) }),
    ]);
    await until(() => watched.has("s2"));
    await ticks(5);
    expect(watched.snapshot("s2")).toMatchObject({ state: "active", pid: null });
  });
});

describe("a transcript", () => {
  it("is followed while its session runs, and read once if it has ended", () => {
    const story = busyStory();
    const { watch, followed } = openWatch(story);
    watch.sessionChanged(story.at(2));
    watch.sessionChanged(story.at(3));
    expect(followed).toEqual(["s1"]);
    story.hook(9, "SessionEnd", { reason: "other" });
    watch.sessionChanged(story.at(10));
    watch.sessionChanged(story.at(11));
    expect(followed).toEqual(["s1", "not s1"]);
    watch.sessionChanged({ ...story.at(12), sessionId: "s0" });
    watch.sessionChanged({ ...story.at(12), sessionId: "s0" });
    expect(followed).toEqual(["s1", "not s1", "s0", "not s0"]);
  });
});

it("does not queue writes when the registry changes faster than they complete", async () => {
  const story = busyStory();
  story.stop(5, "p1");
  const { watch, watched, onRecord } = openWatch(story);
  const disk = Promise.withResolvers<void>();
  let writes = 0;
  onRecord(() => {
    writes++;
    return disk.promise;
  });
  for (let n = 0; n < 50; n++) {
    const status = n % 2 === 0 ? "busy" : "waiting";
    watch.registryChanged([entry({ status, statusUpdatedAtMs: at(10 + n), waitingFor: "input needed" })]);
    await setImmediate();
  }
  const writesMeanwhile = writes;
  disk.resolve();
  // One of the registry's changes, and one of the regular check.
  expect(writesMeanwhile).toBeLessThanOrEqual(2);
  await until(() => watched.snapshot("s1")!.activityPhase === "waiting_question");
});
