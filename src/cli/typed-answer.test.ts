import { describe, expect, it } from "vitest";
import type { EnvelopeBody } from "../control/envelope.ts";
import { ANSWER_KEYS } from "../shown/answer-keys.ts";
import { drivenSession } from "./driven-session.testing.ts";
import type { AttachMessage } from "./follow-session.ts";
import {
  applyToPending,
  choiceLines,
  howToAnswer,
  type PendingRequest,
  type RequestContent,
  toAnswer,
} from "./typed-answer.ts";

const database = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
};
const features = {
  question: "Which features?",
  multiSelect: true,
  options: [{ label: "Auth" }, { label: "Export" }],
};

const permission: RequestContent = {
  kind: "permission",
  toolName: "Bash",
  input: { command: "touch a.txt" },
  questions: [],
};
const plan: RequestContent = { ...permission, kind: "plan", toolName: "ExitPlanMode" };
const asking = (...questions: unknown[]): RequestContent => ({
  ...permission,
  kind: "question",
  toolName: "AskUserQuestion",
  questions,
});
const answerTo = (request: RequestContent, line: string): unknown => {
  const typed = toAnswer(request, line);
  return typed.type === "answer" ? typed.answer : "unclear";
};

it("declines a question with d, unless it is a choice or the start of an answer", () => {
  expect(answerTo(asking(database), "d")).toEqual({ decision: "deny" });
  const keys = { ...database, options: [{ label: "C" }, { label: "D" }] };
  expect(answerTo(asking(keys), "d")).toEqual({ answers: { [database.question]: "D" } });
  expect(answerTo(asking(database), "d minor")).toEqual({ answers: { [database.question]: "d minor" } });
});

it("gives every answer key the same meaning as the web UI and top", () => {
  const { allowOnce, allowExact, allowTool, deny } = ANSWER_KEYS;
  expect([allowOnce, allowExact, allowTool, deny].map((key) => answerTo(permission, key))).toEqual([
    { decision: "allow" },
    { decision: "allowAll", scope: "exact" },
    { decision: "allowAll", scope: "tool" },
    { decision: "deny" },
  ]);
  for (const key of [allowOnce, allowExact, allowTool, deny])
    expect(howToAnswer(permission)).toMatch(new RegExp(`(^|, )${key} `));
});

describe("a typed answer", () => {
  it.each([
    ["y", { decision: "allow" }],
    ["Yes", { decision: "allow" }],
    ["allow", { decision: "allow" }],
    ["a", { decision: "allowAll", scope: "exact" }],
    ["a tool", { decision: "allowAll", scope: "tool" }],
    ["allow-all", { decision: "allowAll", scope: "exact" }],
    ["A", { decision: "allowAll", scope: "tool" }],
    ["d", { decision: "deny" }],
    ["D", { decision: "deny" }],
    ["d use the other file", { decision: "deny", message: "use the other file" }],
    ["n", { decision: "deny" }],
    ["no: use the other file", { decision: "deny", message: "use the other file" }],
    ["yes please", "unclear"],
    ["go on with the tests", "unclear"],
    ["", "unclear"],
    ["1", "unclear"],
  ])("to a permission: %j", (line, expected) => {
    expect(answerTo(permission, line)).toEqual(expected);
  });

  it.each([
    ["y", { decision: "allow" }],
    ["a", { decision: "allow", mode: "acceptEdits" }],
    ["n smaller steps", { decision: "deny", message: "smaller steps" }],
    ["A", "unclear"],
    ["ok", "unclear"],
  ])("to a plan: %j", (line, expected) => {
    expect(answerTo(plan, line)).toEqual(expected);
  });

  it.each([
    ["2", { answers: { "Which database?": "Postgres" } }],
    ["sqlite", { answers: { "Which database?": "SQLite" } }],
    ["DuckDB, if it is there", { answers: { "Which database?": "DuckDB, if it is there" } }],
    ["3", "unclear"],
    ["0", "unclear"],
    ["1,2", "unclear"],
    ["n", { decision: "deny" }],
  ])("to a question: %j", (line, expected) => {
    expect(answerTo(asking(database), line)).toEqual(expected);
  });

  it("to several questions is separated by semicolons, and may have several choices if allowed", () => {
    const both = asking(database, features);
    expect(answerTo(both, "1; 1, 2")).toEqual({
      answers: { "Which database?": "SQLite", "Which features?": "Auth, Export" },
    });
    for (const line of ["1", "1;2;2", "1;3", "1;"]) expect(answerTo(both, line)).toBe("unclear");
  });

  it("is free text if the questions have an unknown shape", () => {
    expect(answerTo({ ...asking("what?"), input: null }, "this")).toEqual({ response: "this" });
  });
});

