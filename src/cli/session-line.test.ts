import { describe, expect, it } from "vitest";
import { groupOf } from "../shown/session-groups.ts";
import { displayWidth } from "./display-width.ts";
import { paintFor } from "./paint.ts";
import { activityText, modelText } from "./session-activity.ts";
import { sessionLine, sessionLines } from "./session-line.ts";
import {
  ago,
  NOW,
  recordedRequest,
  snapshot,
  waitingSnapshot,
  waitingSnapshotOf,
} from "./snapshot.testing.ts";
import { sortSessions, stateBadge } from "./state-badge.ts";

const at = (width: number) => ({ width, now: NOW });

describe("a line of a session", () => {
  it("shows state, age, project, request, context, cost and id in 80 columns", () => {
    expect(sessionLine(waitingSnapshot("permission", "rm -rf dist", { gitBranch: "pay" }), at(80))).toBe(
      "◆ permission  1m42 acme-shop ▸ pay  Bash: rm -rf dist       82%   $1.90 1a2b3c4d",
    );
    expect(sessionLine(waitingSnapshot("question", "Which database?"), at(80))).toBe(
      '? question    1m42 acme-shop ▸ main "Which database?" (2)   82%   $1.90 1a2b3c4d',
    );
  });

  it("shows the model if there is space", () => {
    expect(sessionLine(snapshot(), at(100))).toMatch(/ opus-5\.5 .* 82% /);
    expect(sessionLine(snapshot(), at(99))).not.toContain("opus");
  });

  it.each([40, 80, 81, 100, 133, 200])("fits a terminal of %i columns, whatever it contains", (width) => {
    const lines = [
      waitingSnapshot("permission", "rm -rf 결제-모듈 ".repeat(20)),
      waitingSnapshot("question", "어느 데이터베이스를 쓸까요?", {
        projectPath: "/home/dev/결제서비스입니다만",
      }),
      snapshot({ state: "active", activityPhase: "rate_limited", rateLimit: { untilIso: null } }),
      snapshot({
        lastUserMessage: "👩‍💻 ⏳ 🇰🇷 \u001b[2J\u0007\n\u202e",
        model: null,
        gitBranch: null,
        contextTokens: null,
      }),
      snapshot({
        projectPath: null,
        cwd: null,
        cost: { micros: null, source: "unpriced", unpricedModels: ["x"] },
      }),
    ].map((session) => sessionLine(session, at(width)));
    for (const line of lines) {
      expect(displayWidth(line), line).toBe(Math.max(80, width));
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  it("is followed by the reason if it needs a person", () => {
    expect(sessionLines(waitingSnapshot("plan", "# Plan\n1. cut"), at(80))[1]).toBe(
      "  waits for plan: hook PermissionRequest → hookline answer",
    );
    const failed = snapshot({ needsPerson: true, activityPhase: "failed", why: "the turn failed" });
    expect(sessionLines(failed, at(80))[1]).toBe("  the turn failed");
    expect(sessionLines(snapshot(), at(80))).toHaveLength(1);
  });

  it("is followed by every request with its purpose and subagent, equal ones once", () => {
    const deploy = { description: "Ship it", agentId: "a7", agentType: "releaser" };
    const session = waitingSnapshotOf([
      recordedRequest("permission", "npm test"),
      recordedRequest("permission", "npm run deploy\u202e", { ...deploy, requestId: "r1" }),
      recordedRequest("permission", "npm run deploy\u202e", { ...deploy, requestId: "r2" }),
      recordedRequest("question", "Which database?"),
    ]);
    expect(sessionLines(session, at(100)).slice(1)).toEqual([
      "  Bash: npm test",
      "  Bash: npm run deploy\\u202e · Ship it · releaser a7 · ×2",
      "  Question: Which database? → hookline answer",
    ]);
    expect(sessionLine(session, at(100))).toContain(" (4) Bash: npm test ");
    const [, one] = sessionLines(waitingSnapshotOf([recordedRequest("permission", "make", deploy)]), at(100));
    expect(one).toMatch(/^ {2}waits for permission: .* · Ship it · releaser a7 → hookline answer$/);
  });

  it("marks a driven session, and shows how to answer it", () => {
    const driven = waitingSnapshot("permission", "npm run deploy", {
      driven: true,
      why: "It asks ".repeat(20),
    });
    const [line, why] = sessionLines(driven, at(80));
    expect(line).toContain(" » Bash: npm run deploy ");
    expect(why).toMatch(/^ {2}It asks .* → hookline answer$/);
    expect(displayWidth(why!)).toBe(80);
    expect(sessionLines(snapshot({ driven: true }), at(80))[0]).toContain(" » ");
  });

  it("is coloured only on a terminal, and not with NO_COLOR", () => {
    const line = (isTTY: boolean, env: Record<string, string>) =>
      sessionLine(snapshot(), { ...at(80), paint: paintFor({ isTTY }, env) });
    expect(line(true, {})).toContain("\u001b[");
    expect(line(true, { NO_COLOR: "1" })).not.toContain("\u001b");
    expect(line(false, {})).not.toContain("\u001b");
  });
});

describe("what a session does", () => {
  it.each([
    [waitingSnapshot("question", "Which database?", { alsoWaiting: 2 }), '(3) "Which database?" (2)'],
    [waitingSnapshot("plan", "# Plan\n1. cut"), "Plan: # Plan↵1. cut"],
    [snapshot({ activityPhase: "busy" }), "thinking"],
    [
      snapshot({
        activityPhase: "busy",
        currentSkill: "spec",
        action: { toolName: "Edit", text: "src/tty.ts", toolUseId: null, sinceIso: ago(1) },
      }),
      "Edit: src/tty.ts /spec",
    ],
    [
      snapshot({
        activityPhase: "parked",
        backgroundTasks: [{ id: "b1", type: "shell", description: "npm run dev" }],
      }),
      "npm run dev",
    ],
    [
      snapshot({
        activityPhase: "failed",
        error: { kind: "overloaded", message: "Overloaded", atIso: ago(1) },
      }),
      "overloaded: Overloaded",
    ],
    // The same as in the web UI.
    [snapshot({ title: "acme-shop-cb" }), "acme-shop-cb"],
    [snapshot({ title: null }), "update the readme"],
    [snapshot({ title: "Readme", lastUserMessage: null }), "Readme"],
    [snapshot({ state: "lost", activityPhase: null, why: "its process is gone" }), "its process is gone"],
  ])("is shown as expected (%#)", (session, text) => {
    expect(activityText(session, NOW)).toBe(text);
  });

  it("shortens model names", () => {
    expect(modelText("claude-opus-5-5")).toBe("opus-5.5");
    expect(modelText("claude-sonnet-4-5-20250929")).toBe("sonnet-4.5");
    expect(modelText("gpt-5")).toBe("gpt-5");
  });
});

describe("the order of sessions", () => {
  it("starts with the longest wait for a person, and ends with ended sessions", () => {
    const named = (sessionId: string, session: ReturnType<typeof snapshot>) => ({ ...session, sessionId });
    const sessions = [
      named("done", snapshot({ state: "completed", activityPhase: null })),
      named("idle", snapshot()),
      named("parked", snapshot({ activityPhase: "parked" })),
      named("busy", snapshot({ activityPhase: "busy", lastEventAtIso: ago(5) })),
      named("busier", snapshot({ activityPhase: "busy", lastEventAtIso: ago(1) })),
      named("young", waitingSnapshot("question", "?", { sinceIso: ago(8) })),
      named("old", waitingSnapshot("permission", "ls", { sinceIso: ago(900) })),
    ];
    expect(sortSessions(sessions).map(({ sessionId }) => sessionId)).toEqual([
      ...["old", "young", "busier", "busy", "parked", "idle", "done"],
    ]);
  });

  it("does not count an unattended wait as a session that needs a person", () => {
    expect(groupOf(waitingSnapshot("permission", "ls", { needsPerson: false }))).toBe("idle");
    expect(groupOf(waitingSnapshot("permission", "ls", { state: "lost" }))).toBe("lost");
    expect(stateBadge(waitingSnapshot("permission", "ls", { state: "lost" })).label).toBe("lost");
  });
});
