import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { createPersonWaits, type PersonWaits } from "./person-waits.ts";

let sessions: Map<string, SessionSnapshot>;
let reported: string[];
let waits: PersonWaits;
beforeEach(() => {
  sessions = new Map();
  reported = [];
  waits = createPersonWaits({
    session: (sessionId) => sessions.get(sessionId),
    onWait: ({ sessionId, waiting }) => void reported.push(`${sessionId} ${waiting?.requestId}`),
    delayMs: 20,
  });
});
afterEach(() => waits.close());

function setRequest(sessionId: string, requestId: string | null): void {
  const waiting = requestId === null ? null : { requestId };
  const snapshot = { sessionId, needsPerson: requestId !== null, waiting } as unknown as SessionSnapshot;
  sessions.set(sessionId, snapshot);
  waits.sessionChanged(snapshot);
}

it("reports each wait once, however often the session changes", async () => {
  setRequest("a", "r1");
  setRequest("a", "r1");
  await expect.poll(() => reported).toEqual(["a r1"]);
  setRequest("a", "r1");
  await sleep(60);
  expect(reported).toEqual(["a r1"]);
  setRequest("a", "r2");
  await expect.poll(() => reported).toEqual(["a r1", "a r2"]);
});

it("reports nothing for a wait that is answered immediately, or after close", async () => {
  setRequest("a", "r1");
  setRequest("a", null);
  setRequest("b", "r2");
  // Answered, but not reported yet.
  sessions.delete("b");
  await sleep(60);
  setRequest("c", "r3");
  waits.close();
  await sleep(60);
  expect(reported).toEqual([]);
});

it("treats a request that gets its id as the same wait, and reports the next one", async () => {
  setRequest("a", "registry:a:1");
  await expect.poll(() => reported).toEqual(["a registry:a:1"]);
  setRequest("a", "r1");
  await sleep(60);
  expect(reported).toEqual(["a registry:a:1"]);
  setRequest("a", null);
  setRequest("a", "r2");
  await expect.poll(() => reported).toEqual(["a registry:a:1", "a r2"]);
});
