import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { positionAt } from "../../test/support/position.ts";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { isWatched, openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY = 86_400;

let pipeline: Pipeline;
let keepers: SessionTracker[] = [];
let now = 0;
let isLocked = false;
let changes: SessionSnapshot[] = [];
let dropped: string[] = [];
let troubles: unknown[] = [];

beforeEach(async () => {
  pipeline = await openPipeline();
  [now, isLocked, changes, dropped, troubles, keepers] = [0, false, [], [], [], []];
});
afterEach(async () => {
  vi.useRealTimers();
  isLocked = false;
  for (const keeper of keepers) await keeper.close();
  await pipeline.close();
});

/** A daemon run. Its clock stands at `now`. */
async function live(): Promise<SessionTracker> {
  const keeper = await openSessionTracker({
    prices: claude.usage,
    rows: (work) => {
      if (isLocked) throw new Error("database is locked");
      return work(pipeline.store.sessions);
    },
    nowMs: () => Date.parse(iso(now)),
    monotonicMs: () => 1e9 + now * 1_000,
    onChange: (snapshot) => changes.push(snapshot),
    onDrop: (sessionId) => dropped.push(sessionId),
    onError: (error) => troubles.push(error),
  });
  keepers.push(keeper);
  return keeper;
}

/** Like the daemon: first log and database, then the monitor. */
async function tell(keeper: SessionTracker, events: readonly HooklineEvent[], next = 1): Promise<void> {
  await pipeline.appendEvents(events);
  await keeper.onEvents(events, positionAt(next));
}

function waiting(sessionId = "s1"): Story {
  const story = createStory(sessionId);
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, `${sessionId}-p1`, "clean up");
  story.call(30, `${sessionId}-t1`, "rm -r dist", { prompt_id: `${sessionId}-p1` });
  story.asks(31, "rm -r dist", { prompt_id: `${sessionId}-p1` });
  return story;
}

const rows = async (): Promise<SessionSnapshot[]> =>
  (await pipeline.store.sessions.sessionRows({ limit: 20_000 })).map((json) =>
    SessionSnapshot.parse(JSON.parse(json)),
  );
const position = () => pipeline.store.sessions.monitorPosition();
const table = (): unknown[] => pipeline.store.db.sql("SELECT * FROM human_waits ORDER BY 1, 2").all();

