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

function open(told: readonly string[], failures = 0) {
  const log: string[] = [];
  const done: string[] = [];
  let failing = failures;
  const hold = openDelayedAppender({
    append: async (events) => {
      if (failing-- > 0) throw new Error("disk full");
      log.push(...events.map(({ id }) => id));
    },
    findReported: async (events) => new Set(events.map(({ id }) => id).filter((id) => told.includes(id))),
    onAppended: async () => undefined,
    onError: (error) => done.push((error as Error).message),
    delayMs: 50,
  });
  const append = (...events: HooklineEvent[]) => hold.append(events);
  return { hold, log, done, append };
}

describe("what a live transcript tells", () => {
  it("is logged at once where no hook could tell it, and a moment later where none did", async () => {
    const { log, append } = open(["known"]);
    await append(event("known", "tool.start"), event("m", "assistant.message"), event("new", "tool.start"));
    expect(log).toEqual(["m"]);
    await expect.poll(() => log).toEqual(["m", "new"]);
  });

  it("has its place saved only when all before it is in the log or need not be", async () => {
    const { hold, log, done, append } = open([]);
    await hold.after(async () => void done.push("nothing held"));
    expect(done).toEqual(["nothing held"]);
    await append(event("a", "turn.start"));
    await hold.after(async () => void done.push(`saved with ${log.length}`));
    expect(done).toHaveLength(1);
    await hold.flush();
    expect(done).toEqual(["nothing held", "saved with 1"]);
  });

  it("is tried again when it cannot be appended, and loses nothing", async () => {
    const { hold, log, done, append } = open([], 1);
    await append(event("a", "turn.start"));
    await hold.after(async () => void done.push("saved"));
    await hold.flush();
    expect([log, done]).toEqual([[], ["disk full"]]);
    await expect.poll(() => [log, done]).toEqual([["a"], ["disk full", "saved"]]);
  });
});
