import { describe, expect, it } from "vitest";
import type { Card } from "../../control/control-contract.ts";
import { card, snapshot, waitingSnapshot } from "../snapshot.testing.ts";
import { groupEqual, toWaitingRequests } from "../waiting-requests.ts";
import { toCurrentRequest } from "./current-request.ts";
import type { DrawnRequest, Key, KeyResult, ShownScreen } from "./key-result.ts";
import { pressKey } from "./press-key.ts";
import { applyOutcome, INITIAL_VIEW, type TopView } from "./top-view.ts";

const rows = [
  waitingSnapshot("permission", "rm -r dist", { sessionId: "a" }),
  snapshot({ sessionId: "b" }),
  waitingSnapshot("question", "Which database?", { sessionId: "c" }),
];

interface Asks {
  readonly cards?: readonly Card[];
  readonly drawn?: Partial<DrawnRequest>;
}

const groupsOf = (cards: readonly Card[]) => groupEqual(toWaitingRequests(cards, []));
const shown = ({ cards = [], drawn }: Asks = {}): ShownScreen => {
  const groups = groupsOf(cards);
  const [first] = groups;
  return {
    rows,
    groups,
    drawn:
      first === undefined
        ? null
        : { request: first.first, isDrawn: true, isEndSeen: true, forMs: 5_000, ...drawn },
    page: 10,
    maxFrom: 30,
    endFrom: 12,
  };
};
/** A session with requests, the first of which is on the screen. */
const asks = (own: Partial<Card> = {}, drawn: Partial<DrawnRequest> = {}): ShownScreen =>
  shown({ cards: [card(own)], drawn });
const viewOf = ({ groups }: ShownScreen): TopView =>
  groups[0] === undefined ? INITIAL_VIEW : { ...INITIAL_VIEW, current: toCurrentRequest(groups[0]) };
