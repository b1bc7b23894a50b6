import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { positionAt } from "../../test/support/position.ts";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { isWatched, openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY_S = 86_400;

let pipeline: Pipeline;
let trackers: SessionTracker[] = [];
let now = 0;
let isLocked = false;
let changes: SessionSnapshot[] = [];
let dropped: string[] = [];
let errors: unknown[] = [];

beforeEach(async () => {
  pipeline = await openPipeline();
  [now, isLocked, changes, dropped, errors, trackers] = [0, false, [], [], [], []];
});
afterEach(async () => {
  vi.useRealTimers();
  isLocked = false;
  for (const tracker of trackers) await tracker.close();
  await pipeline.close();
});

/** Starts a tracker whose clock shows `now`. */
async function startTracker(): Promise<SessionTracker> {
  const tracker = await openSessionTracker({
    prices: claude.usage,
    rows: (work) => {
      if (isLocked) throw new Error("database is locked");
      return work(pipeline.store.sessions);
    },
    nowMs: () => Date.parse(iso(now)),
    monotonicMs: () => 1e9 + now * 1_000,
    onChange: (snapshot) => changes.push(snapshot),
    onDrop: (sessionId) => dropped.push(sessionId),
    onError: (error) => errors.push(error),
  });
  trackers.push(tracker);
  return tracker;
}

/** Like the daemon: appends to log and store, then feeds the tracker. */
async function applyEvents(
  tracker: SessionTracker,
  events: readonly HooklineEvent[],
  next = 1,
): Promise<void> {
  await pipeline.appendEvents(events);
  await tracker.onEvents(events, positionAt(next));
}

function waiting(sessionId = "s1"): Story {
  const story = createStory(sessionId);
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, `${sessionId}-p1`, "clean up");
  story.startCall(30, `${sessionId}-t1`, "rm -r dist", { prompt_id: `${sessionId}-p1` });
  story.requestPermission(31, "rm -r dist", { prompt_id: `${sessionId}-p1` });
  return story;
}

const rows = async (): Promise<SessionSnapshot[]> =>
  (await pipeline.store.sessions.sessionRows({ limit: 20_000 })).map((json) =>
    SessionSnapshot.parse(JSON.parse(json)),
  );
const position = () => pipeline.store.sessions.monitorPosition();
const table = (): unknown[] => pipeline.store.db.sql("SELECT * FROM human_waits ORDER BY 1, 2").all();

