import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statusLine as source } from "../agents/claude/status-line.ts";
import { NO_LIMITS } from "../monitor/limits.ts";
import { agentStatusLine } from "./agent-status-line.ts";
import { NOW, snapshot, waitingSnapshot } from "./snapshot.testing.ts";
import { localMidnight, sessionCountsText, statusLine } from "./status-line.ts";

const limits = {
  fiveHour: { usedPercent: 35.2, resetsAtIso: "2026-11-15T14:00:00.000Z" },
  sevenDay: { usedPercent: 12, resetsAtIso: "2026-11-19T14:00:00.000Z" },
};
const sessions = [
  waitingSnapshot("permission", "ls"),
  waitingSnapshot("question", "Which?"),
  ...[1, 2, 3].map(() => snapshot({ activityPhase: "busy" })),
  snapshot({ activityPhase: "parked" }),
  ...[1, 2, 3, 4].map(() => snapshot()),
  snapshot({ state: "completed", activityPhase: null }),
];
const cost = { micros: 4_120_000, source: "reported", unpricedModels: [] } as const;

describe("the line for a status bar", () => {
  it("shows who needs you, today's cost and the used limits", () => {
    expect(statusLine(sessions, { ...cost, unpricedModels: [] }, limits, NOW)).toBe(
      "2 need you · 3 busy · 1 parked · 4 idle | $4.12 today | 5h 35% · 7d 12%",
    );
  });

  it("omits every part that is zero or unknown", () => {
    const unpriced = { micros: null, source: "unpriced", unpricedModels: ["x"] } as const;
    expect(statusLine(sessions.slice(0, 1), { ...unpriced, unpricedModels: ["x"] }, NO_LIMITS, NOW)).toBe(
      "1 needs you",
    );
    expect(statusLine([], null, { ...limits, fiveHour: null }, NOW)).toBe("7d 12%");
    expect(statusLine([], { ...cost, micros: 0, unpricedModels: [] }, NO_LIMITS, NOW)).toBe("");
    expect(sessionCountsText([], NOW)).toBe("");
  });

  it("counts sessions lost within a day, but not completed ones", () => {
    const lostAgo = (hours: number) =>
      snapshot({
        state: "lost",
        activityPhase: null,
        lastEventAtIso: new Date(NOW - hours * 3_600_000).toISOString(),
      });
    expect(sessionCountsText([...sessions, lostAgo(1), lostAgo(23), lostAgo(25)], NOW)).toBe(
      "2 need you · 3 busy · 1 parked · 4 idle · 2 lost",
    );
  });

  it("starts the day at local midnight", () => {
    const midnight = new Date(localMidnight(NOW));
    expect([midnight.getHours(), midnight.getMinutes(), midnight.getMilliseconds()]).toEqual([0, 0, 0]);
    expect(NOW - midnight.getTime()).toBeLessThan(25 * 3_600_000);
  });
});

describe("the status line of Claude Code", () => {
  const fixture = readFileSync(
    join(import.meta.dirname, "../../test/fixtures/claude/statusline/2.1.325.json"),
    "utf8",
  );
  const input = source.read(fixture)!;
  const ownSession = snapshot({ sessionId: input.sessionId!, needsPerson: true, gitBranch: "feat/pay" });

  it("shows its session from Claude Code 2.1.325's input, and the others that need you", () => {
    const line = (sessions: ReturnType<typeof snapshot>[]) =>
      agentStatusLine({ ...input, costUsd: 0.42 }, sessions, input.limits);
    expect(line([])).toBe("Sonnet 5.5 · ctx 0% · $0.42 · acme-shop | 5h 35% · 7d 12%");
    expect(line([ownSession])).toBe("Sonnet 5.5 · ctx 0% · $0.42 · feat/pay | 5h 35% · 7d 12%");
    expect(line([ownSession, waitingSnapshot("plan", "x")])).toContain(" | 1 other needs you | ");
    expect(line([ownSession, waitingSnapshot("plan", "x"), waitingSnapshot("plan", "y")])).toContain(
      " | 2 others need you | ",
    );
  });

  it("reads the limits and their reset times", () => {
    expect(input.limits).toEqual({
      fiveHour: { usedPercent: 35, resetsAtIso: new Date(1_794_728_633_000).toISOString() },
      sevenDay: { usedPercent: 12, resetsAtIso: new Date(1_795_121_433_000).toISOString() },
    });
  });

  it.each(["", "not json", "null", "[]", "7", '{"model":7,"cost":{"total_cost_usd":"x"},"rate_limits":[]}'])(
    "is empty for %j",
    (text) => {
      const broken = source.read(text);
      expect(agentStatusLine(broken, [], broken?.limits ?? NO_LIMITS)).toBe("");
    },
  );

  it("removes control characters from a name", () => {
    const evil = { ...input, model: "x\u001b[2J\u0007\ny" };
    expect(agentStatusLine(evil, [], NO_LIMITS)).toMatch(/^x y · /);
  });

  it("ignores an invalid time", () => {
    const odd = { rate_limits: { five_hour: { used_percentage: 1, resets_at: 1e300 } } };
    expect(source.read(JSON.stringify(odd))!.limits).toEqual(NO_LIMITS);
  });
});
