import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HooklineEvent } from "../event/event.ts";
import { openDelayedAppender } from "./delayed-appender.ts";

const event = (id: string, eventType: string): HooklineEvent => ({
  v: 1,
  id,
  eventType,
  occurredAtIso: "2026-11-15T03:00:00.000Z",
  sessionId: "s",
  provider: "claude",
  projectPath: null,
  cwd: null,
  origin: "transcript",
});

function open(reportedIds: readonly string[], failures = 0) {
  const log: string[] = [];
  const notes: string[] = [];
  let failuresLeft = failures;
  const appender = openDelayedAppender({
    append: async (events) => {
      if (failuresLeft-- > 0) throw new Error("disk full");
      log.push(...events.map(({ id }) => id));
    },
    findReported: async (events) =>
      new Set(events.map(({ id }) => id).filter((id) => reportedIds.includes(id))),
    onAppended: async () => undefined,
    onError: (error) => notes.push((error as Error).message),
    delayMs: 50,
  });
  const append = (...events: HooklineEvent[]) => appender.append(events);
  return { appender: appender, log, notes: notes, append };
}

describe("openDelayedAppender", () => {
  it("appends events at once that no hook reports, and others after the delay if none did", async () => {
    const { log, append } = open(["known"]);
    await append(event("known", "tool.start"), event("m", "assistant.message"), event("new", "tool.start"));
    expect(log).toEqual(["m"]);
    await expect.poll(() => log).toEqual(["m", "new"]);
  });

  it("runs `after` only when everything before it is in the log or redundant", async () => {
    const { appender, log, notes, append } = open([]);
    await appender.after(async () => void notes.push("nothing held"));
    expect(notes).toEqual(["nothing held"]);
    await append(event("a", "turn.start"));
    await appender.after(async () => void notes.push(`saved with ${log.length}`));
    expect(notes).toHaveLength(1);
    await appender.flush();
    expect(notes).toEqual(["nothing held", "saved with 1"]);
  });

  it("retries a failed append and loses nothing", async () => {
    const { appender, log, notes, append } = open([], 1);
    await append(event("a", "turn.start"));
    await appender.after(async () => void notes.push("saved"));
    await appender.flush();
    expect([log, notes]).toEqual([[], ["disk full"]]);
    await expect.poll(() => [log, notes]).toEqual([["a"], ["disk full", "saved"]]);
  });

  it("loses and repeats nothing when a batch is due during a failing append of an earlier one", async () => {
    const log: string[] = [];
    const failing = Promise.withResolvers<void>();
    let attempts = 0;
    const appender = openDelayedAppender({
      append: async (events) => {
        if (++attempts === 1) await failing.promise;
        log.push(...events.map(({ id }) => id));
      },
      findReported: async () => new Set(),
      onAppended: async () => undefined,
      onError: () => undefined,
      delayMs: 50,
    });
    await appender.append([event("a", "turn.start")]);
    await expect.poll(() => attempts).toBe(1);
    await appender.append([event("b", "turn.start")]);
    await setTimeout(100);
    await appender.append([event("c", "turn.start")]);
    await setTimeout(20);
    failing.reject(new Error("disk full"));
    await setTimeout(20);
    await appender.close();
    expect(log).toEqual(["a", "b", "c"]);
  });
});
