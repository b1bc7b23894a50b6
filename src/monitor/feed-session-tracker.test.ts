import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPipeline, type Pipeline } from "../../test/support/pipeline.ts";
import { claude } from "../agents/claude/claude.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import type { LogBatch } from "../log/log.ts";
import { type AppliedBatch, type AppliedListener, eventsOf } from "../store/applied-batches.ts";
import { feedSessionTracker } from "./feed-session-tracker.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { openSessionTracker, type SessionTracker } from "./session-tracker.ts";
import { ATTENDED, createStory, iso, type Story } from "./story.testing.ts";

let pipeline: Pipeline;
let story: Story;
let changes: SessionSnapshot[] = [];
let troubles: unknown[] = [];
let isBroken = false;

const logPath = (): string => join(pipeline.dir, "lifecycle.jsonl");

beforeEach(async () => {
  pipeline = await openPipeline();
  [changes, troubles, isBroken] = [[], [], false];
  story = createStory("s1");
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "s1-p1", "clean up");
});
afterEach(() => pipeline.close());

interface Life {
  readonly sessions: SessionTracker;
  readonly tell: AppliedListener;
}

/** A daemon run that has caught up with the log. It ends as with `kill -9`: nothing is saved at its end. */
async function live(): Promise<Life> {
  const sessions = await openSessionTracker({
    prices: claude.usage,
    rows: async (work) => {
      if (isBroken) throw new Error("the disk cannot be read");
      return work(pipeline.store.sessions);
    },
    nowMs: () => Date.parse(iso(60)),
    monotonicMs: () => 1e9,
    onChange: (snapshot) => changes.push(snapshot),
    onDrop: () => undefined,
    onError: (error) => troubles.push(error),
  });
  const level = Promise.withResolvers<void>();
  const caughtUp: SessionTracker = {
    ...sessions,
    async buildMissingRows() {
      await sessions.buildMissingRows();
      level.resolve();
    },
  };
  const tell = feedSessionTracker(caughtUp, {
    log: openFileLogReader(logPath()),
    savedPosition: () => pipeline.store.sessions.monitorPosition(),
    onError: (error) => troubles.push(error),
  });
  await level.promise;
  return { sessions, tell };
}

/** The rest of the story reaches log and store. */
async function record(more: () => void): Promise<void> {
  const told = story.events.length;
  more();
  await pipeline.appendEvents(story.events.slice(told));
}

const asks = (): void => {
  story.call(30, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
  story.asks(31, "rm -r dist", { prompt_id: "s1-p1" });
};
const WAITS = { activityPhase: "waiting_permission", needsPerson: true };

describe("a session whose row was made of its facts", () => {
  it("is shown as the log has it, however often the daemon is killed before it saves", async () => {
    await pipeline.appendEvents(story.events);
    const first = await live();
    expect(first.sessions.watched.snapshot("s1")).toMatchObject({ activityPhase: "busy" });
    await record(asks);
    const second = await live();
    expect(second.sessions.watched.snapshot("s1")).toMatchObject(WAITS);
    await record(() => story.stop(40, "s1-p1"));
    const third = await live();
    expect(third.sessions.watched.snapshot("s1")).toMatchObject({ activityPhase: "interactable" });
    expect(troubles).toEqual([]);
  });

  it("is made again where an earlier version saved rows and no position", async () => {
    await pipeline.appendEvents(story.events);
    await live();
    pipeline.store.db.sql("DELETE FROM log_positions WHERE reader = 'monitor'").run();
    await record(asks);
    const { sessions } = await live();
    expect(sessions.watched.snapshot("s1")).toMatchObject(WAITS);
  });

  it("is shown as it is in a database that was made again, also while nothing is heard of it", async () => {
    await pipeline.appendEvents(story.events);
    await (await live()).sessions.save();
    const { sessions } = await live();
    const { db } = pipeline.store;
    await record(asks);
    for (const table of ["session_snapshots", "log_positions"])
      db.sql(`DELETE FROM ${table} WHERE ${table === "log_positions" ? "reader = 'monitor'" : "true"}`).run();
    await sessions.resaveAll();
    await sessions.buildMissingRows();
    expect(sessions.watched.snapshot("s1")).toMatchObject(WAITS);
    expect(changes.at(-1)).toMatchObject(WAITS);
    expect(await pipeline.store.sessions.monitorPosition()).toBeDefined();
  });
});

describe("the saved position", () => {
  it("does not pass a batch that could not be told", async () => {
    await pipeline.appendEvents(story.events);
    const { sessions, tell } = await live();
    const before = await pipeline.store.sessions.monitorPosition();
    expect(before).toBeDefined();
    isBroken = true;
    const lost = await recordAll(asks);
    await expect(tell(lost)).rejects.toThrow("cannot be read");
    isBroken = false;
    await tell(await recordAll(() => story.prompt(40, "s1-p2", "go on")));
    await sessions.save();
    expect(await pipeline.store.sessions.monitorPosition()).toBe(before);
    expect(sessions.watched.snapshot("s1")).toMatchObject({ lastUserMessage: "go on", turnCount: 2 });
  });
});

/** Like `record`; returns what a listener receives. */
async function recordAll(more: () => void): Promise<AppliedBatch> {
  const from = await pipeline.store.facts.position();
  await record(more);
  const { value } = await openFileLogReader(logPath()).read(from).next();
  const batch = value as LogBatch;
  const result = { events: 1, lastEventIso: null, invalidLines: [], refused: 0 };
  return { events: eventsOf(batch), next: batch.next, batch, result };
}
