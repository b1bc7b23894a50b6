import { expect, it } from "vitest";
import { snapshotOf } from "../../serve/snapshot.testing.ts";
import { groupOf } from "../../shown/session-groups.ts";
import { sessionStatusOf, sinceOf } from "./session-status.ts";

it("measures a session's age from its last state change, not its last event", () => {
  const [since, later, ended] = ["10", "20", "30"].map((minute) => `2026-01-01T00:${minute}:00.000Z`);
  const idle = { sinceIso: since!, lastEventAtIso: later! };
  expect(sinceOf(snapshotOf("s", idle))).toBe(since);
  expect(sinceOf(snapshotOf("s", { ...idle, endedAtIso: ended! }))).toBe(ended);
});

it("shows a session that ended with a failed turn as failed and done", () => {
  const over = snapshotOf("s", { state: "completed", activityPhase: null, needsPerson: false });
  const failed = { ...over, error: { kind: "unknown", message: "API Error: 400", atIso: "" } };
  expect([sessionStatusOf(over).key, sessionStatusOf(failed).key]).toEqual(["completed", "failed"]);
  expect([groupOf(over), groupOf(failed)]).toEqual(["done", "done"]);
});
