import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { foldEvent } from "../../src/monitor/fold-event.ts";
import { readSession } from "../../src/monitor/read-session.ts";
import type { SessionSnapshot } from "../../src/monitor/session-snapshot.ts";
import { createSessionView, type SessionView } from "../../src/monitor/session-view.ts";
import { openPipeline, type Pipeline, RUNS_DIR, readRun } from "../support/pipeline.ts";

const names = readdirSync(RUNS_DIR);
const runs = new Map<string, { events: HooklineEvent[]; pipeline: Pipeline }>();

beforeAll(async () => {
  for (const name of names) {
    const pipeline = await openPipeline();
    await pipeline.ingestHooks(readRun(name));
    await pipeline.importTranscripts(join(RUNS_DIR, name, "projects"));
    const lines = readFileSync(join(pipeline.dir, "lifecycle.jsonl"), "utf8").trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line) as HooklineEvent);
    // As a daemon that ran all the time receives it.
    events.sort((a, b) =>
      a.occurredAtIso < b.occurredAtIso ? -1 : a.occurredAtIso > b.occurredAtIso ? 1 : 0,
    );
    runs.set(name, { events, pipeline });
  }
});
afterAll(async () => {
  for (const { pipeline } of runs.values()) await pipeline.close();
});

function fold(events: Iterable<HooklineEvent>): Map<string, SessionView> {
  const views = new Map<string, SessionView>();
  for (const event of events) {
    const view = views.get(event.sessionId) ?? createSessionView(event.sessionId, claude.usage);
    views.set(event.sessionId, view);
    foldEvent(view, event);
  }
  return views;
}

function snapshots(events: Iterable<HooklineEvent>, nowMs: number): SessionSnapshot[] {
  return [...fold(events).values()]
    .map((view) => readSession(view, { nowMs, quietMs: Math.max(0, nowMs - Date.parse(view.lastAt)) }))
    .sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
}

const timeOf = (event: HooklineEvent): number => Date.parse(event.occurredAtIso);

describe.each(names)("the snapshots of %s", (name) => {
  it("depend only on its events, in any order within two seconds and however often delivered", () => {
    const { events } = runs.get(name)!;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: events.length }),
        fc.array(fc.double({ min: 0, max: 2_000, noNaN: true }), {
          minLength: events.length,
          maxLength: events.length,
        }),
        fc.array(fc.nat({ max: events.length - 1 }), { maxLength: 20 }),
        fc.nat({ max: 20 * 60_000 }),
        (count, delays, again, laterMs) => {
          const delivered = events.slice(0, count);
          const nowMs = timeOf(delivered.at(-1)!) + laterMs;
          const order = delivered
            .map((event, index) => ({ event, at: timeOf(event) + delays[index]! }))
            .sort((a, b) => a.at - b.at)
            .map(({ event }) => event);
          const repeated = again
            .filter((index) => index < count)
            .map((index) => ({ event: delivered[index]!, at: index }));
          for (const { event } of repeated) {
            // Within two seconds of itself.
            const place = order.indexOf(event);
            order.splice(place + 1, 0, event);
          }
          expect(snapshots(order, nowMs)).toEqual(snapshots(delivered, nowMs));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are the same from the database as from the log", async () => {
    const { events, pipeline } = runs.get(name)!;
    const nowMs = timeOf(events.at(-1)!) + 1_000;
    const ids = [...new Set(events.map(({ sessionId }) => sessionId))].sort();
    const facts = await Promise.all(ids.map((id) => pipeline.store.sessions.sessionFacts(id)));
    const stored = facts.flatMap((ofOne) => snapshots(ofOne, nowMs));
    expect(stored.map(essence)).toEqual(snapshots(events, nowMs).map(essence));
  });
});

/** A fact with two reports has one time in the database: times may differ by the offset between two clocks. */
function essence(snapshot: SessionSnapshot): Partial<SessionSnapshot> {
  const { state, activityPhase, needsPerson, why, turnCount, toolCount, failedToolCount } = snapshot;
  const { model, tokens, cost, title, lastUserMessage, gitBranch, subagents } = snapshot;
  const running = subagents.filter(({ isRunning }) => isRunning).length;
  return {
    ...{ state, activityPhase, needsPerson, why, turnCount, toolCount, failedToolCount },
    ...{ model, tokens, cost, title, lastUserMessage, gitBranch, alsoWaiting: running },
  };
}
