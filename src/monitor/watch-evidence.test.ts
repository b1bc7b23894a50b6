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
function look(story: Story) {
  const clock = { now: 100 };
  const living = new Set([100, 200]);
  const noted: HooklineEvent[] = [];
  const followed: string[] = [];
  let made = 0;
  let ticks = 0;
  let flush = (): void => undefined;
  const book = createWatchedSessions({
    prices: claude.usage,
    nowMs: () => Date.parse(iso(clock.now)),
    monotonicMs: () => 1e9 + clock.now * 1_000,
  });
  for (const event of story.events) book.apply(event);
  const watch = watchEvidence({
    watched: book,
    wake: async (wanted, act) => {
      for (const sessionId of wanted().filter(book.isAsleep)) {
        made++;
        book.wake(sessionId, foldSession(sessionId, story.events, claude.usage));
      }
      return act();
    },
    nowMs: () => Date.parse(iso(clock.now)),
    isAlive: (pid) => living.has(pid),
    flush: async () => flush(),
    record: async (events) => {
      noted.push(...events);
      for (const event of events) book.apply(event);
    },
    projectOf: (cwd) => cwd,
    locateTranscript: ({ configDir, ...entry }) => claude.liveness.locateTranscript(configDir, entry),
    follow: ({ sessionId }) => followed.push(sessionId),
    unfollow: (sessionId) => followed.push(`not ${sessionId}`),
    onTick: () => {
      ticks++;
    },
    onError: (error) => {
      throw error;
    },
    tickMs: 5,
  });
  watches.push(watch);
  return {
    ...{ book, clock, living, noted, followed, watch },
    made: () => made,
    onFlush: (act: () => void) => {
      flush = act;
    },
    /** Waits for that many more checks. */
    async looks(times: number): Promise<void> {
      const enough = ticks + times;
      await until(() => ticks >= enough);
    },
    begin: () => watch.sessionChanged(book.snapshot("s1")!),
  };
}

function working(): Story {
  const story = createStory();
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "p1", "clean up");
  return story;
}

const entry = (given: Partial<RegistryEntry> = {}): RegistryEntry => ({
  ...registryEntry(),
  configDir: "/nowhere",
  alive: true,
  ...given,
});
const at = (seconds: number): number => Date.parse(iso(seconds));

describe("a process that goes without a word", () => {
  it("is told of once, after it was missed twice", async () => {
    const { begin, looks, living, noted, book } = look(working());
    begin();
    await looks(3);
    expect(noted).toEqual([]);
    living.delete(100);
    await until(() => noted.length > 0);
    await until(() => book.snapshot("s1")!.state === "lost");
    expect(noted).toMatchObject([{ phase: "gone", pid: 100, origin: "watch" }]);
  });

  it("is not told of when its last word lay in the spool", async () => {
    const story = working();
    const { begin, living, noted, book, onFlush, looks } = look(story);
    onFlush(() => {
      if (book.snapshot("s1")!.state === "completed") return;
      story.hook(90, "SessionEnd", { reason: "other" });
      book.apply(story.events.at(-1)!);
    });
    begin();
    await looks(2);
    living.delete(100);
    await until(() => book.snapshot("s1")!.state === "completed");
    expect(noted).toEqual([]);
  });
});

describe("a session that rests for hours", () => {
  it("costs no making of its view, while its process and its registry say nothing new", async () => {
    const story = working();
    story.stop(5, "p1");
    const { begin, watch, book, clock, looks, made, noted } = look(story);
    begin();
    watch.registryChanged([entry({ status: "idle", statusUpdatedAtMs: at(5.1) })]);
    await looks(2);
    clock.now = 4_000;
    book.prune();
    expect(book.isAsleep("s1")).toBe(true);
    const before = made();
    await looks(5);
    expect([made(), noted]).toEqual([before, []]);
    // It is still monitored.
    watch.registryChanged([
      entry({ status: "waiting", statusUpdatedAtMs: at(3_990), waitingFor: "input needed" }),
    ]);
    await until(() => book.snapshot("s1")!.activityPhase === "waiting_question");
  });
});

describe("a session that only the registry knows", () => {
  it("is told of when no hook has for a while, with its transcript to follow", async () => {
    const { watch, clock, noted, book, looks } = look(createStory());
    clock.now = 1;
    watch.registryChanged([entry({ sessionId: "s2", status: "busy", statusUpdatedAtMs: at(0.5) })]);
    await looks(2);
    expect(noted).toEqual([]);
    clock.now = 10;
    await until(() => book.has("s2"));
    expect(book.snapshot("s2")).toMatchObject({
      activityPhase: "busy",
      attended: true,
      pid: 100,
      projectPath: "/home/dev/acme-shop",
    });
    expect(noted).toHaveLength(1);
  });

  it("is not told of when its process is dead", async () => {
    const { watch, noted, looks } = look(createStory());
    watch.registryChanged([entry({ sessionId: "s2", alive: false })]);
    await looks(2);
    expect(noted).toEqual([]);
  });

  it("is not lost because its process runs in a place that nobody sees from here", async () => {
    const { watch, book, living, looks } = look(createStory());
    living.clear();
    watch.registryChanged([
      entry({ sessionId: "s2", alive: null, status: "idle", statusUpdatedAtMs: at(5) }),
    ]);
    await until(() => book.has("s2"));
    await looks(5);
    expect(book.snapshot("s2")).toMatchObject({ state: "active", pid: null });
  });
});

describe("a transcript", () => {
  it("is followed while its session runs, and read once of one that has ended", () => {
    const story = working();
    const { watch, followed } = look(story);
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
