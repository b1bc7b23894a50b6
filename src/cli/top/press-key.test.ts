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

interface ShownOptions {
  readonly cards?: readonly Card[];
  readonly drawn?: Partial<DrawnRequest>;
}

const groupsOf = (cards: readonly Card[]) => groupEqual(toWaitingRequests(cards, []));
const shown = ({ cards = [], drawn }: ShownOptions = {}): ShownScreen => {
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
const withRequest = (changes: Partial<Card> = {}, drawn: Partial<DrawnRequest> = {}): ShownScreen =>
  shown({ cards: [card(changes)], drawn });
const viewOf = ({ groups }: ShownScreen): TopView =>
  groups[0] === undefined ? INITIAL_VIEW : { ...INITIAL_VIEW, current: toCurrentRequest(groups[0]) };
const char = (text: string): Key => ({ name: "char", text });
const named = (name: Key["name"]): Key => ({ name, text: "" });
function press(
  keys: readonly Key[],
  screen: ShownScreen = shown(),
  from: TopView = viewOf(screen),
): KeyResult {
  return keys.reduce<KeyResult>(({ view }, key) => pressKey(view, key, screen), { view: from, action: null });
}

describe("a key", () => {
  it("moves the selection, and stops at the ends", () => {
    expect(press([char("j")]).view.selected).toBe("b");
    expect(press([char("j"), char("j"), char("j"), named("down")]).view.selected).toBe("c");
    expect(press([char("G"), char("k"), named("up"), char("k")]).view.selected).toBe("a");
  });

  it("selects the next waiting session, wrapping around", () => {
    expect(press([char("n")]).view.selected).toBe("c");
    expect(press([char("n"), char("n")]).view.selected).toBe("a");
  });

  it.each([
    ["y", { decision: "allow" }],
    ["a", { decision: "allowAll", scope: "exact" }],
    ["A", { decision: "allowAll", scope: "tool" }],
    ["d", { decision: "deny" }],
  ])("%s answers a permission", (key, answer) => {
    expect(press([char(key)], withRequest()).action).toMatchObject({ type: "answer", answer });
  });

  it("answers neither a request that has just appeared nor a missing one", () => {
    const soon = press([char("y")], withRequest({}, { forMs: 100 }));
    expect([soon.action, soon.view.note]).toEqual([null, expect.stringContaining("just arrived")]);
    expect(press([char("y")]).action).toBeNull();
  });

  it("denies with a typed reason", () => {
    const keys = [char("D"), char("use "), char("make"), named("backspace"), named("enter")];
    expect(press(keys, withRequest()).action).toMatchObject({
      answer: { decision: "deny", message: "use mak" },
    });
    expect(press([char("D"), char("no"), named("escape")], withRequest())).toMatchObject({
      action: null,
      view: { screen: { type: "list" } },
    });
  });

  it("answers a question by its option, or with typed text", () => {
    const questions = [{ question: "Which?", options: [{ label: "Postgres" }, { label: "SQLite" }] }];
    const question = withRequest({ kind: "question", toolName: "AskUserQuestion", questions });
    expect(press([char("2")], question).action).toMatchObject({
      answer: { answers: { "Which?": "SQLite" } },
    });
    expect(press([char("7")], question)).toMatchObject({ action: null, view: { note: expect.any(String) } });
    expect(press([char("y")], question).action).toBeNull();
    expect(press([char("r"), char("neither"), named("enter")], question).action).toMatchObject({
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
  ])("selects from %j the option at the position of the key %s", (labels, key, label) => {
    const options = labels.map((text) => ({ label: text }));
    const withQuestions = (...questions: unknown[]) =>
      withRequest({ kind: "question", toolName: "AskUserQuestion", questions });
    const question = "Which?";
    expect(press([char(key)], withQuestions({ question, options })).action).toMatchObject({
      answer: { answers: { [question]: label } },
    });
    const multiple = withQuestions({ question, options, multiSelect: true });
    expect(press([char(key), named("enter")], multiple).action).toMatchObject({
      answer: { answers: { [question]: label } },
    });
    const two = withQuestions({ question, options }, { question: "And?", options: [{ label: "Go" }] });
    expect(press([char(key), char("; 1"), named("enter")], two).action).toMatchObject({
      answer: { answers: { [question]: label, "And?": "Go" } },
    });
  });

  it("selects no option without a label, and no missing option", () => {
    const questions = [{ question: "Which?", options: [{ description: "unnamed" }, { label: "1" }] }];
    const question = withRequest({ kind: "question", toolName: "AskUserQuestion", questions });
    expect(press([char("1")], question)).toMatchObject({
      action: null,
      view: { note: expect.stringContaining("choice 1 has no label") },
    });
    expect(press([char("3")], question)).toMatchObject({
      action: null,
      view: { note: expect.stringContaining("1 to 2") },
    });
  });

  it("answers no request whose end was not on the screen", () => {
    const withHiddenEnd = withRequest({}, { isEndSeen: false });
    for (const key of ["y", "a", "A", "d", "D"])
      expect(press([char(key)], withHiddenEnd)).toMatchObject({
        action: null,
        view: { screen: { type: "list" }, note: expect.stringMatching(/in full/) },
      });
    const opened = press([named("enter")], withHiddenEnd);
    expect(opened).toMatchObject({
      action: { type: "detail" },
      view: { screen: { type: "detail", requestId: "toolu_1" } },
    });
    expect(press([char("y")], withHiddenEnd, opened.view).action).toBeNull();
    expect(press([char("y")], withRequest(), opened.view).action).toMatchObject({
      answer: { decision: "allow" },
    });
  });

  it("goes to the end of a request before the end of the details", () => {
    const opened = press([named("enter")], withRequest());
    const from = (view: TopView): number => (view.screen.type === "detail" ? view.screen.from : -1);
    const end = press([named("end")], withRequest(), opened.view).view;
    expect([from(end), from(press([named("end")], withRequest(), end).view)]).toEqual([12, 30]);
  });

  it("answers no request that was scrolled off the screen", () => {
    for (const key of ["y", "a", "A", "d", "D"])
      expect(press([char(key)], withRequest({}, { isDrawn: false }))).toMatchObject({
        action: null,
        view: { screen: { type: "list" }, note: expect.stringMatching(/off screen/) },
      });
  });

  it("answers only the drawn request, not one that came or ended in the meantime", () => {
    const other = withRequest({ id: "toolu_2", input: { command: "git push" } });
    const first = viewOf(withRequest());
    for (const key of ["y", "a", "A", "d", "1"]) expect(press([char(key)], other, first).action).toBeNull();
    const ended = { ...first, current: { ...first.current!, endedMs: 1 } };
    expect(press([char("y")], withRequest(), ended)).toMatchObject({
      action: null,
      view: { note: expect.stringContaining("no longer waiting") },
    });
    const moved = press([char("j"), char("y")], withRequest());
    expect(moved.action).toBeNull();
  });

  it("switches to another request, which must be drawn before it is answered", () => {
    const cards = [card(), card({ id: "toolu_2", input: { command: "git push" } })];
    const both = shown({ cards });
    const switched = press([named("next")], both);
    expect(switched.view).toMatchObject({ selected: "a", current: { requestId: "toolu_2" } });
    expect(press([char("y")], both, switched.view).action).toBeNull();
    const drawn = shown({ cards, drawn: { request: both.groups[1]!.first } });
    expect(press([char("y")], drawn, switched.view).action).toMatchObject({ request: { id: "toolu_2" } });
    expect(press([named("next")], both, switched.view).view.current?.requestId).toBe("toolu_1");
    expect(press([named("previous")], both).view.current?.requestId).toBe("toolu_2");
    expect(press([named("next")], shown()).view).toEqual(INITIAL_VIEW);
  });

  it("sends a typed answer only to the request it was typed for", () => {
    const typed = press([char("D"), char("no")], withRequest());
    const other = withRequest({ id: "toolu_2", input: { command: "git push" } });
    expect(press([named("enter")], other, typed.view)).toMatchObject({
      action: null,
      view: { note: expect.stringContaining("Nothing was answered") },
    });
    const following = { ...typed.view, current: viewOf(other).current };
    expect(press([named("enter")], other, following).action).toBeNull();
    expect(press([named("enter")], withRequest(), typed.view).action).toMatchObject({
      request: { id: "toolu_1" },
    });
  });

  it("does not answer requests that only the terminal can answer", () => {
    for (const changes of [
      { status: "terminal", whyTerminal: "released" },
      { status: "terminal", whyTerminal: "too_large" },
    ] as const)
      for (const key of ["y", "d", "a"])
        expect(press([char(key)], withRequest(changes))).toMatchObject({
          action: null,
          view: { note: expect.stringContaining("in the terminal") },
        });
    const large = withRequest({ inputBytes: 300_000, input: {} });
    expect(press([char("y")], large).action).toBeNull();
    expect(press([char("d")], large).action).toMatchObject({ answer: { decision: "deny" } });
  });

  it("groups by project, and follows the events of one session", () => {
    expect(press([char("B")]).view.isGrouped).toBe(true);
    const tail = press([char("j"), char("l")]);
    expect(tail).toMatchObject({ action: { type: "tail", session: { sessionId: "b" } } });
    const lines = Array.from({ length: 50 }, (_, index) => `event ${index}`);
    const withLines = applyOutcome(tail.view, { type: "tail", sessionId: "b", lines });
    expect(press([char("k"), named("pageUp"), char("j")], shown(), withLines).view.screen).toMatchObject({
      back: 10,
    });
    expect(press([named("home"), named("end")], shown(), withLines).view.screen).toMatchObject({ back: 0 });
    expect(press([char("y")], withRequest(), withLines).action).toBeNull();
    expect(press([named("escape")], shown(), withLines).view.screen.type).toBe("list");
    expect(applyOutcome(INITIAL_VIEW, { type: "tail", sessionId: "b", lines })).toBe(INITIAL_VIEW);
  });

  it("does not answer with pasted text", () => {
    const pasted = press([{ ...char("y"), isPasted: true }], withRequest());
    expect([pasted.action, pasted.view.note]).toEqual([null, expect.stringContaining("Pasted")]);
  });

  it("asks a lost request again, and cannot allow it", () => {
    const lost = withRequest({ status: "lost" });
    expect(press([char("y")], lost).action).toBeNull();
    expect(press([char("r")], lost).action).toMatchObject({ type: "again" });
  });

  it("filters while typing, and strips escapes from pasted text", () => {
    const typed = press([char("/"), char("a\u001b[31mb\n c")]);
    expect(typed.view.filter).toBe("ab c");
    expect(press([named("enter"), named("escape")], shown(), typed.view).view).toMatchObject({
      filter: "",
      screen: { type: "list" },
    });
  });

  it("opens a session, goes back, shows help, quits", () => {
    const opened = press([char("j"), named("enter")]);
    expect(opened).toMatchObject({ action: { type: "detail", session: { sessionId: "b" } } });
    expect(press([char("q")], shown(), opened.view)).toMatchObject({
      action: null,
      view: { screen: { type: "list" } },
    });
    expect(press([char("?")]).view.screen.type).toBe("help");
    expect(press([char("q")]).action).toEqual({ type: "quit" });
    expect(press([char("/"), named("interrupt")]).action).toEqual({ type: "quit" });
  });
});
