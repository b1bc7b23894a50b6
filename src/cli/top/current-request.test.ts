import { describe, expect, it } from "vitest";
import type { Card } from "../../control/control-contract.ts";
import { ago, card, NOW, waitingSnapshot } from "../snapshot.testing.ts";
import { updateCurrentRequest } from "./current-request.ts";
import { NO_DATA, type TopData } from "./top-data.ts";
import { INITIAL_VIEW, type TopView } from "./top-view.ts";

const early = card({ id: "r1", sessionId: "a", input: { command: "one" }, sinceIso: ago(50) });
const late = card({ id: "r2", sessionId: "a", input: { command: "two" }, sinceIso: ago(40) });
const session = { ...waitingSnapshot("permission", "one", { sessionId: "a" }), requests: [], waiting: null };
const other = {
  ...waitingSnapshot("permission", "x", { sessionId: "b", sinceIso: ago(900) }),
  requests: [],
  waiting: null,
};

const data = (cards: readonly Card[], sessions = [session]): TopData => ({
  ...NO_DATA,
  source: { type: "live" },
  sessions: new Map(sessions.map((entry) => [entry.sessionId, entry])),
  cards,
});
const idOf = (view: TopView): string | undefined => view.current?.requestId;

describe("the current request", () => {
  it("stays while it is pending, whatever else arrives", () => {
    const first = updateCurrentRequest(INITIAL_VIEW, data([late]), NOW);
    expect(idOf(first)).toBe("r2");
    expect(updateCurrentRequest(first, data([early, late]), NOW)).toBe(first);
    const elsewhere = card({ id: "r9", sessionId: "b", sinceIso: ago(900) });
    expect(idOf(updateCurrentRequest(first, data([elsewhere, late], [other, session]), NOW))).toBe("r2");
  });

  it("is replaced only some time after it ended", () => {
    const first = updateCurrentRequest(INITIAL_VIEW, data([early, late]), NOW);
    const ended = updateCurrentRequest(first, data([late]), NOW + 10);
    expect(ended.current).toMatchObject({ requestId: "r1", endedMs: NOW + 10 });
    expect(idOf(updateCurrentRequest(ended, data([late]), NOW + 500))).toBe("r1");
    expect(updateCurrentRequest(ended, data([late]), NOW + 2_000).current).toMatchObject({
      requestId: "r2",
      endedMs: null,
    });
    expect(updateCurrentRequest(ended, data([]), NOW + 2_000).current).toBeNull();
  });

  it("drops the note about the previous request", () => {
    const first = updateCurrentRequest(INITIAL_VIEW, data([early]), NOW);
    const answered = updateCurrentRequest({ ...first, note: "Bash: allowed." }, data([]), NOW);
    expect(answered.note).toBe("Bash: allowed.");
    const gone = updateCurrentRequest(answered, data([]), NOW + 900);
    expect([idOf(gone), gone.note]).toEqual([undefined, "Bash: allowed."]);
    const next = updateCurrentRequest(gone, data([late]), NOW + 1_000);
    expect([idOf(next), next.note]).toEqual(["r2", null]);
  });

  it("continues with an equal request, under its id", () => {
    const twin = card({ id: "r3", sessionId: "a", input: { command: "one" }, sinceIso: ago(30) });
    const first = updateCurrentRequest(INITIAL_VIEW, data([early, late, twin]), NOW);
    expect(idOf(first)).toBe("r1");
    expect(updateCurrentRequest(first, data([late, twin]), NOW).current).toMatchObject({
      requestId: "r3",
      endedMs: null,
    });
  });

  it("is initially one that can be answered here", () => {
    const released = { ...early, status: "terminal", whyTerminal: "released" } as const;
    expect(idOf(updateCurrentRequest(INITIAL_VIEW, data([released, late]), NOW))).toBe("r2");
    expect(idOf(updateCurrentRequest(INITIAL_VIEW, data([released]), NOW))).toBe("r1");
  });
});
