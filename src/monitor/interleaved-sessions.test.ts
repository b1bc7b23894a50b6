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

const DAY = 86_400;

let pipeline: Pipeline;
let held: HeldRows;
let keeper: SessionTracker;
let now = 0;
let isImporting = false;
let changes: SessionSnapshot[] = [];
let troubles: unknown[] = [];

beforeEach(async () => {
  pipeline = await openPipeline();
  held = holdRows(() => pipeline.store.sessions);
  [now, isImporting, changes, troubles] = [0, false, [], []];
  keeper = await live();
});
afterEach(async () => {
  await keeper.close();
  await pipeline.close();
});

function live(): Promise<SessionTracker> {
  return openSessionTracker({
    prices: claude.usage,
    rows: (work) => work(held.rows),
    nowMs: () => Date.parse(iso(now)),
    monotonicMs: () => 1e9 + now * 1_000,
    onChange: (snapshot) => changes.push(snapshot),
    onDrop: () => undefined,
    onError: (error) => troubles.push(error),
    isImporting: () => isImporting,
  });
}

function begun(sessionId = "s1"): Story {
  const story = createStory(sessionId);
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, `${sessionId}-p1`, "clean up");
  return story;
}

/** Like the daemon: first log and store, then the monitor. */
async function tell(events: readonly HooklineEvent[], next = 1): Promise<void> {
  await pipeline.appendEvents(events);
  await keeper.onEvents(events, positionAt(next));
}

/** One more turn of a story, with its text. */
function turn(story: Story, at: number, prompt: string): readonly HooklineEvent[] {
  const told = story.events.length;
  story.prompt(at, `${story.view.sessionId}-p${at}`, prompt);
  return story.events.slice(told);
}

const rows = async (): Promise<SessionSnapshot[]> =>
  (await pipeline.store.sessions.sessionRows({ limit: 1_000 })).map((json) =>
    SessionSnapshot.parse(JSON.parse(json)),
  );
const row = async (sessionId = "s1") => (await rows()).find((one) => one.sessionId === sessionId);
const position = () => pipeline.store.sessions.monitorPosition();

/** Restarts the tracker: sessions are known only by their rows. */
async function restart(): Promise<void> {
  await keeper.close();
  keeper = await live();
}

