import { describe, expect, it } from "vitest";
import { ago, card, recordedRequest, snapshot, waitingSnapshotOf } from "./snapshot.testing.ts";
import { groupEqual, isAnswerable, recordedRequests, toWaitingRequests } from "./waiting-requests.ts";

const session = waitingSnapshotOf(
  [
    recordedRequest("permission", "masked one", { requestId: "r1", sinceIso: ago(50) }),
    recordedRequest("permission", "masked two", { requestId: "r2", sinceIso: ago(40), description: "Two" }),
  ],
  { sessionId: "a" },
);

describe("waiting requests", () => {
  it("come from cards, or from the record without a card, joined only by id", () => {
    const raw = card({ id: "r1", sessionId: "a", toolUseId: "toolu_1", input: { command: "raw" } });
    const fresh = card({ id: "r3", sessionId: "a", input: { command: "new" }, sinceIso: ago(1) });
    const requests = toWaitingRequests([fresh, raw], [session]);
    expect(requests.map(({ id, text }) => [id, text])).toEqual([
      ["r2", "masked two"],
      ["r1", "raw"],
      ["r3", "new"],
    ]);
    expect(requests.map(isAnswerable)).toEqual([false, true, true]);
    expect(requests[0]!.parts).toEqual([
      { role: "tool", name: "tool", text: "Bash" },
      { role: "description", name: "description", text: "Two" },
      { role: "field", name: "recorded", text: "masked two" },
    ]);
  });

  it("exclude settled requests and sessions that don't need a person", () => {
    expect(toWaitingRequests([card({ status: "settled" })], [{ ...session, needsPerson: false }])).toEqual(
      [],
    );
  });

  it("are grouped if they read the same and are answered in the same place", () => {
    const base = { sessionId: "a", input: { command: "make" } };
    const cards = [
      card({ ...base, id: "r1", sinceIso: ago(9) }),
      card({ ...base, id: "r2", sinceIso: ago(8) }),
      card({ ...base, id: "r3", sinceIso: ago(7), status: "terminal", whyTerminal: "released" }),
      card({ ...base, id: "r4", sinceIso: ago(6), agentId: "a1" }),
      card({ ...base, id: "r5", sinceIso: ago(5), sessionId: "b" }),
    ];
    const groups = groupEqual(toWaitingRequests(cards, []));
    expect(groups.map(({ ids }) => ids)).toEqual([["r1", "r2"], ["r3"], ["r4"], ["r5"]]);
  });

  it("fall back to the single request in an older daemon's snapshot", () => {
    const [first] = session.requests;
    expect(recordedRequests({ ...session, requests: [] })).toEqual([first]);
    expect(recordedRequests(snapshot())).toEqual([]);
  });
});
