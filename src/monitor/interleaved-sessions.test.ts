import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { positionAt } from "../../test/support/position.ts";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { type HeldRows, holdRows } from "./held-rows.testing.ts";
import { querySessions } from "./query-sessions.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

const DAY_S = 86_400;

let pipeline: Pipeline;
let held: HeldRows;
let tracker: SessionTracker;
let now = 0;
let isImporting = false;
let changes: SessionSnapshot[] = [];
let errors: unknown[] = [];

beforeEach(async () => {
  pipeline = await openPipeline();
  held = holdRows(() => pipeline.store.sessions);
  [now, isImporting, changes, errors] = [0, false, [], []];
  tracker = await openTracker();
});
afterEach(async () => {
  await tracker.close();
  await pipeline.close();
});

function openTracker(): Promise<SessionTracker> {
  return openSessionTracker({
    prices: claude.usage,
    rows: (work) => work(held.rows),
    nowMs: () => Date.parse(iso(now)),
    monotonicMs: () => 1e9 + now * 1_000,
    onChange: (snapshot) => changes.push(snapshot),
    onDrop: () => undefined,
    onError: (error) => errors.push(error),
    isImporting: () => isImporting,
  });
}

function startedStory(sessionId = "s1"): Story {
  const story = createStory(sessionId);
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, `${sessionId}-p1`, "clean up");
  return story;
}

/** Like the daemon: appends to log and store, then feeds the tracker. */
async function applyEvents(events: readonly HooklineEvent[], next = 1): Promise<void> {
  await pipeline.appendEvents(events);
  await tracker.onEvents(events, positionAt(next));
}

/** One more turn of a story, with its text. */
function turn(story: Story, at: number, prompt: string): readonly HooklineEvent[] {
  const before = story.events.length;
  story.prompt(at, `${story.view.sessionId}-p${at}`, prompt);
  return story.events.slice(before);
}

const rows = async (): Promise<SessionSnapshot[]> =>
  (await pipeline.store.sessions.sessionRows({ limit: 1_000 })).map((json) =>
    SessionSnapshot.parse(JSON.parse(json)),
  );
const row = async (sessionId = "s1") => (await rows()).find((snapshot) => snapshot.sessionId === sessionId);
const position = () => pipeline.store.sessions.monitorPosition();

/** Restarts the tracker: sessions are known only by their rows. */
async function restart(): Promise<void> {
  await tracker.close();
  tracker = await openTracker();
}