describe("a session that was saved", () => {
  it("is shown after a restart as it was, and goes on from its facts", async () => {
    const story = waiting();
    const first = await live();
    now = 40;
    await tell(first, story.events, 10);
    await first.save();
    const before = first.watched.snapshot("s1");
    await first.close();

    const second = await live();
    expect(second.watched.snapshot("s1")).toEqual(before);
    expect(second.watched.isAsleep("s1")).toBe(true);
    const told = story.events.length;
    now = 60;
    story.ran(60, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
    await tell(second, story.events.slice(told), 20);
    expect(second.watched.snapshot("s1")).toMatchObject({
      activityPhase: "busy",
      waiting: null,
      lastUserMessage: "clean up",
      toolCount: 1,
      humanWaitMs: 29_000,
      sinceIso: iso(1),
    });
  });

  it("reads the same when all of it is told again, as after a kill before the position was saved", async () => {
    const story = waiting();
    story.ran(60, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
    story.stop(90, "s1-p1");
    const first = await live();
    now = 100;
    // Rows without their position.
    await pipeline.appendEvents(story.events);
    await first.onEvents(story.events, undefined);
    await first.save();
    expect(await position()).toBeUndefined();
    const saved = [await rows(), table()];
    expect(await rows()).toMatchObject([{ activityPhase: "interactable", sinceIso: iso(90) }]);

    const second = await live();
    await second.onEvents(story.events, positionAt(99));
    await second.save();
    expect([await rows(), table()]).toEqual(saved);
    expect(await position()).toBe(positionAt(99));
  });

  it("is what its events make it, when a backlog of minutes comes at once", async () => {
    const story = waiting();
    story.ran(60, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
    story.stop(90, "s1-p1");
    now = 600;
    const keeper = await live();
    // The database has all of it before the monitor receives the first event.
    await tell(keeper, story.events);
    keeper.emit();
    expect(changes.at(-1)).toMatchObject({ activityPhase: "interactable", sinceIso: iso(90) });
  });
});

describe("the position", () => {
  it("moves only with the rows", async () => {
    const keeper = await live();
    now = 40;
    await tell(keeper, waiting().events, 10);
    isLocked = true;
    await keeper.save();
    expect(troubles).toHaveLength(1);
    isLocked = false;
    expect([await rows(), await position()]).toEqual([[], undefined]);
    await keeper.save();
    expect([(await rows()).length, await position()]).toEqual([1, positionAt(10)]);
  });

  it("never passes what was told a moment before it is saved", async () => {
    const [one, other] = [waiting("one"), waiting("other")];
    await pipeline.appendEvents([...one.events, ...other.events]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] });
    const keeper = await live();
    const pass = async (ms: number): Promise<void> => {
      now += ms / 1_000;
      await vi.advanceTimersByTimeAsync(ms);
    };
    await keeper.onEvents(one.events, positionAt(1));
    await pass(1);
    await pass(4_985);
    await keeper.onEvents(one.events.slice(-1), positionAt(2));
    await pass(10);
    // Reported together with what follows shortly, after the rows are saved.
    await keeper.onEvents(other.events, positionAt(3));
    await pass(5);
    expect(await position()).toBe(positionAt(3));
    expect((await rows()).map(({ sessionId }) => sessionId)).toEqual(["other", "one"]);
  });
});

describe("rows of a database that was made again", () => {
  it("come back, of watched sessions and of all others", async () => {
    const old = waiting("old");
    old.hook(40, "SessionEnd", { reason: "other" });
    await pipeline.appendEvents(old.events);
    now = 3 * DAY;
    const keeper = await live();
    const story = waiting("new");
    await tell(keeper, story.events);
    await keeper.save();
    expect(await rows()).toHaveLength(1);
    pipeline.store.db.sql("DELETE FROM session_snapshots").run();
    await keeper.resaveAll();
    await keeper.buildMissingRows();
    expect((await rows()).map(({ sessionId, state }) => [sessionId, state])).toEqual([
      ["old", "completed"],
      ["new", "active"],
    ]);
    expect([...keeper.watched.ids()]).toEqual(["new"]);
  });
});

describe("at its start", () => {
  it("the daemon takes up the sessions that run and those of the last day, and no others", async () => {
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
    const recent = { ...over, sessionId: "recent", lastEventAtIso: iso(3 * DAY - 60) };
    await pipeline.store.sessions.saveSessions(
      [...completed, row({ ...running, sessionId: "runs" }), row(recent)],
      positionAt(1),
    );
    now = 3 * DAY;
    const keeper = await live();
    expect([...keeper.watched.ids()].sort()).toEqual(["recent", "runs"]);
    expect(keeper.watched.snapshot("runs")).toMatchObject({ activityPhase: "waiting_permission" });
  });

  it("passes over a row of another version, and makes it again when its session is told of", async () => {
    const story = waiting();
    const keeper = await live();
    await tell(keeper, story.events);
    await keeper.save();
    pipeline.store.db.sql("UPDATE session_snapshots SET snapshot_json = '{}'").run();
    const next = await live();
    expect([...next.watched.ids()]).toEqual([]);
    const told = story.events.length;
    story.stop(40, "s1-p1");
    await tell(next, story.events.slice(told));
    expect(next.watched.snapshot("s1")).toMatchObject({ activityPhase: "interactable", turnCount: 1 });
  });
});

describe("sessions are let go", () => {
  it("a day after they ended", async () => {
    const story = waiting();
    story.hook(40, "SessionEnd", { reason: "other" });
    const keeper = await live();
    now = 41;
    await tell(keeper, story.events);
    await keeper.save();
    now = DAY - 60;
    await keeper.save();
    expect(dropped).toEqual([]);
    now = DAY + 120;
    await keeper.save();
    expect(dropped).toEqual(["s1"]);
    expect(keeper.watched.has("s1")).toBe(false);
    expect(await rows()).toMatchObject([{ state: "completed" }]);
  });

  it("not while they run, however long they say nothing", async () => {
    const keeper = await live();
    await tell(keeper, waiting().events);
    now = 30 * DAY;
    await keeper.save();
    expect(keeper.watched.snapshot("s1")).toMatchObject({ activityPhase: "waiting_permission" });
  });

  it("a day after the last word where no process is known, and their rows say that they are over", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    const keeper = await live();
    await tell(keeper, story.events);
    await keeper.save();
    expect(await rows()).toMatchObject([{ state: "active" }]);
    now = 2 * DAY;
    // Also for a session that was only restored.
    const next = await live();
    expect(next.watched.snapshot("s1")).toMatchObject({
      state: "completed",
      endedAtIso: iso(0),
      needsPerson: false,
    });
    await next.save();
    expect(dropped).toEqual(["s1"]);
    expect(await rows()).toMatchObject([{ state: "completed", activityPhase: null }]);
  });

  it("with the waits that nobody told the end of", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    story.stream(10, { eventType: "session.lifecycle", phase: "waiting_permission" });
    const keeper = await live();
    await tell(keeper, story.events);
    await keeper.save();
    const waits = (): Promise<unknown> => pipeline.store.sessions.waitsSince(iso(0));
    expect(await waits()).toMatchObject([{ startedAtIso: iso(10), endedAtIso: null }]);
    now = 2 * DAY;
    await (await live()).save();
    expect(await waits()).toMatchObject([{ startedAtIso: iso(10), endedAtIso: iso(10) }]);
  });

  it("when they are forgotten", async () => {
    const keeper = await live();
    await tell(keeper, waiting().events);
    keeper.forget(["s1"]);
    await keeper.save();
    expect(dropped).toEqual(["s1"]);
    expect(await rows()).toEqual([]);
  });
});

describe("changes", () => {
  it("are told of what runs or ended lately, not of what ended long ago and is only told now", async () => {
    const story = waiting();
    story.hook(40, "SessionEnd", { reason: "other" });
    now = 5 * DAY;
    const keeper = await live();
    await tell(keeper, story.events);
    keeper.emit();
    expect(changes).toEqual([]);
    expect(isWatched(keeper.watched.snapshot("s1")!, Date.parse(iso(now)))).toBe(false);
    await keeper.save();
    expect(await rows()).toMatchObject([{ state: "completed" }]);
  });
});
