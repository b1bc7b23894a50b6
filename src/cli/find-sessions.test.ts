import { describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../serve/contract.ts";
import { matchesFilter, toSessionFilter } from "./find-sessions.ts";
import { NOW, snapshot, waitingSnapshot } from "./snapshot.testing.ts";
import { STATE_LABELS, stateBadge } from "./state-badge.ts";

const sessions: readonly SessionSnapshot[] = [
  waitingSnapshot("permission", "ls"),
  waitingSnapshot("question", "Which?"),
  waitingSnapshot("plan", "A plan"),
  ...(["failed", "rate_limited", "busy", "compacting", "parked", "interactable"] as const).map(
    (activityPhase) => snapshot({ activityPhase }),
  ),
  snapshot({ state: "idle", activityPhase: "busy" }),
  snapshot({ state: "completed", activityPhase: null }),
  snapshot({ state: "lost", activityPhase: null }),
  snapshot({ state: "completed", activityPhase: null, error: { kind: "unknown", message: null, atIso: "" } }),
];
const wordsOf = (state: string): string[] =>
  sessions
    .filter((one) => matchesFilter(one, toSessionFilter({ state, all: true }), NOW))
    .map((one) => stateBadge(one).label);

describe("--state", () => {
  it("takes every word that a list shows, and finds exactly the sessions that are shown so", () => {
    expect(new Set(sessions.map((one) => stateBadge(one).label))).toEqual(new Set(STATE_LABELS));
    for (const word of STATE_LABELS) expect(new Set(wordsOf(word)), word).toEqual(new Set([word]));
    expect(wordsOf("idle")).toEqual(["idle", "idle"]);
    expect(wordsOf("done, lost")).toEqual(["done", "lost"]);
  });

  it("still takes the words of the API, and names those that are shown when it takes none", () => {
    expect(wordsOf("completed")).toEqual(["done", "failed"]);
    expect(wordsOf("active")).toHaveLength(sessions.length - 2);
    expect(wordsOf("failed")).toEqual(["failed", "failed"]);
    expect(() => wordsOf("sleepy")).toThrow(/permission, question, .*idle, done, lost, not "sleepy"/);
  });
});