describe("while rows are being saved", () => {
  it("the position excludes events that arrive meanwhile, and moves with the next save", async () => {
    const stories = Array.from({ length: 150 }, (_, n) => startedStory(`s${n}`));
    await applyEvents(
      stories.flatMap(({ events }) => events),
      10,
    );
    const firstPart = held.hold("saveSessions");
    const saved = tracker.save();
    await firstPart.reached;
    now = 60;
    await applyEvents(turn(stories[0]!, 60, "more"), 20);
    firstPart.release();
    await saved;
    expect(await position()).toBe(positionAt(10));
    expect(await row("s0")).toMatchObject({ lastUserMessage: "clean up" });
    await tracker.save();
    expect(await position()).toBe(positionAt(20));
    expect(await row("s0")).toMatchObject({ lastUserMessage: "more" });
    expect(await rows()).toHaveLength(150);
  });

  it("a failure partway keeps the position, and the next save writes the rest", async () => {
    const stories = Array.from({ length: 150 }, (_, n) => startedStory(`s${n}`));
    await applyEvents(
      stories.flatMap(({ events }) => events),
      10,
    );
    const firstPart = held.hold("saveSessions");
    const saved = tracker.save();
    await firstPart.reached;
    const lastPart = held.hold("saveSessions");
    firstPart.release();
    await lastPart.reached;
    // The response is lost; whether the store applied the write is unknown.
    pipeline.store.db.sql("DELETE FROM session_snapshots WHERE session_id = 's149'").run();
    lastPart.fail(new Error("database is locked"));
    await saved;
    expect(errors).toHaveLength(1);
    await tracker.save();
    expect([(await rows()).length, await position()]).toEqual([150, positionAt(10)]);
  });

  it("other saves wait, so an older row never overwrites a newer one", async () => {
    const story = startedStory();
    await applyEvents(story.events, 1);
    const first = held.hold("saveSessions");
    const saved = tracker.save();
    await first.reached;
    await applyEvents(turn(story, 60, "more"), 2);
    const [resaved, rebuilt] = [tracker.resaveAll(), tracker.buildMissingRows()];
    await Promise.resolve();
    expect(held.calls.filter((name) => name === "saveSessions" || name === "buildSessionRow")).toHaveLength(
      1,
    );
    first.release();
    await Promise.all([saved, resaved, rebuilt]);
    expect(await row()).toMatchObject({ lastUserMessage: "more" });
    expect(await position()).toBe(positionAt(2));
  });

  it("the store may be rebuilt: every row is in the new one", async () => {
    const stories = Array.from({ length: 150 }, (_, n) => startedStory(`s${n}`));
    await applyEvents(
      stories.flatMap(({ events }) => events),
      1,
    );
    const first = held.hold("saveSessions");
    const saved = tracker.save();
    await first.reached;
    pipeline.store.db.sql("DELETE FROM session_snapshots").run();
    const resaved = tracker.resaveAll();
    first.release();
    await Promise.all([saved, resaved]);
    expect(await rows()).toHaveLength(150);
  });

  it("closing saves everything applied until then", async () => {
    const story = startedStory();
    await applyEvents(story.events, 1);
    const first = held.hold("saveSessions");
    void tracker.save();
    await first.reached;
    await applyEvents(turn(story, 60, "more"), 2);
    const closed = tracker.close();
    first.release();
    await closed;
    expect(await row()).toMatchObject({ lastUserMessage: "more" });
    expect(await position()).toBe(positionAt(2));
  });

  it("a session that is over stays until its row says so", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    await applyEvents(story.events);
    await tracker.save();
    now = 2 * DAY_S;
    const over = held.hold("saveSessions");
    const saved = tracker.save();
    await over.reached;
    expect(tracker.watched.has("s1")).toBe(true);
    over.release();
    await saved;
    expect(tracker.watched.has("s1")).toBe(false);
    expect(await row()).toMatchObject({ state: "completed" });
  });

  it("another session that ends meanwhile stays until its own row says so", async () => {
    const [first, other] = [createStory("one"), createStory("other")];
    first.stream(0, { eventType: "turn.start", prompt: "go" });
    other.stream(3_600, { eventType: "turn.start", prompt: "go" });
    await applyEvents(first.events);
    now = 3_600;
    await applyEvents(other.events);
    await tracker.save();
    now = DAY_S + 60;
    const over = held.hold("saveSessions");
    const saved = tracker.save();
    await over.reached;
    now = 2 * DAY_S;
    over.release();
    await saved;
    expect([...tracker.watched.ids()]).toEqual(["other"]);
    await tracker.save();
    expect([...tracker.watched.ids()]).toEqual([]);
    expect((await rows()).map(({ state }) => state)).toEqual(["completed", "completed"]);
  });

  it("a session that was over stays when an event arrives", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    await applyEvents(story.events);
    await tracker.save();
    now = 2 * DAY_S;
    const over = held.hold("saveSessions");
    const saved = tracker.save();
    await over.reached;
    const before = story.events.length;
    story.stream(now, { eventType: "turn.start", prompt: "go on" });
    await applyEvents(story.events.slice(before));
    over.release();
    await saved;
    expect(tracker.watched.snapshot("s1")).toMatchObject({ state: "active" });
    await tracker.save();
    expect(await row()).toMatchObject({ state: "active" });
  });
});

