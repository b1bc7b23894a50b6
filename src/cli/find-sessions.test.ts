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
const labelsFor = (state: string): string[] =>
  sessions
    .filter((session) => matchesFilter(session, toSessionFilter({ state, all: true }), NOW))
    .map((session) => stateBadge(session).label);

describe("--state", () => {
  it("accepts every label that lists show, and finds exactly the sessions with it", () => {
    expect(new Set(sessions.map((session) => stateBadge(session).label))).toEqual(new Set(STATE_LABELS));
    for (const word of STATE_LABELS) expect(new Set(labelsFor(word)), word).toEqual(new Set([word]));
    expect(labelsFor("idle")).toEqual(["idle", "idle"]);
    expect(labelsFor("done, lost")).toEqual(["done", "lost"]);
  });

  it("also accepts the API's states, and lists the labels for an unknown word", () => {
    expect(labelsFor("completed")).toEqual(["done", "failed"]);
    expect(labelsFor("active")).toHaveLength(sessions.length - 2);
    expect(labelsFor("failed")).toEqual(["failed", "failed"]);
    expect(() => labelsFor("sleepy")).toThrow(/permission, question, .*idle, done, lost, not "sleepy"/);
  });
});