describe("an answer to a question whose choices look like commands or numbers", () => {
  const withLabels = (labels: readonly string[], multiSelect = false): RequestContent =>
    asking({ question: "Go?", multiSelect, options: labels.map((label) => ({ label })) });
  const unclear = (request: RequestContent, line: string): string => {
    const typed = toAnswer(request, line);
    return typed.type === "unclear" ? typed.how : `answered: ${JSON.stringify(typed.answer)}`;
  };

  it.each([
    [["Yes", "No"], "No", "No"],
    [["Yes", "No"], "no", "No"],
    [["Go on", "No thanks"], "No thanks", "No thanks"],
    [["Go on", "No  thanks "], "no thanks", "No  thanks "],
    [["Keep", "Deny"], "deny", "Deny"],
    [["Deny: all", "Keep"], "Deny: all", "Deny: all"],
    [["Proceed", "N"], "n", "N"],
    [["y", "n"], "n", "n"],
    [["y", "n"], "y", "y"],
    [["Again", "Later"], "again", "Again"],
    [["Delete", "delete"], "delete", "delete"],
    [["Delete", "delete"], "Delete", "Delete"],
    [["3", "5", "2"], "5", "5"],
    [["3", "5", "2"], "1", "3"],
    [["3", "5", "2"], "3.", "2"],
    [["1", "2"], "2", "2"],
    [["8080", "9090"], "8080", "8080"],
    [["a, b", "a", "b"], "a, b", "a, b"],
    [["2 spaces", "4 spaces"], "1", "2 spaces"],
    [["2 spaces", "4 spaces"], "2.", "4 spaces"],
    [["2 spaces", "4 spaces"], "4 SPACES", "4 spaces"],
    [["1 day", "7 days", "14 days"], "1", "1 day"],
    [["1 day", "1 week"], "1", "1 day"],
    [["1. First", "2. Second", "10. Tenth"], "1", "1. First"],
    [["Node 22", "Node 20"], "2", "Node 20"],
  ])("%j: %j chooses %j", (labels, line, label) => {
    for (const multiSelect of [false, true])
      expect(answerTo(withLabels(labels, multiSelect), line)).toEqual({ answers: { "Go?": label } });
  });

  it("accepts several choices that start with a command word", () => {
    const multiple = withLabels(["No thanks", "Deny", "Maybe"], true);
    expect(answerTo(multiple, "No thanks, Maybe")).toEqual({ answers: { "Go?": "No thanks, Maybe" } });
    expect(answerTo(multiple, "deny, 3")).toEqual({ answers: { "Go?": "Deny, Maybe" } });
    const both = asking(
      { question: "Go?", options: [{ label: "Go on" }, { label: "No thanks" }] },
      { question: "And?", options: [{ label: "Yes" }] },
    );
    expect(answerTo(both, "no thanks; yes")).toEqual({ answers: { "Go?": "No thanks", "And?": "Yes" } });
  });

  it("is rejected if it may be one choice or another", () => {
    for (const line of ["3", "2", "03"])
      expect(unclear(withLabels(["3", "5", "2"]), line)).toMatch(/may be a choice or the number of another/);
    expect(unclear(withLabels(["3", "5", "2"], true), "1, 3")).toMatch(/may be a choice/);
    expect(unclear(withLabels(["Delete", "delete"]), "DELETE")).toMatch(/fits several choices/);
    expect(unclear(withLabels(["Yes", "No"]), "no, 1")).not.toMatch(/deny/);
  });

  it.each([
    [["2 spaces", "4 spaces"], "2", '1. for "2 spaces" or 2. for "4 spaces"'],
    [["4 spaces", "Tabs", "2 spaces"], "2", '3. for "2 spaces" or 2. for "Tabs"'],
    [["Tabs", "1-space", "1 day"], "1", '2. for "1-space" or 1. for "Tabs"'],
    [["3", "5", "2"], "2", '3. for "2" or 2. for "5"'],
    [["1 day", "1"], "1", '2. for "1" or 1. for "1 day"'],
    [["10 s", "1 s"], "1", '2. for "1 s" or 1. for "10 s"'],
    [["5 s", "10 s"], "1", '2. for "10 s" or 1. for "5 s"'],
    [["1.5 GB", "1 GB"], "1", '2. for "1 GB" or 1. for "1.5 GB"'],
    [["2. spaces", "4. spaces"], "2.", "type the choice in full"],
  ])("%j: %j is rejected, with every unambiguous alternative", (labels, line, how) => {
    for (const multiSelect of [false, true])
      expect(unclear(withLabels(labels, multiSelect), line)).toContain(how);
  });

  it("is rejected if it may be a choice or a reason to decline", () => {
    expect(unclear(withLabels(["Yes", "No"]), "no because it is late")).toMatch(/^"no" is the start of "No"/);
    expect(unclear(withLabels(["Go on", "No thanks"]), "No thank you")).toMatch(
      /is the start of "No thanks"/,
    );
    expect(unclear(withLabels(["Go on", "No thanks"]), "no")).toMatch(/is the start of/);
    expect(answerTo(withLabels(["Yes", "No"]), "deny it is late")).toEqual({
      decision: "deny",
      message: "it is late",
    });
    expect(answerTo(withLabels(["Yes", "No"]), "d")).toEqual({ decision: "deny" });
  });
});

