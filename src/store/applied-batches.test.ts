import { expect, it } from "vitest";
import type { LogBatch } from "../log/log.ts";
import { createAppliedBatchListeners } from "./applied-batches.ts";
import type { ApplyResult } from "./facts.ts";

const event = { id: "e", eventType: "turn.end", sessionId: "s" };
const batch = { lines: [JSON.stringify(event), "", "{torn"], part: 1, next: "p" } as unknown as LogBatch;
const result = { events: 1, refused: 0, bad: [] } as unknown as ApplyResult;

it("notifies listeners one after the other, also after one that failed", async () => {
  const calls: string[] = [];
  const applied = createAppliedBatchListeners((error) => calls.push(`error: ${(error as Error).message}`));
  applied.add(async ({ next }) => {
    await new Promise((resolve) => setImmediate(resolve));
    calls.push(`first ${next}`);
  });
  applied.add(() => {
    throw new Error("second");
  });
  applied.add(() => Promise.reject(new Error("third")));
  applied.add(() => void calls.push("fourth"));
  await applied.notify(result, batch);
  expect(calls).toEqual(["first p", "error: second", "error: third", "fourth"]);
});
