import { describe, expect, it } from "vitest";
import { firstLine, questionsOf, toolText } from "./tool-text.ts";

describe("what a call is about", () => {
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
    expect(toolText(toolName, input)).toBe(text);
  });

  it("is cut where nobody reads on", () => {
    expect(toolText("Bash", { command: "x".repeat(20_000) })).toHaveLength(10_000);
    expect(firstLine(`\n  ${"y".repeat(500)}\nz`)).toHaveLength(200);
  });
});

describe("questions", () => {
  it("are those that have the known shape", () => {
    for (const hostile of [null, 5, [], { questions: 5 }, { questions: [null, {}, { question: 7 }] }])
      expect(questionsOf(hostile)).toEqual([]);
    expect(questionsOf({ questions: [{ question: "A?", options: ["yes", { label: 3 }, null] }] })).toEqual([
      { question: "A?", header: null, multiSelect: false, options: [{ label: "yes", description: null }] },
    ]);
  });
});