describe("while rows are being saved", () => {
  it("the position stays behind what is told meanwhile, and moves with the next save", async () => {
    const stories = Array.from({ length: 150 }, (_, n) => begun(`s${n}`));
    await tell(
      stories.flatMap(({ events }) => events),
      10,
    );
    const firstPart = held.hold("saveSessions");
    const saved = keeper.save();
    await firstPart.reached;
    now = 60;
    await tell(turn(stories[0]!, 60, "more"), 20);
    firstPart.release();
    await saved;
    expect(await position()).toBe(positionAt(10));
    expect(await row("s0")).toMatchObject({ lastUserMessage: "clean up" });
    await keeper.save();
    expect(await position()).toBe(positionAt(20));
    expect(await row("s0")).toMatchObject({ lastUserMessage: "more" });
    expect(await rows()).toHaveLength(150);
  });

  it("a failure in the middle leaves the position, and the rest is saved with the next", async () => {
    const stories = Array.from({ length: 150 }, (_, n) => begun(`s${n}`));
    await tell(
      stories.flatMap(({ events }) => events),
      10,
    );
    const firstPart = held.hold("saveSessions");
    const saved = keeper.save();
    await firstPart.reached;
    const lastPart = held.hold("saveSessions");
    firstPart.release();
    await lastPart.reached;
    // The response is lost; whether the store applied the write is unknown.
    pipeline.store.db.sql("DELETE FROM session_snapshots WHERE session_id = 's149'").run();
    lastPart.fail(new Error("database is locked"));
    await saved;
    expect(troubles).toHaveLength(1);
    await keeper.save();
    expect([(await rows()).length, await position()]).toEqual([150, positionAt(10)]);
  });

  it("nobody else saves: an older row never comes after a newer one", async () => {
    const story = begun();
    await tell(story.events, 1);
    const first = held.hold("saveSessions");
    const saved = keeper.save();
    await first.reached;
    await tell(turn(story, 60, "more"), 2);
    const [again, refilled] = [keeper.resaveAll(), keeper.buildMissingRows()];
    await Promise.resolve();
    expect(held.calls.filter((name) => name === "saveSessions" || name === "buildSessionRow")).toHaveLength(
      1,
    );
    first.release();
    await Promise.all([saved, again, refilled]);
    expect(await row()).toMatchObject({ lastUserMessage: "more" });
    expect(await position()).toBe(positionAt(2));
  });

  it("the store may be made again: every row is in the new one", async () => {
    const stories = Array.from({ length: 150 }, (_, n) => begun(`s${n}`));
    await tell(
      stories.flatMap(({ events }) => events),
      1,
    );
    const first = held.hold("saveSessions");
    const saved = keeper.save();
    await first.reached;
    pipeline.store.db.sql("DELETE FROM session_snapshots").run();
    const again = keeper.resaveAll();
    first.release();
    await Promise.all([saved, again]);
    expect(await rows()).toHaveLength(150);
  });

  it("it may be closed: what was told until then is saved", async () => {
    const story = begun();
    await tell(story.events, 1);
    const first = held.hold("saveSessions");
    void keeper.save();
    await first.reached;
    await tell(turn(story, 60, "more"), 2);
    const closed = keeper.close();
    first.release();
    await closed;
    expect(await row()).toMatchObject({ lastUserMessage: "more" });
    expect(await position()).toBe(positionAt(2));
  });

  it("a session that is over stays as long as its row says that it runs", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    await tell(story.events);
    await keeper.save();
    now = 2 * DAY;
    const over = held.hold("saveSessions");
    const saved = keeper.save();
    await over.reached;
    expect(keeper.watched.has("s1")).toBe(true);
    over.release();
    await saved;
    expect(keeper.watched.has("s1")).toBe(false);
    expect(await row()).toMatchObject({ state: "completed" });
  });

  it("another session that is over by then stays until its own row says so", async () => {
    const [one, other] = [createStory("one"), createStory("other")];
    one.stream(0, { eventType: "turn.start", prompt: "go" });
    other.stream(3_600, { eventType: "turn.start", prompt: "go" });
    await tell(one.events);
    now = 3_600;
    await tell(other.events);
    await keeper.save();
    now = DAY + 60;
    const over = held.hold("saveSessions");
    const saved = keeper.save();
    await over.reached;
    now = 2 * DAY;
    over.release();
    await saved;
    expect([...keeper.watched.ids()]).toEqual(["other"]);
    await keeper.save();
    expect([...keeper.watched.ids()]).toEqual([]);
    expect((await rows()).map(({ state }) => state)).toEqual(["completed", "completed"]);
  });

  it("a session that was over stays when something is told of it", async () => {
    const story = createStory();
    story.stream(0, { eventType: "turn.start", prompt: "go" });
    await tell(story.events);
    await keeper.save();
    now = 2 * DAY;
    const over = held.hold("saveSessions");
    const saved = keeper.save();
    await over.reached;
    const told = story.events.length;
    story.stream(now, { eventType: "turn.start", prompt: "go on" });
    await tell(story.events.slice(told));
    over.release();
    await saved;
    expect(keeper.watched.snapshot("s1")).toMatchObject({ state: "active" });
    await keeper.save();
    expect(await row()).toMatchObject({ state: "active" });
  });
});

