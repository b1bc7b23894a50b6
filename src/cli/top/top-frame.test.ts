import { describe, expect, it } from "vitest";
import type { Card } from "../../control/control-contract.ts";
import { displayWidth } from "../display-width.ts";
import { noPaint } from "../paint.ts";
import { ago, card, NOW, snapshot, waitingSnapshot } from "../snapshot.testing.ts";
import { NO_DATA, type TopData } from "./top-data.ts";
import { drawTop, type Frame, type FrameOptions, topFrame } from "./top-frame.ts";
import { INITIAL_VIEW } from "./top-view.ts";

const DETAIL = { type: "detail", sessionId: "aaaa", lines: ["known of it"], from: 0 } as const;

const sessions = [
  waitingSnapshot("permission", "rm -r dist \u001b[2J\u202egone", {
    sessionId: "aaaa",
    projectPath: "/w/api",
  }),
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
const frame = (changes: Partial<FrameOptions> = {}, shown: TopData = data): readonly string[] =>
  topFrame(shown, INITIAL_VIEW, { ...OPTIONS, ...changes });
const withCards = (...cards: Partial<Card>[]): TopData => ({
  ...data,
  cards: cards.map((changes) => card({ sessionId: "aaaa", ...changes })),
});

describe("the screen", () => {
  it.each([
    [80, 23],
    [100, 30],
    [160, 49],
  ])("fits %i columns and %i lines, whatever agents write", (width, height) => {
    const lines = frame({ width, height });
    expect(lines).toHaveLength(height);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(lines.join("\n")).not.toMatch(/[\u001b\u202e]/);
  });

  it("drops columns that do not fit", () => {
    expect(frame()[1]).toMatch(/STATE +AGE +PROJECT +ACTION +CTX TURN +COST/);
    expect(frame({ width: 160 })[1]).toMatch(/PROJECT ▸ BRANCH +ACTION +MODEL +CTX +TURN +TOK +COST/);
    expect(frame()[0]).toContain("5h 35%");
    expect(frame({ width: 160 })[0]).toContain("5h ██░░░ 35%");
  });

  it("shows sessions that need a person first, subagents below their session, and the request below the list", () => {
    const text = frame().join("\n");
    expect(text).toMatch(/› ◆ permission +1m42 api .*rm -r dist/);
    expect(text).toMatch(/● busy.*Edit: src\/tty.ts[^\n]*\n +└ ● explore +5s +Grep: spawn\(/);
    expect(text).toMatch(/api ▸ main · aaaa · waits for permission/);
  });

  it("uses only ASCII characters on request", () => {
    expect(frame({ ascii: true, width: 160 }).join("\n")).toMatch(/^[\u0000-\u007f]*$/);
  });

  it("shows that its data is not live, and why", () => {
    const down = frame({}, { ...data, source: { type: "database" } }).join("\n");
    expect(down).toMatch(/The daemon is not running; read from the database, last event \d\d:\d\d/);
    const away = frame({}, { ...data, source: { type: "away", sinceMs: NOW - 5_000 } }).join("\n");
    expect(away).toContain("has not answered for 5s");
  });

  it("shows the request to its end, or says that there is more", () => {
    const ask = (command: string, changes: Partial<FrameOptions> = {}): Frame =>
      drawTop(withCards({ input: { command } }), INITIAL_VIEW, { ...OPTIONS, ...changes });
    const long = ask(`echo ${"x".repeat(200)} && last`);
    const text = long.lines.map((line) => line.replace(/^.*?[│↳] /, "")).join("");
    expect(text).toContain(`echo ${"x".repeat(200)} && last`);
    expect(long.lines.join("\n")).toMatch(/y allow once/);
    const hidden = ask(`true\n${"\n".repeat(40)}last`).lines;
    expect(hidden).toHaveLength(23);
    expect(hidden.join("\n")).toMatch(/there is more: press ↵ to show all\n y allow once/);
    const isSeen = (command: string, changes: Partial<FrameOptions> = {}) =>
      ask(command, changes).current?.isEndDrawn;
    expect([isSeen("make"), isSeen("x".repeat(300)), isSeen("x".repeat(2_000))]).toEqual([true, true, false]);
    // Too small to show the pane, or anything in it.
    expect([isSeen("make", { height: 5 }), isSeen("make", { width: 20 })]).toEqual([false, false]);
    expect(ask("make", { height: 5 }).current?.isDrawn).toBe(false);
  });

  it("wraps a request at the edge of a terminal that is narrower than the list", () => {
    const { lines } = drawTop(withCards({ input: { command: `echo ${"가".repeat(40)}` } }), INITIAL_VIEW, {
      ...OPTIONS,
      width: 40,
    });
    const drawn = lines.filter((line) => /[│↳]/.test(line));
    expect(drawn.join("").match(/가/g)).toHaveLength(40);
    for (const line of drawn) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });

  it("shows every request of the session, one of them in full", () => {
    const cards = [
      { id: "r1", input: { command: "npm test", description: "Run tests" } },
      { id: "r2", input: { command: "git push --force" }, agentId: "a7", agentType: "explore" },
      { id: "r3", input: { command: "npm test", description: "Run tests" } },
      { id: "r4", input: { command: "make" }, status: "terminal", whyTerminal: "released" },
    ] as const;
    const first = drawTop(withCards(...cards), INITIAL_VIEW, OPTIONS);
    const text = first.lines.join("\n");
    expect(text).toMatch(/ 2 of 5 requests · ×2 · Tab: next\n tool +│ Bash\n description +│ Run tests/);
    expect(text).toMatch(/Tab: Bash: git push --force · explore a7/);
    expect(text).toMatch(/Tab: in terminal · Bash: make/);
    expect(first.current?.request.id).toBe("r1");
    expect(first.requests).toEqual(expect.arrayContaining(["r1", "r2", "r3", "r4"]));
  });

  it("shows a request without a card as recorded, never with another request's card", () => {
    const none = frame().join("\n");
    expect(none).toMatch(/recorded +│ rm -r dist \\u001b\[2J\\u202egone/);
    expect(none).toMatch(/Answer this in the terminal: it cannot be answered from here/);
    const other = withCards({
      id: "r9",
      toolUseId: "toolu_1",
      input: { command: "git push" },
      sinceIso: ago(1),
    });
    const text = frame({}, other).join("\n");
    expect(text).toMatch(/command +│ git push/);
    expect(text).toMatch(/Tab: in terminal · Bash: rm -r dist/);
  });

  it("shows the full request on its own screen, and detects when its end is visible", () => {
    const dataWithCards = withCards({ id: "r1", input: { command: `${"line\n".repeat(60)}last` } });
    const at = (from: number, requestId = "r1"): Frame =>
      drawTop(
        dataWithCards,
        { ...INITIAL_VIEW, selected: "aaaa", screen: { ...DETAIL, requestId, from } },
        { ...OPTIONS, height: 23 },
      );
    expect([at(0).current?.isEndDrawn, at(at(0).maxFrom).current?.isEndDrawn]).toEqual([false, true]);
    expect(at(at(0).maxFrom).lines.join("\n")).toContain("│ last");
    const lines = Array.from({ length: 90 }, () => "command │ echo another");
    const below = (from: number) =>
      drawTop(
        dataWithCards,
        { ...INITIAL_VIEW, selected: "aaaa", screen: { ...DETAIL, requestId: "r1", lines, from } },
        { ...OPTIONS, height: 23 },
      ).current;
    expect([0, 30, 60, 80].map((from) => below(from)?.isDrawn)).toEqual([true, true, true, false]);
    const gone = at(0, "r0");
    expect([gone.current, gone.lines.join("\n").includes("That request is no longer waiting")]).toEqual([
      null,
      true,
    ]);
  });

  it("does not mistake our notes for the end of a request, and shows no other request in full", () => {
    const dataWithCards = withCards(
      { id: "r1", input: { command: `rm -r REAL\n${"echo\n".repeat(50)}echo bye` } },
      { id: "r2", input: { command: `ls harmless\n${"ls\n".repeat(9)}ls` } },
    );
    const lines = Array.from({ length: 90 }, (_, at) => `known ${at}`);
    const at = (from: number): Frame =>
      drawTop(
        dataWithCards,
        { ...INITIAL_VIEW, selected: "aaaa", screen: { ...DETAIL, requestId: "r1", lines, from } },
        { ...OPTIONS, height: 23 },
      );
    const frames = Array.from({ length: 90 }, (_, from) => at(from));
    expect(frames.every(({ lines: shown }) => shown.filter((line) => /│ ls/.test(line)).length === 0)).toBe(
      true,
    );
    expect(frames.some(({ lines: shown }) => shown.some((line) => /Tab: Bash: ls harmless/.test(line)))).toBe(
      true,
    );
    for (const { lines: shown, current } of frames) {
      expect(current?.isEndDrawn).toBe(shown.some((line) => line.includes("│ echo bye")));
      expect(current?.isDrawn).toBe(shown.some((line) => /│/.test(line)));
    }
    const { endFrom, maxFrom } = at(0);
    expect(at(endFrom).current?.isEndDrawn).toBe(true);
    expect(at(endFrom).lines.join("\n")).toMatch(/y allow once/);
    expect(endFrom).toBeLessThan(maxFrom);
  });

  it("groups sessions by project, and shows the events of one session", () => {
    const grouped = topFrame(data, { ...INITIAL_VIEW, isGrouped: true }, OPTIONS);
    expect(grouped.map((line) => line.trimEnd())).toContain(" 가게");
    const screen = {
      type: "tail",
      sessionId: "aaaa",
      lines: Array.from({ length: 90 }, (_, at) => `e${at}`),
      back: 0,
    } as const;
    const tail = topFrame(data, { ...INITIAL_VIEW, screen }, OPTIONS);
    expect([tail.length, tail.at(-2), tail[2]]).toEqual([23, "e89", "e70"]);
    const back = topFrame(data, { ...INITIAL_VIEW, screen: { ...screen, back: 89 } }, OPTIONS);
    expect(back[2]).toBe("e0");
  });

  it("keeps the selected session visible among many, and shows its position", () => {
    const manySessions = Array.from({ length: 1_000 }, (_, index) =>
      snapshot({ sessionId: `s${index}`, title: `t${index}` }),
    );
    const all = { ...data, sessions: new Map(manySessions.map((session) => [session.sessionId, session])) };
    const view = { ...INITIAL_VIEW, selected: "s950" };
    const lines = topFrame(all, view, OPTIONS);
    expect(lines).toHaveLength(23);
    expect(lines.join("\n")).toMatch(/─ \d+ of 1000 ──/);
    expect(lines.filter((line) => line.startsWith("›"))).toHaveLength(1);
  });
});
