import { describe, expect, it } from "vitest";
import { snapshotOf } from "../../serve/snapshot.testing.ts";
import { waitDurationMs } from "../../shown/wait-duration.ts";
import { findSessions, fromQuery, isFiltered, type SessionFilter, toHref } from "./session-filter.ts";

const NOW = Date.parse("2026-01-02T00:00:00.000Z");
const filterOf = (query: string): SessionFilter => fromQuery(new URLSearchParams(query));
const isoAt = (hour: number): string => `2026-01-01T${String(hour).padStart(2, "0")}:00:00.000Z`;
const waiting = {
  kind: "permission" as const,
  requestId: "r",
  toolName: "Bash",
  toolUseId: null,
  text: "ls",
  questions: [],
  description: null,
  agentId: null,
  agentType: null,
  sinceIso: isoAt(23),
};

const sessions = [
  snapshotOf("busy", { title: "Fix the retry", lastEventAtIso: isoAt(5) }),
  snapshotOf("asks", {
    activityPhase: "waiting_permission",
    needsPerson: true,
    waiting,
    lastEventAtIso: isoAt(23),
    cost: { micros: 5, source: "reported", unpricedModels: [] },
  }),
  snapshotOf("over", {
    state: "completed",
    activityPhase: null,
    title: "결제 재시도",
    projectPath: "/home/dev/other",
    lastEventAtIso: isoAt(9),
    cost: { micros: null, source: "unpriced", unpricedModels: ["x"] },
  }),
  snapshotOf("gone", {
    state: "lost",
    activityPhase: null,
    humanWaitMs: 9_000_000,
    lastEventAtIso: isoAt(1),
  }),
];
const foundIds = (query: string): string[] =>
  findSessions(sessions, filterOf(query), NOW).found.map(({ sessionId }) => sessionId);

describe("the session filter", () => {
  it("survives a round trip through the URL", () => {
    const query = "show=needYou%2Clost&project=%2Fhome%2Fdev%2Facme-shop&q=a+b&since=d&sort=cost.up";
    expect(toHref(filterOf(query))).toBe(`/sessions?${query}`);
    expect([toHref(filterOf("")), isFiltered(filterOf("sort=cost")), isFiltered(filterOf("q=a"))]).toEqual([
      "/sessions",
      false,
      true,
    ]);
  });

  it("treats dated and undated model names as one", () => {
    const sessionsByModel = ["claude-opus-5-5", "claude-opus-5-5-20260901", "claude-haiku-4-5"].map((model) =>
      snapshotOf(model, { model }),
    );
    for (const model of ["opus-5.5", "claude-opus-5-5"]) {
      const { counts } = findSessions(sessionsByModel, filterOf(`model=${model}`), NOW);
      expect(counts.busy).toBe(2);
      expect(toHref(filterOf(`model=${model}`))).toBe("/sessions?model=opus-5.5");
    }
  });

  it("ignores unknown values in the URL", () => {
    expect(filterOf("show=evil&since=evil&sort=evil")).toEqual(filterOf(""));
  });

  it("filters by state, by words of title and project, and by time", () => {
    expect(foundIds("show=needYou,lost")).toEqual(["asks", "gone"]);
    expect(foundIds("q=RETRY+fix")).toEqual(["busy"]);
    expect(foundIds("q=재시도")).toEqual(["over"]);
    expect(foundIds("q=other")).toEqual(["over"]);
    expect(foundIds("since=h")).toEqual(["asks"]);
  });

  it("counts the states of all sessions that match the other filters", () => {
    const { counts } = findSessions(sessions, filterOf("show=lost&project=/home/dev/acme-shop"), NOW);
    expect(counts).toEqual({ needYou: 1, busy: 1, parked: 0, idle: 0, done: 0, lost: 1 });
  });

  it("sorts by last event, by cost with unpriced sessions last, and by waiting time including the current wait", () => {
    expect(foundIds("")).toEqual(["asks", "over", "busy", "gone"]);
    expect(foundIds("sort=last.up")).toEqual(["gone", "busy", "over", "asks"]);
    expect(foundIds("sort=cost").slice(0, 1)).toEqual(["asks"]);
    expect(foundIds("sort=cost").at(-1)).toBe("over");
    expect(foundIds("sort=wait").slice(0, 2)).toEqual(["gone", "asks"]);
    expect(waitDurationMs(sessions[1]!, NOW)).toBe(3_600_000);
  });

  it("counts an idle session that needs a person among those that need you", () => {
    const failed = snapshotOf("f", { state: "idle", activityPhase: "failed", needsPerson: true });
    expect(findSessions([failed], filterOf(""), NOW).counts.needYou).toBe(1);
  });
});
