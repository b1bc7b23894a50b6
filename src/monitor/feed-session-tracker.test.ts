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
let errors: unknown[] = [];
let isStoreFailing = false;

const logPath = (): string => join(pipeline.dir, "lifecycle.jsonl");

beforeEach(async () => {
  pipeline = await openPipeline();
  [changes, errors, isStoreFailing] = [[], [], false];
  story = createStory("s1");
  story.hook(0, "SessionStart", { source: "startup" }, ATTENDED);
  story.prompt(1, "s1-p1", "clean up");
});
afterEach(() => pipeline.close());

interface DaemonRun {
  readonly sessions: SessionTracker;
  readonly onApplied: AppliedListener;
}

/** Starts a daemon run that has caught up with the log. It ends as with `kill -9`: nothing is saved. */
async function startRun(): Promise<DaemonRun> {
  const sessions = await openSessionTracker({
    prices: claude.usage,
    rows: async (work) => {
      if (isStoreFailing) throw new Error("disk read failed");
      return work(pipeline.store.sessions);
    },
    nowMs: () => Date.parse(iso(60)),
    monotonicMs: () => 1e9,
    onChange: (snapshot) => changes.push(snapshot),
    onDrop: () => undefined,
    onError: (error) => errors.push(error),
  });
  const whenCaughtUp = Promise.withResolvers<void>();
  const tracker: SessionTracker = {
    ...sessions,
    async buildMissingRows() {
      await sessions.buildMissingRows();
      whenCaughtUp.resolve();
    },
  };
  const onApplied = feedSessionTracker(tracker, {
    log: openFileLogReader(logPath()),
    savedPosition: () => pipeline.store.sessions.monitorPosition(),
    onError: (error) => errors.push(error),
  });
  await whenCaughtUp.promise;
  return { sessions, onApplied };
}

/** Records what `continueStory` adds in log and store. */
async function record(continueStory: () => void): Promise<void> {
  const recorded = story.events.length;
  continueStory();
  await pipeline.appendEvents(story.events.slice(recorded));
}

const requestPermission = (): void => {
  story.startCall(30, "s1-t1", "rm -r dist", { prompt_id: "s1-p1" });
  story.requestPermission(31, "rm -r dist", { prompt_id: "s1-p1" });
};
const WAITING = { activityPhase: "waiting_permission", needsPerson: true };

describe("a session whose row was built from its facts", () => {
  it("matches the log however often the daemon is killed before it saves", async () => {
    await pipeline.appendEvents(story.events);
    const first = await startRun();
    expect(first.sessions.watched.snapshot("s1")).toMatchObject({ activityPhase: "busy" });
    await record(requestPermission);
    const second = await startRun();
    expect(second.sessions.watched.snapshot("s1")).toMatchObject(WAITING);
    await record(() => story.stop(40, "s1-p1"));
    const third = await startRun();
    expect(third.sessions.watched.snapshot("s1")).toMatchObject({ activityPhase: "interactable" });
    expect(errors).toEqual([]);
  });

  it("is rebuilt where an earlier version saved rows without a position", async () => {
    await pipeline.appendEvents(story.events);
    await startRun();
    pipeline.store.db.sql("DELETE FROM log_positions WHERE reader = 'monitor'").run();
    await record(requestPermission);
    const { sessions } = await startRun();
    expect(sessions.watched.snapshot("s1")).toMatchObject(WAITING);
  });

  it("is current in a rebuilt database, even without new events", async () => {
    await pipeline.appendEvents(story.events);
    await (await startRun()).sessions.save();
    const { sessions } = await startRun();
    const { db } = pipeline.store;
    await record(requestPermission);
    for (const table of ["session_snapshots", "log_positions"])
      db.sql(`DELETE FROM ${table} WHERE ${table === "log_positions" ? "reader = 'monitor'" : "true"}`).run();
    await sessions.resaveAll();
    await sessions.buildMissingRows();
    expect(sessions.watched.snapshot("s1")).toMatchObject(WAITING);
    expect(changes.at(-1)).toMatchObject(WAITING);
    expect(await pipeline.store.sessions.monitorPosition()).toBeDefined();
  });
});

describe("the saved position", () => {
  it("does not move past a batch that failed", async () => {
    await pipeline.appendEvents(story.events);
    const { sessions, onApplied } = await startRun();
    const before = await pipeline.store.sessions.monitorPosition();
    expect(before).toBeDefined();
    isStoreFailing = true;
    const failedBatch = await recordAsBatch(requestPermission);
    await expect(onApplied(failedBatch)).rejects.toThrow("disk read failed");
    isStoreFailing = false;
    await onApplied(await recordAsBatch(() => story.prompt(40, "s1-p2", "go on")));
    await sessions.save();
    expect(await pipeline.store.sessions.monitorPosition()).toBe(before);
    expect(sessions.watched.snapshot("s1")).toMatchObject({ lastUserMessage: "go on", turnCount: 2 });
  });
});

/** Like `record`, but returns the batch that a listener receives. */
async function recordAsBatch(continueStory: () => void): Promise<AppliedBatch> {
  const from = await pipeline.store.facts.position();
  await record(continueStory);
  const { value } = await openFileLogReader(logPath()).read(from).next();
  const batch = value as LogBatch;
  const result = { events: 1, lastEventIso: null, invalidLines: [], refused: 0 };
  return { events: eventsOf(batch), next: batch.next, batch, result };
}