describe("while a view is read for a batch", () => {
  it("later batches wait behind it, and the position with them", async () => {
    const [one, other] = [begun("one"), begun("other")];
    await tell([...one.events, ...other.events], 1);
    await restart();
    await tell(turn(other, 50, "awake"), 2);
    await keeper.save();
    const reading = held.hold("sessionFacts");
    const first = tell(turn(one, 60, "first"), 3);
    await reading.reached;
    const second = tell(turn(other, 61, "second"), 4);
    await pipeline.appendEvents([]);
    keeper.emit();
    expect(keeper.watched.snapshot("other")).toMatchObject({ lastUserMessage: "awake" });
    await keeper.resaveAll();
    expect(await position()).toBe(positionAt(2));
    reading.release();
    await Promise.all([first, second]);
    expect(keeper.watched.snapshot("one")).toMatchObject({ lastUserMessage: "first" });
    expect(keeper.watched.snapshot("other")).toMatchObject({ lastUserMessage: "second" });
    await keeper.save();
    expect(await position()).toBe(positionAt(4));
  });

  it("is applied at once when no view is missing", async () => {
    const story = begun();
    await tell(story.events);
    const more = turn(story, 60, "more");
    await pipeline.appendEvents(more);
    void keeper.onEvents(more, positionAt(2));
    expect(keeper.watched.snapshot("s1")).toMatchObject({ lastUserMessage: "more" });
  });

  it("what is forgotten does not come back with it", async () => {
    const story = begun();
    await tell(story.events, 1);
    await restart();
    const reading = held.hold("sessionFacts");
    const told = tell(turn(story, 60, "secret"), 2);
    await reading.reached;
    pipeline.store.facts.removeSession("s1");
    keeper.forget(["s1"]);
    reading.release();
    await told;
    await keeper.save();
    expect(keeper.watched.has("s1")).toBe(false);
    expect(await rows()).toEqual([]);
    expect(changes.filter(({ lastUserMessage }) => lastUserMessage === "secret")).toEqual([]);
  });

  it("a failure is the batch's own: the next one is applied", async () => {
    const [one, other] = [begun("one"), begun("other")];
    const reading = held.hold("sessionFacts");
    const first = tell(one.events);
    await reading.reached;
    await pipeline.appendEvents(other.events);
    const second = keeper.onEvents(other.events, undefined);
    reading.fail(new Error("database is locked"));
    await expect(first).rejects.toThrow("locked");
    await second;
    expect([keeper.watched.has("one"), keeper.watched.has("other")]).toEqual([false, true]);
  });

  it("it may be closed: the batch is applied and saved", async () => {
    const story = begun();
    await tell(story.events, 1);
    await restart();
    const reading = held.hold("sessionFacts");
    const told = tell(turn(story, 60, "last"), 2);
    await reading.reached;
    const closed = keeper.close();
    // As far as it gets without the response.
    await new Promise((resolve) => setImmediate(resolve));
    reading.release();
    await Promise.all([told, closed]);
    expect(await row()).toMatchObject({ lastUserMessage: "last" });
    expect(await position()).toBe(positionAt(2));
  });
});

describe("while a view is read for an answer", () => {
  it("what is told meanwhile is in it", async () => {
    const story = begun();
    await tell(story.events);
    await restart();
    const reading = held.hold("sessionFacts");
    const woken = keeper.wake(
      () => ["s1"],
      () => keeper.watched.snapshot("s1"),
    );
    await reading.reached;
    await tell(turn(story, 60, "more"));
    reading.release();
    expect(await woken).toMatchObject({ lastUserMessage: "more" });
  });

  it("a session that is forgotten meanwhile stays forgotten", async () => {
    await tell(begun().events);
    await restart();
    const reading = held.hold("sessionFacts");
    const woken = keeper.wake(
      () => ["s1"],
      () => keeper.watched.view("s1"),
    );
    await reading.reached;
    keeper.forget(["s1"]);
    reading.release();
    expect(await woken).toBeUndefined();
    expect(keeper.watched.has("s1")).toBe(false);
  });

  it("what is left of one that is forgotten in part is read again", async () => {
    const story = begun();
    turn(story, 30, "secret");
    turn(story, 40, "harmless");
    await tell(story.events);
    await restart();
    const reading = held.hold("sessionFacts");
    const woken = keeper.wake(
      () => ["s1"],
      () => keeper.watched.view("s1"),
    );
    await reading.reached;
    pipeline.store.db.sql("DELETE FROM facts WHERE event_json LIKE '%secret%'").run();
    pipeline.store.db.sql("DELETE FROM session_snapshots").run();
    keeper.forget(["s1"]);
    await keeper.buildMissingRows();
    expect(keeper.watched.isAsleep("s1")).toBe(true);
    reading.release();
    expect((await woken)!.prompts.size).toBe(2);
  });
});

