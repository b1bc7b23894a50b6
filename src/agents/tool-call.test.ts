import { describe, expect, it } from "vitest";
import { questionsOf } from "./questions.ts";
import {
  type CallWithInput,
  formOfCall,
  isEditCall,
  kindOfCall,
  pathsOfCall,
  requestKindOf,
  subjectOfCall,
  textOfCall,
} from "./tool-call.ts";

describe("the text of a call", () => {
  it.each<[string | null, unknown, string]>([
    ["Bash", { command: "npm test\nls", description: "Run" }, "npm test\nls"],
    ["Edit", { file_path: "/a.ts", old_string: "x" }, "/a.ts"],
    ["WebFetch", { url: "https://example.com", prompt: "read" }, "https://example.com"],
    ["ExitPlanMode", { plan: "1. Build" }, "1. Build"],
    ["AskUserQuestion", { questions: [{ question: "A?" }, { question: "B?" }] }, "A?\nB?"],
    ["mcp__shop__buy", { item: "anvil" }, '{"item":"anvil"}'],
    ["Bash", {}, ""],
    ["Bash", { command: 5 }, '{"command":5}'],
    [null, "words", "words"],
    [null, undefined, ""],
    ["__proto__", { a: 1 }, '{"a":1}'],
  ])("of %s with %j", (toolName, input, text) => {
    expect(textOfCall({ toolName, toolInput: input })).toBe(text);
  });

  it("is truncated at 10,000 characters", () => {
    expect(textOfCall({ toolName: "Bash", toolInput: { command: "x".repeat(20_000) } })).toHaveLength(10_000);
  });
});

describe("questions", () => {
  it("are read if they have the known shape", () => {
    for (const hostile of [null, 5, [], { questions: 5 }, { questions: [null, {}, { question: 7 }] }])
      expect(questionsOf(hostile)).toEqual([]);
    expect(questionsOf({ questions: [{ question: "A?", options: ["yes", { label: 3 }, null] }] })).toEqual([
      { question: "A?", header: null, multiSelect: false, options: [{ label: "yes", description: null }] },
    ]);
  });
});

describe("a call recorded without its kind", () => {
  it.each([
    ["AskUserQuestion", "question", "question"],
    ["ExitPlanMode", "plan", "plan"],
    ["Bash", "shell", "permission"],
    ["run_shell_command", "shell", "permission"],
    ["toy_ask", "other", "permission"],
  ])("is classified by its tool's name: %s", (toolName, kind, requestKind) => {
    expect(kindOfCall({ toolName })).toBe(kind);
    expect(requestKindOf({ toolName })).toBe(requestKind);
  });

  it("may have any value as a name", () => {
    for (const toolName of [null, undefined, 5, [], {}]) expect(kindOfCall({ toolName })).toBe("other");
  });
});

describe("a call recorded with its kind", () => {
  it("has that kind, whatever its tool is called", () => {
    expect(kindOfCall({ toolName: "toy_ask", toolKind: "question" })).toBe("question");
    expect(kindOfCall({ toolName: "Bash", toolKind: "fetch" })).toBe("fetch");
    expect(isEditCall({ toolName: "toy_change", toolKind: "edit" })).toBe(true);
    expect(kindOfCall({ toolName: "Bash", toolKind: "no kind of ours" })).toBe("shell");
  });

  it("has the finer form of its name if both agree", () => {
    expect(formOfCall({ toolName: "Glob", toolKind: "search" })).toBe("glob");
    expect(formOfCall({ toolName: "Glob", toolKind: "shell" })).toBe("shell");
    expect(formOfCall({ toolName: "toy_find", toolKind: "search" })).toBe("search");
  });

  it("reads its input by its kind", () => {
    const call = { toolName: "toy_run", toolKind: "shell", toolInput: { cmd: "ls\npwd", x: 1 } };
    expect(textOfCall(call)).toBe("ls\npwd");
    expect(pathsOfCall({ toolName: "toy_read", toolKind: "read", toolInput: { filePath: "/a" } })).toEqual([
      "/a",
    ]);
  });
});

describe("the subject of a call", () => {
  const short = (path: string): string => path.replace("/w/", "");
  it.each<[CallWithInput, string | null]>([
    [
      { toolName: "toy", toolKind: "other", subject: "as recorded", toolInput: { command: "x" } },
      "as recorded",
    ],
    [{ toolName: "Read", toolInput: { file_path: "/w/a.ts" } }, "a.ts"],
    [{ toolName: "Read", subject: "/w/a.ts", toolInput: null }, "a.ts"],
    [{ toolName: "Grep", toolInput: { pattern: "x", path: "/w/src" } }, "x  in src"],
    [{ toolName: "Glob", subject: "*.ts", toolInput: { pattern: "*.ts", path: "/w/src" } }, "*.ts  in src"],
    [{ toolName: "LS", toolInput: { path: "/w/src" } }, "src"],
    [{ toolName: "mcp__x__y", toolInput: { file_path: "/w/a" } }, "a"],
    [{ toolName: "mcp__x__y", toolInput: { pattern: "x", glob: "*.ts" } }, "x  in *.ts"],
    [{ toolName: "mcp__x__y", toolInput: { questions: [{ question: "A?" }] } }, "A?"],
    [{ toolName: "mcp__x__y", toolInput: { description: "d", command: "c" } }, "c"],
    [{ toolName: "mcp__x__y", toolInput: { item: "anvil" } }, null],
    [{ toolName: "mcp__x__y", toolInput: "words" }, null],
  ])("of %j is %j", (call, subject) => {
    expect(subjectOfCall(call, short)).toBe(subject);
  });
});
