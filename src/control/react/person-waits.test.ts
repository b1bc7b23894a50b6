import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { createPersonWaits, type PersonWaits } from "./person-waits.ts";

let now: Map<string, SessionSnapshot>;
let told: string[];
let waits: PersonWaits;
beforeEach(() => {
  now = new Map();
  told = [];
  waits = createPersonWaits({
    session: (sessionId) => now.get(sessionId),
    onWait: ({ sessionId, waiting }) => void told.push(`${sessionId} ${waiting?.requestId}`),
    delayMs: 20,
  });
});
afterEach(() => waits.close());

function is(sessionId: string, requestId: string | null): void {
  const waiting = requestId === null ? null : { requestId };
  const snapshot = { sessionId, needsPerson: requestId !== null, waiting } as unknown as SessionSnapshot;
  now.set(sessionId, snapshot);
  waits.sessionChanged(snapshot);
}

it("tells once of each wait, however often the session changes meanwhile", async () => {
  is("a", "r1");
  is("a", "r1");
  await expect.poll(() => told).toEqual(["a r1"]);
  is("a", "r1");
  await sleep(60);
  expect(told).toEqual(["a r1"]);
  is("a", "r2");
  await expect.poll(() => told).toEqual(["a r1", "a r2"]);
});

it("tells nothing of what was answered at once, or when it is closed", async () => {
  is("a", "r1");
  is("a", null);
  is("b", "r2");
  // Answered, but not reported yet.
  now.delete("b");
  await sleep(60);
  is("c", "r3");
  waits.close();
  await sleep(60);
  expect(told).toEqual([]);
});

it("takes a request that gets its name for the same, and tells of the next one", async () => {
  is("a", "registry:a:1");
  await expect.poll(() => told).toEqual(["a registry:a:1"]);
  is("a", "r1");
  await sleep(60);
  expect(told).toEqual(["a registry:a:1"]);
  is("a", null);
  is("a", "r2");
  await expect.poll(() => told).toEqual(["a registry:a:1", "a r2"]);
});