describe("a question", () => {
  it("shows each choice with the number that selects it", () => {
    expect(choiceLines(permission)).toEqual([]);
    const forged = { label: "Evil\u202e\n2. SQLite", option: "1. hidden" };
    const odd = { ...database, options: [{ description: "without a label" }, forged, "Postgres"] };
    expect(choiceLines(asking(odd))).toEqual([
      '1. (no label)  2. "Evil\\u202e\\u000a2. SQLite"  3. Postgres',
    ]);
    expect(answerTo(asking(odd), "3")).toEqual({ answers: { "Which database?": "Postgres" } });
    expect(choiceLines(asking(database, features))).toEqual([
      "Which database?  1. SQLite  2. Postgres",
      "Which features?  1. Auth  2. Export",
    ]);
  });

  it.each([
    "Keep  ２. Delete all",
    "Keep ⒉ Delete all",
    "Keep 2․ Delete all",
    "Keep ② Delete all",
    "Keep 2) Delete all",
    "Keep 2: Delete all",
    "Keep  2 Delete all",
    "Keep ٢. Delete all",
    'Keep"  2. Delete all  3. "x',
  ])("quotes agent text that could pass for further choices: %s", (text) => {
    const quoted = `"${text.replaceAll('"', "\\u0022")}"`;
    const options = [{ label: text }, { label: "b" }];
    expect(choiceLines(asking({ question: "Go?", options }))).toEqual([`1. ${quoted}  2. b`]);
    expect(choiceLines(asking({ question: text, options: ["a"] }, database))).toEqual([
      `${quoted}  1. a`,
      "Which database?  1. SQLite  2. Postgres",
    ]);
  });

  it.each(["SQLite (recommended)", "Node 22", "Yes, and tell me", "저장", "one/two & three"])(
    "shows a plain label unchanged: %s",
    (label) => {
      expect(choiceLines(asking({ question: "Go?", options: [{ label }] }))).toEqual([`1. ${label}`]);
    },
  );

  it.each(["", "  ", null, 7])(
    "keeps the positions of its choices, even next to one labelled %j",
    (label) => {
      const options = [{ label }, { label: "Keep all" }, { label: "Delete all" }];
      for (const multiSelect of [false, true]) {
        const request = asking({ question: "Go?", multiSelect, options });
        for (const line of ["2", "2.", "keep all"])
          expect(answerTo(request, line)).toEqual({ answers: { "Go?": "Keep all" } });
        for (const line of ["1", "1.", "1, 2"]) expect(answerTo(request, line)).toBe("unclear");
        expect(toAnswer(request, "1")).toMatchObject({ how: expect.stringContaining("has no label") });
      }
    },
  );

  it("accepts only one answer to a repeated question", () => {
    const twice = asking(database, { ...database, options: ["Postgres", "SQLite"] });
    expect(toAnswer(twice, "1; 1")).toMatchObject({ type: "unclear" });
    expect(answerTo(twice, "1; 2")).toEqual({ answers: { "Which database?": "SQLite" } });
  });

  it("explains how to answer it", () => {
    expect(howToAnswer(permission)).toContain("all Bash");
    expect(howToAnswer(asking(database, features))).toContain("the 2 answers");
  });
});

describe("pending requests", () => {
  const toMessage = (body: EnvelopeBody, isReplay = false): AttachMessage => ({
    type: "envelope",
    isReplay,
    envelope: { v: 1, epoch: "e1", sessionId: "s1", seq: 1, ts: "2026-11-15T12:00:00.000Z", ...body },
  });
  const request = (toolUseId: string, isReplay = false): AttachMessage =>
    toMessage(
      {
        type: "permission.request",
        toolUseId,
        tool: "Bash",
        input: {},
        reason: "r",
        rule: null,
        agentId: null,
        agentType: null,
      },
      isReplay,
    );
  const resolved = (toolUseId: string): AttachMessage =>
    toMessage({
      type: "permission.resolved",
      toolUseId,
      outcome: "allow",
      by: "user",
      who: null,
      rule: null,
    });
  const ids = (messages: AttachMessage[]): string[] =>
    messages.reduce<readonly PendingRequest[]>(applyToPending, []).map(({ id }) => id);

  it("are those that were not answered", () => {
    expect(ids([request("t1"), request("t2"), request("t1"), resolved("t2")])).toEqual(["t1"]);
    expect(ids([request("t1"), { type: "down" }])).toEqual(["t1"]);
    expect(ids([request("t1"), toMessage({ type: "state", state: "closed", why: null })])).toEqual([]);
  });

  it("are those of a snapshot, whatever is replayed after it", () => {
    const snapshot: AttachMessage = { type: "snapshot", session: drivenSession() };
    expect(ids([request("t1"), snapshot, request("t2", true)])).toEqual([]);
  });

  it("include the tool of a question", () => {
    const message = toMessage({
      type: "question.request",
      toolUseId: "q",
      questions: [database],
      agentId: null,
    });
    expect(applyToPending([], message)).toEqual([
      { id: "q", toolName: "AskUserQuestion", status: "pending" },
    ]);
  });
});
