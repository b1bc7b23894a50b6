import { describe, expect, it } from "vitest";
import type { Card } from "../../control/control-contract.ts";
import { displayWidth } from "../display-width.ts";
import { noPaint } from "../paint.ts";
import { ago, asking, NOW, snapshot } from "../snapshot.testing.ts";
import { NO_DATA, type TopData } from "./top-data.ts";
import { type FrameOptions, paneFor, topFrame } from "./top-frame.ts";
import { FIRST_VIEW } from "./top-view.ts";

const sessions = [
  asking("permission", "rm -r dist \u001b[2J\u202egone", { sessionId: "aaaa", projectPath: "/w/api" }),
  snapshot({
    sessionId: "bbbb",
    activityPhase: "busy",
    projectPath: "/w/가게",
    action: { toolName: "Edit", text: "src/tty.ts", toolUseId: null, sinceIso: ago(5) },
    subagents: [
      {
        agentId: "x",
        agentType: "explore",
        description: null,
        isRunning: true,
        sinceIso: ago(5),
        action: { toolName: "Grep", text: "spawn(", toolUseId: null, sinceIso: ago(5) },
      },
    ],
  }),
  snapshot({ sessionId: "cccc", state: "completed", activityPhase: null, endedAtIso: ago(600) }),
];
const data: TopData = {
  ...NO_DATA,
  source: { type: "live" },
  sessions: new Map(sessions.map((session) => [session.sessionId, session])),
  limits: { fiveHour: { usedPercent: 35, resetsAtIso: ago(-3_600) }, sevenDay: null },
  lagMs: 200,
};
const OPTIONS = { width: 80, height: 23, now: NOW, paint: noPaint, ascii: false };
const frame = (own: Partial<FrameOptions> = {}, shown: TopData = data): string[] =>
  topFrame(shown, FIRST_VIEW, { ...OPTIONS, ...own });
const CARD: Card = {
  id: "t1",
  sessionId: "aaaa",
  source: "driven",
  kind: "permission",
  toolName: "Bash",
  toolUseId: "t1",
  input: {},
  questions: [],
  plan: null,
  reason: null,
  rule: null,
  agentId: null,
  agentType: null,
  projectPath: null,
  cwd: null,
  sinceIso: ago(5),
  untilIso: null,
  status: "pending",
  settled: null,
};

describe("the screen", () => {
  it.each([
    [80, 23],
    [100, 30],
    [160, 49],
  ])("fits %i columns and %i lines, whatever agents wrote", (width, height) => {
    const lines = frame({ width, height });
    expect(lines).toHaveLength(height);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(lines.join("\n")).not.toMatch(/[\u001b\u202e]/);
  });

  it("drops what there is no room for", () => {
    expect(frame()[1]).toMatch(/STATE +AGE +PROJECT +ACTION +CTX TURN +COST/);
    expect(frame({ width: 160 })[1]).toMatch(/PROJECT ▸ BRANCH +ACTION +MODEL +CTX +TURN +TOK +COST/);
    expect(frame()[0]).toContain("5h 35%");
    expect(frame({ width: 160 })[0]).toContain("5h ██░░░ 35%");
  });

  it("has who needs a person first, subagents under their session, and what is asked below", () => {
    const text = frame().join("\n");
    expect(text).toMatch(/› ◆ permission +1m42 api .*rm -r dist/);
    expect(text).toMatch(/● busy.*Edit: src\/tty.ts[^\n]*\n +└ ● explore +5s +Grep: spawn\(/);
    expect(text).toMatch(/api ▸ main · aaaa · waits for permission/);
  });

  it("has signs of ASCII alone where it is asked for", () => {
    expect(frame({ ascii: true, width: 160 }).join("\n")).toMatch(/^[\u0000-\u007f]*$/);
  });

  it("says that it is old, and why", () => {
    const down = frame({}, { ...data, source: { type: "database" } }).join("\n");
    expect(down).toMatch(/No daemon runs: read from the database, last event \d\d:\d\d/);
    const away = frame({}, { ...data, source: { type: "away", sinceMs: NOW - 5_000 } }).join("\n");
    expect(away).toContain("has not answered for 5s");
  });

  it("shows what is asked to its end, or says that there is more", () => {
    const ask = (command: string): string[] => {
      const card = { ...CARD, input: { command } };
      return frame({}, { ...data, cards: [card] });
    };
    const long = ask(`echo ${"x".repeat(200)} && last`).join("\n");
    expect(long).toMatch(/echo x+\n +x+\n +x+ && last/);
    expect(long).toMatch(/y allows once/);
    const hidden = ask(`true\n${"\n".repeat(40)}last`);
    expect(hidden).toHaveLength(23);
    expect(hidden.join("\n")).toMatch(/there is more: ↵ shows it whole\n y allows once/);
    const of = (command: string) =>
      paneFor({ ...data, cards: [{ ...CARD, input: { command } }] }, sessions[0], OPTIONS).isWhole;
    expect([of("make"), of("x".repeat(500)), of("x".repeat(2_000)), of(`${"y".repeat(20_000)}`)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("has sessions of a project together, and the events of one", () => {
    const grouped = topFrame(data, { ...FIRST_VIEW, isGrouped: true }, OPTIONS);
    expect(grouped.map((line) => line.trimEnd())).toContain(" 가게");
    const screen = {
      type: "tail",
      sessionId: "aaaa",
      lines: Array.from({ length: 90 }, (_, at) => `e${at}`),
      back: 0,
    } as const;
    const tail = topFrame(data, { ...FIRST_VIEW, screen }, OPTIONS);
    expect([tail.length, tail.at(-2), tail[2]]).toEqual([23, "e89", "e70"]);
    const back = topFrame(data, { ...FIRST_VIEW, screen: { ...screen, back: 89 } }, OPTIONS);
    expect(back[2]).toBe("e0");
  });

  it("keeps the chosen one in sight among many, and says which it is", () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      snapshot({ sessionId: `s${index}`, title: `t${index}` }),
    );
    const all = { ...data, sessions: new Map(many.map((session) => [session.sessionId, session])) };
    const view = { ...FIRST_VIEW, selected: "s950" };
    const lines = topFrame(all, view, OPTIONS);
    expect(lines).toHaveLength(23);
    expect(lines.join("\n")).toMatch(/─ \d+ of 1000 ──/);
    expect(lines.filter((line) => line.startsWith("›"))).toHaveLength(1);
  });
});
