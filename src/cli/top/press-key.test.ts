import { describe, expect, it } from "vitest";
import type { Card } from "../../control/control-contract.ts";
import { asking, snapshot } from "../snapshot.testing.ts";
import { type Key, type Pressed, pressKey, type Shown } from "./press-key.ts";
import { applyOutcome, FIRST_VIEW, type TopView } from "./top-view.ts";

const rows = [
  asking("permission", "rm -r dist", { sessionId: "a" }),
  snapshot({ sessionId: "b" }),
  asking("question", "Which database?", { sessionId: "c" }),
];

function card(own: Partial<Card> = {}): Card {
  return {
    id: "toolu_1",
    sessionId: "a",
    source: "driven",
    kind: "permission",
    toolName: "Bash",
    toolUseId: "toolu_1",
    input: { command: "rm -r dist" },
    questions: [],
    plan: null,
    reason: null,
    rule: null,
    agentId: null,
    agentType: null,
    projectPath: null,
    cwd: null,
    sinceIso: "2026-11-15T12:00:00.000Z",
    untilIso: null,
    status: "pending",
    settled: null,
    ...own,
  };
}

const shown = (own: Partial<Shown> = {}): Shown => ({
  rows,
  card: undefined,
  isWhole: true,
  cardMs: 5_000,
  page: 10,
  ...own,
});
const char = (text: string): Key => ({ name: "char", text });
const named = (name: Key["name"]): Key => ({ name, text: "" });
function press(keys: readonly Key[], given: Shown = shown(), from: TopView = FIRST_VIEW): Pressed {
  return keys.reduce<Pressed>(({ view }, key) => pressKey(view, key, given), { view: from, act: null });
}

describe("a key", () => {
  it("moves the choice, and stops at the ends", () => {
    expect(press([char("j")]).view.selected).toBe("b");
    expect(press([char("j"), char("j"), char("j"), named("down")]).view.selected).toBe("c");
    expect(press([char("G"), char("k"), named("up"), char("k")]).view.selected).toBe("a");
  });

  it("goes to the next who waits, round and round", () => {
    expect(press([char("n")]).view.selected).toBe("c");
    expect(press([char("n"), char("n")]).view.selected).toBe("a");
  });

  it.each([
    ["y", { decision: "allow" }],
    ["a", { decision: "allowAll", scope: "exact" }],
    ["A", { decision: "allowAll", scope: "tool" }],
    ["d", { decision: "deny" }],
  ])("%s answers a permission", (key, answer) => {
    expect(press([char(key)], shown({ card: card() })).act).toMatchObject({ type: "answer", answer });
  });

  it("does not answer what has just appeared, nor what nobody can answer", () => {
    const soon = press([char("y")], shown({ card: card(), cardMs: 100 }));
    expect([soon.act, soon.view.note]).toEqual([null, expect.stringContaining("just come")]);
    expect(press([char("y")]).act).toBeNull();
  });

  it("denies with a reason that is typed", () => {
    const keys = [char("D"), char("use "), char("make"), named("backspace"), named("enter")];
    expect(press(keys, shown({ card: card() })).act).toMatchObject({
      answer: { decision: "deny", message: "use mak" },
    });
    expect(press([char("D"), char("no"), named("escape")], shown({ card: card() }))).toMatchObject({
      act: null,
      view: { screen: { type: "list" } },
    });
  });

  it("answers a question by its option, or with typed words", () => {
    const questions = [{ question: "Which?", options: [{ label: "Postgres" }, { label: "SQLite" }] }];
    const asked = shown({ card: card({ kind: "question", toolName: "AskUserQuestion", questions }) });
    expect(press([char("2")], asked).act).toMatchObject({ answer: { answers: { "Which?": "SQLite" } } });
    expect(press([char("7")], asked)).toMatchObject({ act: null, view: { note: expect.any(String) } });
    expect(press([char("y")], asked).act).toBeNull();
    expect(press([char("r"), char("neither"), named("enter")], asked).act).toMatchObject({
      answer: { answers: { "Which?": "neither" } },
    });
  });

  it("allows nothing of which a part is not on the screen, and may still deny it", () => {
    const cut = shown({ card: card(), isWhole: false });
    for (const key of ["y", "a", "A"])
      expect(press([char(key)], cut)).toMatchObject({
        act: null,
        view: { note: expect.stringMatching(/whole/) },
      });
    expect(press([char("d")], cut).act).toMatchObject({ answer: { decision: "deny" } });
    const opened = press([named("enter")], cut);
    expect(opened.act).toMatchObject({ type: "detail", card: { id: "toolu_1" } });
    expect(press([char("y")], cut, opened.view).act).toMatchObject({ answer: { decision: "allow" } });
    const other = shown({ card: card({ id: "toolu_2" }), isWhole: true });
    expect(press([char("y")], other, opened.view).act).toBeNull();
  });

  it("groups by project, and follows the events of one session", () => {
    expect(press([char("g")]).view.isGrouped).toBe(true);
    const tail = press([char("j"), char("l")]);
    expect(tail).toMatchObject({ act: { type: "tail", session: { sessionId: "b" } } });
    const lines = Array.from({ length: 50 }, (_, index) => `event ${index}`);
    const told = applyOutcome(tail.view, { type: "tail", sessionId: "b", lines });
    expect(press([char("k"), named("pageUp"), char("j")], shown(), told).view.screen).toMatchObject({
      back: 10,
    });
    expect(press([named("home"), named("end")], shown(), told).view.screen).toMatchObject({ back: 0 });
    expect(press([char("y")], shown({ card: card() }), told).act).toBeNull();
    expect(press([named("escape")], shown(), told).view.screen.type).toBe("list");
    expect(applyOutcome(FIRST_VIEW, { type: "tail", sessionId: "b", lines })).toBe(FIRST_VIEW);
  });

  it("answers nothing with what is pasted", () => {
    const pasted = press([{ ...char("y"), isPasted: true }], shown({ card: card() }));
    expect([pasted.act, pasted.view.note]).toEqual([null, expect.stringContaining("pasted")]);
  });

  it("asks what was lost again, and allows nothing of it", () => {
    const lost = shown({ card: card({ status: "lost" }) });
    expect(press([char("y")], lost).act).toBeNull();
    expect(press([char("r")], lost).act).toMatchObject({ type: "again" });
  });

  it("filters while it is typed, and what is pasted brings no escapes", () => {
    const typed = press([char("/"), char("a\u001b[31mb\n c")]);
    expect(typed.view.filter).toBe("ab c");
    expect(press([named("enter"), named("escape")], shown(), typed.view).view).toMatchObject({
      filter: "",
      screen: { type: "list" },
    });
  });

  it("opens a session, goes back, shows the keys, quits", () => {
    const opened = press([char("j"), named("enter")]);
    expect(opened).toMatchObject({ act: { type: "detail", session: { sessionId: "b" } } });
    expect(press([char("q")], shown(), opened.view)).toMatchObject({
      act: null,
      view: { screen: { type: "list" } },
    });
    expect(press([char("?")]).view.screen.type).toBe("help");
    expect(press([char("q")]).act).toEqual({ type: "quit" });
    expect(press([char("/"), named("interrupt")]).act).toEqual({ type: "quit" });
  });
});