describe("a session that was saved", () => {
  it("is unchanged after a restart, and continues from its facts", async () => {
    const story = waiting();
    const first = await startTracker();
    now = 40;
    await applyEvents(first, story.events, 10);
    await first.save();
    const before = first.watched.snapshot("s1");
    await first.close();

    const second = await startTracker();
    expect(second.watched.snapshot("s1")).toEqual(before);
    expect(second.watched.isAsleep("s1")).toBe(true);
    const eventCount = story.events.length;
    now = 60;
    story.endCall(60, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
    await applyEvents(second, story.events.slice(eventCount), 20);
    expect(second.watched.snapshot("s1")).toMatchObject({
      activityPhase: "busy",
      waiting: null,
      lastUserMessage: "clean up",
      toolCount: 1,
      humanWaitMs: 29_000,
      sinceIso: iso(1),
    });
  });

  it("is unchanged when all events are applied again, as after a kill before the position was saved", async () => {
    const story = waiting();
    story.endCall(60, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
    story.stop(90, "s1-p1");
    const first = await startTracker();
    now = 100;
    // Saves rows without a position.
    await pipeline.appendEvents(story.events);
    await first.onEvents(story.events, undefined);
    await first.save();
    expect(await position()).toBeUndefined();
    const saved = [await rows(), table()];
    expect(await rows()).toMatchObject([{ activityPhase: "interactable", sinceIso: iso(90) }]);

    const second = await startTracker();
    await second.onEvents(story.events, positionAt(99));
    await second.save();
    expect([await rows(), table()]).toEqual(saved);
    expect(await position()).toBe(positionAt(99));
  });

  it("follows its events when a backlog of minutes arrives at once", async () => {
    const story = waiting();
    story.endCall(60, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
    story.stop(90, "s1-p1");
    now = 600;
    const tracker = await startTracker();
    // The database has all of it before the monitor receives the first event.
    await applyEvents(tracker, story.events);
    tracker.emit();
    expect(changes.at(-1)).toMatchObject({ activityPhase: "interactable", sinceIso: iso(90) });
  });
});

describe("the position", () => {
  it("moves only with the rows", async () => {
    const tracker = await startTracker();
    now = 40;
    await applyEvents(tracker, waiting().events, 10);
    isLocked = true;
    await tracker.save();
    expect(errors).toHaveLength(1);
    isLocked = false;
    expect([await rows(), await position()]).toEqual([[], undefined]);
    await tracker.save();
    expect([(await rows()).length, await position()]).toEqual([1, positionAt(10)]);
  });

  it("never excludes events applied just before a save", async () => {
    const [first, other] = [waiting("one"), waiting("other")];
    await pipeline.appendEvents([...first.events, ...other.events]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] });
    const tracker = await startTracker();
    const pass = async (ms: number): Promise<void> => {
      now += ms / 1_000;
      await vi.advanceTimersByTimeAsync(ms);
    };
    await tracker.onEvents(first.events, positionAt(1));
    await pass(1);
    await pass(4_985);
    await tracker.onEvents(first.events.slice(-1), positionAt(2));
    await pass(10);
    // Reported together with what follows shortly, after the rows are saved.
    await tracker.onEvents(other.events, positionAt(3));
    await pass(5);
    expect(await position()).toBe(positionAt(3));
    expect((await rows()).map(({ sessionId }) => sessionId)).toEqual(["other", "one"]);
  });
});

describe("rows of a rebuilt database", () => {
  it("come back for watched and all other sessions", async () => {
    const old = waiting("old");
    old.hook(40, "SessionEnd", { reason: "other" });
    await pipeline.appendEvents(old.events);
    now = 3 * DAY_S;
    const tracker = await startTracker();
    const story = waiting("new");
    await applyEvents(tracker, story.events);
    await tracker.save();
    expect(await rows()).toHaveLength(1);
    pipeline.store.db.sql("DELETE FROM session_snapshots").run();
    await tracker.resaveAll();
    await tracker.buildMissingRows();
    expect((await rows()).map(({ sessionId, state }) => [sessionId, state])).toEqual([
      ["old", "completed"],
      ["new", "active"],
    ]);
    expect([...tracker.watched.ids()]).toEqual(["new"]);
  });
});

describe("at its start", () => {
  it("restores running sessions and those of the last day, and no others", async () => {
    const story = waiting("s");
    now = 40;
    const running = story.at(40);
    story.hook(50, "SessionEnd", { reason: "other" });
    const over = story.at(51);
    const row = (snapshot: SessionSnapshot) => ({
      ...{ sessionId: snapshot.sessionId, lastEventIso: snapshot.lastEventAtIso, state: snapshot.state },
      ...{ needsPerson: snapshot.needsPerson, provider: "claude", projectPath: null, searchText: "" },
      ...{ json: JSON.stringify(snapshot), waits: [] },
    });
    const completed = Array.from({ length: 10_000 }, (_, n) => row({ ...over, sessionId: `over-${n}` }));
    const recent = { ...over, sessionId: "recent", lastEventAtIso: iso(3 * DAY_S - 60) };
    await pipeline.store.sessions.saveSessions(
      [...completed, row({ ...running, sessionId: "runs" }), row(recent)],
      positionAt(1),
    );
    now = 3 * DAY_S;
    const tracker = await startTracker();
    expect([...tracker.watched.ids()].sort()).toEqual(["recent", "runs"]);
    expect(tracker.watched.snapshot("runs")).toMatchObject({ activityPhase: "waiting_permission" });
  });

  it("skips a row of another version, and rebuilds it at the session's next event", async () => {
    const story = waiting();
    const tracker = await startTracker();
    await applyEvents(tracker, story.events);
    await tracker.save();
    pipeline.store.db.sql("UPDATE session_snapshots SET snapshot_json = '{}'").run();
    const next = await startTracker();
    expect([...next.watched.ids()]).toEqual([]);
    const before = story.events.length;
    story.stop(40, "s1-p1");
    await applyEvents(next, story.events.slice(before));
    expect(next.watched.snapshot("s1")).toMatchObject({ activityPhase: "interactable", turnCount: 1 });
  });
});

describe("sessions are dropped", () => {
  it("a day after they ended", async () => {
    const story = waiting();
    story.hook(40, "SessionEnd", { reason: "other" });
    const tracker = await startTracker();
    now = 41;
    await applyEvents(tracker, story.events);
    await tracker.save();
    now = DAY_S - 60;
    await tracker.save();
    expect(dropped).toEqual([]);
    now = DAY_S + 120;
    await tracker.save();
    expect(dropped).toEqual(["s1"]);
    expect(tracker.watched.has("s1")).toBe(false);
    expect(await rows()).toMatchObject([{ state: "completed" }]);
  });

  it("not while they run, however quiet", async () => {
    const tracker = await startTracker();
    await applyEvents(tracker, waiting().events);
    now = 30 * DAY_S;
    await tracker.save();
    expect(tracker.watched.snapshot("s1")).toMatchObject({ activityPhase: "waiting_permission" });
  });

  it("a day after the last event if no process is known, and their rows say that they are over", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    const tracker = await startTracker();
    await applyEvents(tracker, story.events);
    await tracker.save();
    expect(await rows()).toMatchObject([{ state: "active" }]);
    now = 2 * DAY_S;
    // This also applies to a session that was only restored.
    const next = await startTracker();
    expect(next.watched.snapshot("s1")).toMatchObject({
      state: "completed",
      endedAtIso: iso(0),
      needsPerson: false,
    });
    await next.save();
    expect(dropped).toEqual(["s1"]);
    expect(await rows()).toMatchObject([{ state: "completed", activityPhase: null }]);
  });

  it("and their open waits end", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    story.stream(10, { eventType: "session.lifecycle", phase: "waiting_permission" });
    const tracker = await startTracker();
    await applyEvents(tracker, story.events);
    await tracker.save();
    const waits = (): Promise<unknown> => pipeline.store.sessions.waitsSince(iso(0));
    expect(await waits()).toMatchObject([{ startedAtIso: iso(10), endedAtIso: null }]);
    now = 2 * DAY_S;
    await (await startTracker()).save();
    expect(await waits()).toMatchObject([{ startedAtIso: iso(10), endedAtIso: iso(10) }]);
  });

  it("when they are forgotten", async () => {
    const tracker = await startTracker();
    await applyEvents(tracker, waiting().events);
    tracker.forget(["s1"]);
    await tracker.save();
    expect(dropped).toEqual(["s1"]);
    expect(await rows()).toEqual([]);
  });
});

describe("changes", () => {
  it("are emitted for running and recently ended sessions, not for old ones reported only now", async () => {
    const story = waiting();
    story.hook(40, "SessionEnd", { reason: "other" });
    now = 5 * DAY_S;
    const tracker = await startTracker();
    await applyEvents(tracker, story.events);
    tracker.emit();
    expect(changes).toEqual([]);
    expect(isWatched(tracker.watched.snapshot("s1")!, Date.parse(iso(now)))).toBe(false);
    await tracker.save();
    expect(await rows()).toMatchObject([{ state: "completed" }]);
  });
});
