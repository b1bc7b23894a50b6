import { describe, expect, it } from "vitest";
import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { snapshotOf } from "../../serve/snapshot.testing.ts";
import { countAttention, groupEqual, isLost, joinRequests, textKey } from "./requests.ts";

type Recorded = SessionSnapshot["requests"][number];

const isoAt = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

function recorded(requestId: string, second: number): Recorded {
  return {
    kind: "permission",
    requestId,
    toolName: "Bash",
    toolUseId: null,
    text: `recorded ${requestId}`,
    description: null,
    questions: [],
    agentId: null,
    agentType: null,
    sinceIso: isoAt(second),
  };
}

function cardOf(id: string, second: number, overrides: Partial<Card> = {}): Card {
  return {
    id,
    sessionId: "s",
    source: "terminal",
    kind: "permission",
    toolName: "Bash",
    toolUseId: null,
    input: { command: `raw ${id}` },
    questions: [],
    plan: null,
    reason: null,
    rule: null,
    agentId: null,
    agentType: null,
    projectPath: null,
    cwd: null,
    sinceIso: isoAt(second),
    untilIso: null,
    status: "pending",
    whyTerminal: null,
    inputBytes: 10,
    settled: null,
    ...overrides,
  };
}

function session(...requests: Recorded[]): ReadonlyMap<string, SessionSnapshot> {
  return new Map([["s", snapshotOf("s", { needsPerson: requests.length > 0, requests })]]);
}

describe("requests on a page", () => {
  it("shows a request once when the registry reports it before its card arrives", () => {
    const sessions = session(recorded("registry:s:1", 1));
    expect(joinRequests(sessions, []).map(({ key }) => key)).toEqual(["registry:s:1"]);
    expect(joinRequests(sessions, [cardOf("a", 2)]).map(({ key }) => key)).toEqual(["a"]);
    const lost = cardOf("a", 2, { status: "lost" });
    expect(joinRequests(sessions, [lost]).map(({ key }) => key)).toEqual(["registry:s:1", "a"]);
  });

  it("joins requests and cards only by id", () => {
    const joined = joinRequests(session(recorded("a", 1), recorded("b", 2)), [cardOf("b", 2)]);
    expect(joined.map(({ key, card }) => [key, card?.id ?? null])).toEqual([
      ["a", null],
      ["b", "b"],
    ]);
  });

  it("includes cards that the session does not list yet, longest wait first", () => {
    const joined = joinRequests(session(recorded("b", 2)), [cardOf("c", 3), cardOf("a", 1)]);
    expect(joined.map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  it("lists lost requests last, and a failed turn as an item of its own", () => {
    const failed = new Map([["s", snapshotOf("s", { needsPerson: true, requests: [] })]]);
    const joined = joinRequests(failed, [cardOf("a", 1, { status: "lost" }), cardOf("b", 2)]);
    expect(joined.map((request) => [request.key, isLost(request)])).toEqual([
      ["failed:s", false],
      ["b", false],
      ["a", true],
    ]);
  });

  it("counts sessions and requests, without failed turns among requests and without lost ones", () => {
    const failed = new Map([["s", snapshotOf("s", { needsPerson: true })]]);
    const overrides = { sessionId: "t" };
    const cards = [
      cardOf("a", 1, { ...overrides, status: "lost" }),
      cardOf("b", 2, overrides),
      cardOf("c", 3, overrides),
    ];
    expect(countAttention(joinRequests(failed, cards))).toEqual({ sessions: 2, requests: 2, all: 3 });
  });

  it("drops settled requests even if the session's record still lists them", () => {
    const sessions = session(recorded("a", 1), recorded("b", 2));
    const keys = (...cards: Card[]) => joinRequests(sessions, cards, new Set(["a"])).map(({ key }) => key);
    expect(keys(cardOf("b", 2))).toEqual(["b"]);
    expect(keys(cardOf("a", 1), cardOf("b", 2))).toEqual(["a", "b"]);
  });

  it("groups requests that show the same in the same session and state", () => {
    const same = { input: { command: "npm ci" } };
    const all = joinRequests(new Map(), [
      cardOf("a", 1, same),
      cardOf("b", 2, same),
      cardOf("c", 3, { ...same, sessionId: "other" }),
      cardOf("d", 4, { ...same, agentId: "x" }),
      cardOf("e", 5, { ...same, status: "terminal", whyTerminal: "released" }),
      cardOf("f", 6, { input: { command: "npm  ci" } }),
    ]);
    expect(all).toHaveLength(6);
    expect(groupEqual(all).map(({ ids }) => ids)).toEqual([["a", "b"], ["c"], ["d"], ["e"], ["f"]]);
  });

  it("has a text key that changes with anything shown", () => {
    const keys = [
      cardOf("a", 1),
      cardOf("a", 1, { toolName: "Write" }),
      cardOf("a", 1, { agentId: "x" }),
      cardOf("a", 1, { input: { command: "raw a", timeout: 1 } }),
    ].map(textKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(textKey(cardOf("b", 2, { input: { command: "raw a" } }))).toBe(keys[0]);
  });
});