const char = (text: string): Key => ({ name: "char", text });
const named = (name: Key["name"]): Key => ({ name, text: "" });
function press(keys: readonly Key[], given: ShownScreen = shown(), from: TopView = viewOf(given)): KeyResult {
  return keys.reduce<KeyResult>(({ view }, key) => pressKey(view, key, given), { view: from, act: null });
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
    expect(press([char(key)], asks()).act).toMatchObject({ type: "answer", answer });
  });

  it("does not answer what has just appeared, nor what nobody can answer", () => {
    const soon = press([char("y")], asks({}, { forMs: 100 }));
    expect([soon.act, soon.view.note]).toEqual([null, expect.stringContaining("just arrived")]);
    expect(press([char("y")]).act).toBeNull();
  });

  it("denies with a reason that is typed", () => {
    const keys = [char("D"), char("use "), char("make"), named("backspace"), named("enter")];
    expect(press(keys, asks()).act).toMatchObject({
      answer: { decision: "deny", message: "use mak" },
    });
    expect(press([char("D"), char("no"), named("escape")], asks())).toMatchObject({
      act: null,
      view: { screen: { type: "list" } },
    });
  });

  it("answers a question by its option, or with typed words", () => {
    const questions = [{ question: "Which?", options: [{ label: "Postgres" }, { label: "SQLite" }] }];
    const asked = asks({ kind: "question", toolName: "AskUserQuestion", questions });
    expect(press([char("2")], asked).act).toMatchObject({ answer: { answers: { "Which?": "SQLite" } } });
    expect(press([char("7")], asked)).toMatchObject({ act: null, view: { note: expect.any(String) } });
    expect(press([char("y")], asked).act).toBeNull();
    expect(press([char("r"), char("neither"), named("enter")], asked).act).toMatchObject({
      answer: { answers: { "Which?": "neither" } },
    });
  });

  it.each([
    [["2 spaces", "4 spaces"], "2", "4 spaces"],
    [["4 spaces", "Tabs", "2 spaces"], "2", "Tabs"],
    [["3", "5", "2"], "3", "2"],
    [["5 s", "10 s"], "1", "5 s"],
    [["2. spaces", "4. spaces"], "2", "4. spaces"],
    [["Yes", "1"], "1", "Yes"],
  ])("of %j takes the option in the place of the key %s", (labels, key, label) => {
    const options = labels.map((one) => ({ label: one }));
    const of = (...questions: unknown[]) =>
      asks({ kind: "question", toolName: "AskUserQuestion", questions });
    const question = "Which?";
    expect(press([char(key)], of({ question, options })).act).toMatchObject({
      answer: { answers: { [question]: label } },
    });
    const several = of({ question, options, multiSelect: true });
    expect(press([char(key), named("enter")], several).act).toMatchObject({
      answer: { answers: { [question]: label } },
    });
    const two = of({ question, options }, { question: "And?", options: [{ label: "Go" }] });
    expect(press([char(key), char("; 1"), named("enter")], two).act).toMatchObject({
      answer: { answers: { [question]: label, "And?": "Go" } },
    });
  });

  it("takes no option that has no label, and none that is not there", () => {
    const questions = [{ question: "Which?", options: [{ description: "unnamed" }, { label: "1" }] }];
    const asked = asks({ kind: "question", toolName: "AskUserQuestion", questions });
    expect(press([char("1")], asked)).toMatchObject({
      act: null,
      view: { note: expect.stringContaining("choice 1 has no label") },
    });
    expect(press([char("3")], asked)).toMatchObject({
      act: null,
      view: { note: expect.stringContaining("1 to 2") },
    });
  });

  it("answers nothing whose end was not on the screen", () => {
    const cut = asks({}, { isEndSeen: false });
    for (const key of ["y", "a", "A", "d", "D"])
      expect(press([char(key)], cut)).toMatchObject({
        act: null,
        view: { screen: { type: "list" }, note: expect.stringMatching(/in full/) },
      });
    const opened = press([named("enter")], cut);
    expect(opened).toMatchObject({
      act: { type: "detail" },
      view: { screen: { type: "detail", requestId: "toolu_1" } },
    });
    expect(press([char("y")], cut, opened.view).act).toBeNull();
    expect(press([char("y")], asks(), opened.view).act).toMatchObject({ answer: { decision: "allow" } });
  });

  it("goes to the end of a request before the end of all", () => {
    const opened = press([named("enter")], asks());
    const from = (view: TopView): number => (view.screen.type === "detail" ? view.screen.from : -1);
    const end = press([named("end")], asks(), opened.view).view;
    expect([from(end), from(press([named("end")], asks(), end).view)]).toEqual([12, 30]);
  });

  it("answers nothing that was read to its end and is no longer on the screen", () => {
    for (const key of ["y", "a", "A", "d", "D"])
      expect(press([char(key)], asks({}, { isDrawn: false }))).toMatchObject({
        act: null,
        view: { screen: { type: "list" }, note: expect.stringMatching(/off screen/) },
      });
  });

  it("answers the request that is drawn, and no other that has come or gone meanwhile", () => {
    const other = asks({ id: "toolu_2", input: { command: "git push" } });
    const first = viewOf(asks());
    for (const key of ["y", "a", "A", "d", "1"]) expect(press([char(key)], other, first).act).toBeNull();
    const ended = { ...first, current: { ...first.current!, endedMs: 1 } };
    expect(press([char("y")], asks(), ended)).toMatchObject({
      act: null,
      view: { note: expect.stringContaining("no longer waiting") },
    });
    const moved = press([char("j"), char("y")], asks());
    expect(moved.act).toBeNull();
  });

  it("goes to another request of the session, which has to be drawn before it is answered", () => {
    const cards = [card(), card({ id: "toolu_2", input: { command: "git push" } })];
    const both = shown({ cards });
    const turned = press([named("next")], both);
    expect(turned.view).toMatchObject({ selected: "a", current: { requestId: "toolu_2" } });
    expect(press([char("y")], both, turned.view).act).toBeNull();
    const drawn = shown({ cards, drawn: { request: both.groups[1]!.first } });
    expect(press([char("y")], drawn, turned.view).act).toMatchObject({ request: { id: "toolu_2" } });
    expect(press([named("next")], both, turned.view).view.current?.requestId).toBe("toolu_1");
    expect(press([named("previous")], both).view.current?.requestId).toBe("toolu_2");
    expect(press([named("next")], shown()).view).toEqual(INITIAL_VIEW);
  });

  it("gives a typed answer to the request that it was begun for, or to none", () => {
    const typed = press([char("D"), char("no")], asks());
    const other = asks({ id: "toolu_2", input: { command: "git push" } });
    expect(press([named("enter")], other, typed.view)).toMatchObject({
      act: null,
      view: { note: expect.stringContaining("Nothing was answered") },
    });
    const following = { ...typed.view, current: viewOf(other).current };
    expect(press([named("enter")], other, following).act).toBeNull();
    expect(press([named("enter")], asks(), typed.view).act).toMatchObject({ request: { id: "toolu_1" } });
  });

  it("leaves to the terminal what only the terminal can answer", () => {
    for (const own of [
      { status: "terminal", whyTerminal: "released" },
      { status: "terminal", whyTerminal: "too_large" },
    ] as const)
      for (const key of ["y", "d", "a"])
        expect(press([char(key)], asks(own))).toMatchObject({
          act: null,
          view: { note: expect.stringContaining("in the terminal") },
        });
    const large = asks({ inputBytes: 300_000, input: {} });
    expect(press([char("y")], large).act).toBeNull();
    expect(press([char("d")], large).act).toMatchObject({ answer: { decision: "deny" } });
  });

  it("groups by project, and follows the events of one session", () => {
    expect(press([char("B")]).view.isGrouped).toBe(true);
    const tail = press([char("j"), char("l")]);
    expect(tail).toMatchObject({ act: { type: "tail", session: { sessionId: "b" } } });
    const lines = Array.from({ length: 50 }, (_, index) => `event ${index}`);
    const told = applyOutcome(tail.view, { type: "tail", sessionId: "b", lines });
    expect(press([char("k"), named("pageUp"), char("j")], shown(), told).view.screen).toMatchObject({
      back: 10,
    });
    expect(press([named("home"), named("end")], shown(), told).view.screen).toMatchObject({ back: 0 });
    expect(press([char("y")], asks(), told).act).toBeNull();
    expect(press([named("escape")], shown(), told).view.screen.type).toBe("list");
    expect(applyOutcome(INITIAL_VIEW, { type: "tail", sessionId: "b", lines })).toBe(INITIAL_VIEW);
  });

  it("answers nothing with what is pasted", () => {
    const pasted = press([{ ...char("y"), isPasted: true }], asks());
    expect([pasted.act, pasted.view.note]).toEqual([null, expect.stringContaining("Pasted")]);
  });

  it("asks what was lost again, and allows nothing of it", () => {
    const lost = asks({ status: "lost" });
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