describe("while a view is read for a batch", () => {
  it("later batches and the position wait for it", async () => {
    const [story, other] = [startedStory("one"), startedStory("other")];
    await applyEvents([...story.events, ...other.events], 1);
    await restart();
    await applyEvents(turn(other, 50, "awake"), 2);
    await tracker.save();
    const reading = held.hold("sessionFacts");
    const first = applyEvents(turn(story, 60, "first"), 3);
    await reading.reached;
    const second = applyEvents(turn(other, 61, "second"), 4);
    await pipeline.appendEvents([]);
    tracker.emit();
    expect(tracker.watched.snapshot("other")).toMatchObject({ lastUserMessage: "awake" });
    await tracker.resaveAll();
    expect(await position()).toBe(positionAt(2));
    reading.release();
    await Promise.all([first, second]);
    expect(tracker.watched.snapshot("one")).toMatchObject({ lastUserMessage: "first" });
    expect(tracker.watched.snapshot("other")).toMatchObject({ lastUserMessage: "second" });
    await tracker.save();
    expect(await position()).toBe(positionAt(4));
  });

  it("a batch is applied in the same tick when no view is missing", async () => {
    const story = startedStory();
    await applyEvents(story.events);
    const more = turn(story, 60, "more");
    await pipeline.appendEvents(more);
    void tracker.onEvents(more, positionAt(2));
    expect(tracker.watched.snapshot("s1")).toMatchObject({ lastUserMessage: "more" });
  });

  it("a forgotten session does not come back with it", async () => {
    const story = startedStory();
    await applyEvents(story.events, 1);
    await restart();
    const reading = held.hold("sessionFacts");
    const applied = applyEvents(turn(story, 60, "secret"), 2);
    await reading.reached;
    pipeline.store.facts.removeSession("s1");
    tracker.forget(["s1"]);
    reading.release();
    await applied;
    await tracker.save();
    expect(tracker.watched.has("s1")).toBe(false);
    expect(await rows()).toEqual([]);
    expect(changes.filter(({ lastUserMessage }) => lastUserMessage === "secret")).toEqual([]);
  });

  it("a failure affects only that batch: the next one is applied", async () => {
    const [story, other] = [startedStory("one"), startedStory("other")];
    const reading = held.hold("sessionFacts");
    const first = applyEvents(story.events);
    await reading.reached;
    await pipeline.appendEvents(other.events);
    const second = tracker.onEvents(other.events, undefined);
    reading.fail(new Error("database is locked"));
    await expect(first).rejects.toThrow("locked");
    await second;
    expect([tracker.watched.has("one"), tracker.watched.has("other")]).toEqual([false, true]);
  });

  it("closing waits until the batch is applied and saved", async () => {
    const story = startedStory();
    await applyEvents(story.events, 1);
    await restart();
    const reading = held.hold("sessionFacts");
    const applied = applyEvents(turn(story, 60, "last"), 2);
    await reading.reached;
    const closed = tracker.close();
    // It proceeds as far as it can without the response.
    await new Promise((resolve) => setImmediate(resolve));
    reading.release();
    await Promise.all([applied, closed]);
    expect(await row()).toMatchObject({ lastUserMessage: "last" });
    expect(await position()).toBe(positionAt(2));
  });
});

describe("while a view is read for a query", () => {
  it("the result includes events applied meanwhile", async () => {
    const story = startedStory();
    await applyEvents(story.events);
    await restart();
    const reading = held.hold("sessionFacts");
    const woken = tracker.wake(
      () => ["s1"],
      () => tracker.watched.snapshot("s1"),
    );
    await reading.reached;
    await applyEvents(turn(story, 60, "more"));
    reading.release();
    expect(await woken).toMatchObject({ lastUserMessage: "more" });
  });

  it("a session that is forgotten meanwhile stays forgotten", async () => {
    await applyEvents(startedStory().events);
    await restart();
    const reading = held.hold("sessionFacts");
    const woken = tracker.wake(
      () => ["s1"],
      () => tracker.watched.view("s1"),
    );
    await reading.reached;
    tracker.forget(["s1"]);
    reading.release();
    expect(await woken).toBeUndefined();
    expect(tracker.watched.has("s1")).toBe(false);
  });

  it("what remains of a partly forgotten session is read again", async () => {
    const story = startedStory();
    turn(story, 30, "secret");
    turn(story, 40, "harmless");
    await applyEvents(story.events);
    await restart();
    const reading = held.hold("sessionFacts");
    const woken = tracker.wake(
      () => ["s1"],
      () => tracker.watched.view("s1"),
    );
    await reading.reached;
    pipeline.store.db.sql("DELETE FROM facts WHERE event_json LIKE '%secret%'").run();
    pipeline.store.db.sql("DELETE FROM session_snapshots").run();
    tracker.forget(["s1"]);
    await tracker.buildMissingRows();
    expect(tracker.watched.isAsleep("s1")).toBe(true);
    reading.release();
    expect((await woken)!.prompts.size).toBe(2);
  });
});

