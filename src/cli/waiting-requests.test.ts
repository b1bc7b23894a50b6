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

describe("the requests that wait", () => {
  it("are of cards, and of the record where there is no card, joined by id alone", () => {
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

  it("are neither those that were settled nor those of a session that waits for nobody", () => {
    expect(toWaitingRequests([card({ status: "settled" })], [{ ...session, needsPerson: false }])).toEqual(
      [],
    );
  });

  it("are one where they read the same, and answered in the same place", () => {
    const one = { sessionId: "a", input: { command: "make" } };
    const cards = [
      card({ ...one, id: "r1", sinceIso: ago(9) }),
      card({ ...one, id: "r2", sinceIso: ago(8) }),
      card({ ...one, id: "r3", sinceIso: ago(7), status: "terminal", whyTerminal: "released" }),
      card({ ...one, id: "r4", sinceIso: ago(6), agentId: "a1" }),
      card({ ...one, id: "r5", sinceIso: ago(5), sessionId: "b" }),
    ];
    const groups = groupEqual(toWaitingRequests(cards, []));
    expect(groups.map(({ ids }) => ids)).toEqual([["r1", "r2"], ["r3"], ["r4"], ["r5"]]);
  });

  it("are the one that waits in the snapshot of a daemon that names no others", () => {
    const [first] = session.requests;
    expect(recordedRequests({ ...session, requests: [] })).toEqual([first]);
    expect(recordedRequests(snapshot())).toEqual([]);
  });
});