describe("while missing rows are made", () => {
  it("what is forgotten is neither shown nor kept", async () => {
    await pipeline.appendEvents(begun().events);
    const making = held.hold("buildSessionRow");
    const filled = keeper.buildMissingRows();
    await making.reached;
    pipeline.store.facts.removeSession("s1");
    keeper.forget(["s1"]);
    making.release();
    await filled;
    expect([keeper.watched.has("s1"), await rows(), changes]).toEqual([false, [], []]);
  });

  it("what is told is newer than what was read, in the book and in the row", async () => {
    const story = begun();
    await pipeline.appendEvents(story.events);
    const making = held.hold("buildSessionRow");
    const filled = keeper.buildMissingRows();
    await making.reached;
    await tell(turn(story, 60, "more"));
    making.release();
    await filled;
    expect(keeper.watched.snapshot("s1")).toMatchObject({ lastUserMessage: "more" });
    await keeper.save();
    expect(await row()).toMatchObject({ lastUserMessage: "more" });
  });

  it("of an import, the position waits until they are there", async () => {
    const old = createStory("old");
    const content = "long ago";
    old.line(1, { type: "user", uuid: "u1", promptId: "p1", message: { role: "user", content } });
    isImporting = true;
    await tell(old.events, 1);
    isImporting = false;
    const making = held.hold("buildSessionRow");
    const read = keeper.readImported();
    await making.reached;
    const story = begun("new");
    await tell(story.events, 2);
    const saved = keeper.save();
    making.release();
    await Promise.all([read, saved]);
    expect(await position()).toBeUndefined();
    await tell(turn(story, 60, "more"), 3);
    await keeper.save();
    expect(await position()).toBe(positionAt(3));
    expect(await row("old")).toMatchObject({ lastUserMessage: "long ago" });
  });
});

describe("while a page of sessions is read", () => {
  const ask = (onWatched?: (snapshots: readonly SessionSnapshot[]) => void) =>
    querySessions(keeper.watched, (work) => work(held.rows), { limit: 100 }, onWatched);

  it("a session that is let go is still on it, and one that begins is on it once", async () => {
    const over = begun("over");
    over.hook(40, "SessionEnd", { reason: "other" });
    await tell(over.events);
    await keeper.save();
    now = 2 * DAY;
    const reading = held.hold("sessionRows");
    const page = ask();
    await reading.reached;
    await keeper.save();
    expect(keeper.watched.has("over")).toBe(false);
    await tell(begun("new").events);
    reading.release();
    const ids = (await page).sessions.map(({ sessionId }) => sessionId);
    expect(ids.sort()).toEqual(["new", "over"]);
  });

  it("one that was saved and is told of is on it once, as it is now", async () => {
    const story = begun();
    story.hook(40, "SessionEnd", { reason: "other" });
    await tell(story.events);
    await keeper.save();
    now = 2 * DAY;
    await keeper.save();
    const reading = held.hold("sessionRows");
    const page = ask();
    await reading.reached;
    await tell(turn(story, now, "again"));
    reading.release();
    expect((await page).sessions).toMatchObject([{ sessionId: "s1", lastUserMessage: "again" }]);
  });

  it("it reports what it shows in the same turn: an older state never after a newer one", async () => {
    const story = begun();
    await tell(story.events);
    const turns = Array.from({ length: 20 }, (_, n) => turn(story, 60 + n, `turn ${60 + n}`));
    await pipeline.appendEvents(turns.flat());
    const reading = held.hold("sessionRows");
    const page = ask((watched) => {
      keeper.emit();
      changes.push(...watched);
    });
    await reading.reached;
    changes = [];
    reading.release();
    // One in each step between the store's response and the page's.
    for (const events of turns) {
      void keeper.onEvents(events, undefined);
      keeper.emit();
      await Promise.resolve();
    }
    const [shown] = (await page).sessions;
    const told = changes.map(({ lastUserMessage }) => lastUserMessage!);
    expect(told).toContain(shown!.lastUserMessage);
    expect(told).toEqual(told.toSorted());
  });
});