describe("while missing rows are built", () => {
  it("a forgotten session is neither shown nor stored", async () => {
    await pipeline.appendEvents(startedStory().events);
    const building = held.hold("buildSessionRow");
    const built = tracker.buildMissingRows();
    await building.reached;
    pipeline.store.facts.removeSession("s1");
    tracker.forget(["s1"]);
    building.release();
    await built;
    expect([tracker.watched.has("s1"), await rows(), changes]).toEqual([false, [], []]);
  });

  it("events applied meanwhile win, in the tracker and in the row", async () => {
    const story = startedStory();
    await pipeline.appendEvents(story.events);
    const building = held.hold("buildSessionRow");
    const built = tracker.buildMissingRows();
    await building.reached;
    await applyEvents(turn(story, 60, "more"));
    building.release();
    await built;
    expect(tracker.watched.snapshot("s1")).toMatchObject({ lastUserMessage: "more" });
    await tracker.save();
    expect(await row()).toMatchObject({ lastUserMessage: "more" });
  });

  it("the position waits for the rows of an import", async () => {
    const old = createStory("old");
    const content = "long ago";
    old.line(1, { type: "user", uuid: "u1", promptId: "p1", message: { role: "user", content } });
    isImporting = true;
    await applyEvents(old.events, 1);
    isImporting = false;
    const building = held.hold("buildSessionRow");
    const read = tracker.readImported();
    await building.reached;
    const story = startedStory("new");
    await applyEvents(story.events, 2);
    const saved = tracker.save();
    building.release();
    await Promise.all([read, saved]);
    expect(await position()).toBeUndefined();
    await applyEvents(turn(story, 60, "more"), 3);
    await tracker.save();
    expect(await position()).toBe(positionAt(3));
    expect(await row("old")).toMatchObject({ lastUserMessage: "long ago" });
  });
});

describe("while a page of sessions is read", () => {
  const queryPage = (onWatched?: (snapshots: readonly SessionSnapshot[]) => void) =>
    querySessions(tracker.watched, (work) => work(held.rows), { limit: 100 }, onWatched);

  it("a session that is dropped is still on it, and a new one is on it once", async () => {
    const over = startedStory("over");
    over.hook(40, "SessionEnd", { reason: "other" });
    await applyEvents(over.events);
    await tracker.save();
    now = 2 * DAY_S;
    const reading = held.hold("sessionRows");
    const page = queryPage();
    await reading.reached;
    await tracker.save();
    expect(tracker.watched.has("over")).toBe(false);
    await applyEvents(startedStory("new").events);
    reading.release();
    const ids = (await page).sessions.map(({ sessionId }) => sessionId);
    expect(ids.sort()).toEqual(["new", "over"]);
  });

  it("a saved session with new events is on it once, in its current state", async () => {
    const story = startedStory();
    story.hook(40, "SessionEnd", { reason: "other" });
    await applyEvents(story.events);
    await tracker.save();
    now = 2 * DAY_S;
    await tracker.save();
    const reading = held.hold("sessionRows");
    const page = queryPage();
    await reading.reached;
    await applyEvents(turn(story, now, "again"));
    reading.release();
    expect((await page).sessions).toMatchObject([{ sessionId: "s1", lastUserMessage: "again" }]);
  });

  it("it reports what it shows in the same tick, so an older state never follows a newer one", async () => {
    const story = startedStory();
    await applyEvents(story.events);
    const turns = Array.from({ length: 20 }, (_, n) => turn(story, 60 + n, `turn ${60 + n}`));
    await pipeline.appendEvents(turns.flat());
    const reading = held.hold("sessionRows");
    const page = queryPage((watched) => {
      tracker.emit();
      changes.push(...watched);
    });
    await reading.reached;
    changes = [];
    reading.release();
    // One batch in each microtask between the store's response and the page's.
    for (const events of turns) {
      void tracker.onEvents(events, undefined);
      tracker.emit();
      await Promise.resolve();
    }
    const [shown] = (await page).sessions;
    const reported = changes.map(({ lastUserMessage }) => lastUserMessage!);
    expect(reported).toContain(shown!.lastUserMessage);
    expect(reported).toEqual(reported.toSorted());
  });
});
