import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffText } from "./diff-text.ts";
import { hashShown, type RequestToShow, shownLength, showRequest } from "./show-request.ts";
import { visibleLine, visibleText, visibleTrailingBlanks } from "./visible-text.ts";

const request = (toolName: string, input: unknown, more: Partial<RequestToShow> = {}): RequestToShow => ({
  kind: "permission",
  toolName,
  input,
  agentId: null,
  agentType: null,
  ...more,
});
const shown = (toolName: string, input: unknown, more: Partial<RequestToShow> = {}) =>
  showRequest(request(toolName, input, more)).map(({ name, text }) => [name, text]);

describe("a shown request", () => {
  it("shows the tool, the subagent, the description, then every field", () => {
    const input = {
      timeout: 1000,
      description: "Deploy",
      command: "npm run deploy",
      run_in_background: true,
    };
    expect(shown("Bash", input, { agentId: "a1", agentType: "Explore" })).toEqual([
      ["tool", "Bash"],
      ["agent", "Explore a1"],
      ["description", "Deploy"],
      ["command", "npm run deploy"],
      ["timeout", "1000"],
      ["run_in_background", "true"],
    ]);
  });

  it("shows an edit as removed and added lines, and its other fields", () => {
    const edit = { file_path: "a.ts", old_string: "a\nb\nc", new_string: "a\nx\ny\nc", replace_all: true };
    expect(shown("Edit", edit)).toEqual([
      ["tool", "Edit"],
      ["file_path", "a.ts"],
      ["diff", "  a\n- b\n+ x\n+ y\n  c"],
      ["replace_all", "true"],
    ]);
    const { file_path, ...rest } = edit;
    expect(shown("MultiEdit", { file_path, edits: [rest, { ...rest, replace_all: false }] })).toEqual([
      ["tool", "MultiEdit"],
      ["file_path", "a.ts"],
      ["diff", "  a\n- b\n+ x\n+ y\n  c"],
      ["replace_all", "true"],
      ["diff", "  a\n- b\n+ x\n+ y\n  c"],
      ["replace_all", "false"],
    ]);
    const replacement = { old_string: "a", new_string: "b" };
    const perEdit = shown("MultiEdit", {
      file_path,
      edits: [replacement, { ...replacement, replace_all: true }],
    });
    expect(
      shown("MultiEdit", { file_path, edits: [replacement, replacement], replace_all: true }),
    ).not.toEqual(perEdit);
  });

  it("shows the content of a written file, and inputs of unknown shape as JSON", () => {
    expect(shown("Write", { content: "x\ny", file_path: "a.ts" })).toEqual([
      ["tool", "Write"],
      ["file_path", "a.ts"],
      ["content", "x\ny"],
    ]);
    expect(shown("mcp__x__y", ["rm", "-rf"])).toEqual([
      ["tool", "mcp__x__y"],
      ["input", '[\n  "rm",\n  "-rf"\n]'],
    ]);
    expect(shown("Edit", { file_path: "a", old_string: 7 })).toEqual([
      ["tool", "Edit"],
      ["file_path", "a"],
      ["old_string", "7"],
    ]);
    expect(shown("X", null)).toEqual([["tool", "X"]]);
  });

  it("shows questions with all their options, and unexpected fields", () => {
    const questions = [
      {
        question: "Which?",
        header: "DB",
        multiSelect: false,
        options: [{ label: "A", description: "a" }, "B"],
      },
      { question: "Why?", options: [{ label: "C", preview: "p" }] },
    ];
    expect(shown("AskUserQuestion", { questions, note: "n" }, { kind: "question" })).toEqual([
      ["tool", "AskUserQuestion"],
      ["question", "Which?"],
      ["option", "A"],
      ["about", "a"],
      ["option", "B"],
      ["header", "DB"],
      ["question", "Why?"],
      ["option", "C"],
      ["preview", "p"],
      ["note", "n"],
    ]);
  });

  it("contains every string of the input, whatever its shape", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), value),
        fc.constantFrom("Bash", "Edit", "Write", "mcp__a__b"),
        (input, tool) => {
          const text = showRequest(request(tool, input))
            .map(({ name, text: value }) => `${name}\n${value}`)
            .join("\n");
          for (const [key, field] of Object.entries(input))
            if (typeof field === "string" && key !== "old_string" && key !== "new_string")
              expect(text).toContain(visibleText(visibleTrailingBlanks(field)));
        },
      ),
    );
  });

  it("has a hash that changes with any shown text, field or name, and with nothing else", async () => {
    const hash = (toolName: string, input: unknown, more: Partial<RequestToShow> = {}) =>
      hashShown(showRequest(request(toolName, input, more)));
    const base = { command: "npm test", description: "Test" };
    const known = await hash("Bash", base);
    expect(await hash("Bash", { description: "Test", command: "npm test" })).toBe(known);
    const others = [
      hash("PowerShell", base),
      hash("Bash", { ...base, command: "npm test " }),
      hash("Bash", { command: "npm test" }),
      hash("Bash", { ...base, timeout: 1 }),
      hash("Bash", base, { agentId: "a1" }),
      hash("Bash", { command: "npm test\ndescription\nTest" }),
    ];
    for (const other of await Promise.all(others)) expect(other).not.toBe(known);
    expect(known).toMatch(/^[0-9a-f]{64}$/);
  });

  it("escapes trailing blanks, which change what a backslash before them does", () => {
    expect(shown("Bash", { command: "echo a \\ \nrm x\t \n  y" })).toEqual([
      ["tool", "Bash"],
      ["command", "echo a \\\\u0020\nrm x\\u0009\\u0020\n  y"],
    ]);
    const edit = (old_string: string, new_string: string) => shown("Edit", { old_string, new_string })[1]![1];
    expect(edit("x", "x ")).toBe("- x\n+ x\\u0020");
    expect(edit("x\n", "x")).toBe("  x\n- ");
    expect(edit("\tx\n\ty", "  x\n\tz")).toBe("- \\u0009x\n- \ty\n+   x\n+ \tz");
  });

  it("distinguishes a character from text that looks like its escape", () => {
    const texts = (command: string) => shown("Bash", { command });
    expect(texts("# keep\\u000dimport setup")).not.toEqual(texts("# keep\rimport setup"));
    expect(texts("a\\u0020")).not.toEqual(texts("a "));
    expect(texts("printf '\\u00e9'")).toContainEqual(["command", "printf '\\u005cu00e9'"]);
  });

  it("shows each name on one line, and an empty name as two quotes", () => {
    const names = { "": 1, "a\ncommand\nls": 2, " ": 3 };
    expect(shown("Bash\ncommand ls", names, { agentId: "a\n1", agentType: "T\n" })).toEqual([
      ["tool", "Bash\\u000acommand ls"],
      ["agent", "T\\u000a a\\u000a1"],
      ['""', "1"],
      ["a\\u000acommand\\u000als", "2"],
      ["\\u0020", "3"],
    ]);
    expect(shown("  ", {})).toEqual([["tool", "\\u0020\\u0020"]]);
  });

  it("does not indent deeply nested values", () => {
    const nested = JSON.parse(`${"[".repeat(3_000)}"end"${"]".repeat(3_000)}`) as unknown;
    const text = shown("mcp__x__y", { nested })[1]![1]!;
    expect(text).toBe(JSON.stringify(nested));
  });

  it("reports its length", () => {
    expect(shownLength(showRequest(request("Bash", { command: "a\nb" })))).toEqual({
      characters: 7,
      lines: 3,
    });
  });
});

describe("visible text", () => {
  it.each([
    ["bidi override", "a\u202eb", "a\\u202eb"],
    ["isolates", "\u2066x\u2069", "\\u2066x\\u2069"],
    ["zero width", "r\u200bm\u2060\ufeff", "r\\u200bm\\u2060\\ufeff"],
    ["escape", "\u001b[2K", "\\u001b[2K"],
    ["carriage return", "safe\rrm", "safe\\u000drm"],
    ["backspace and delete", "a\b\u007f", "a\\u0008\\u007f"],
    ["C1 controls", "\u009b31m", "\\u009b31m"],
    ["tags", "a\u{e0072}\u{e006d}", "a\\u{e0072}\\u{e006d}"],
    ["variation selectors", "a\ufe0f\ufe00\u{e0100}", "a\\ufe0f\\ufe00\\u{e0100}"],
    ["unusual blanks", "a\u00a0b\u3000c\u2003d", "a\\u00a0b\\u3000c\\u2003d"],
    ["fillers", "\u3164\u115f\uffa0\u2800", "\\u3164\\u115f\\uffa0\\u2800"],
    ["line separators", "a\u2028b\u2029", "a\\u2028b\\u2029"],
    ["soft hyphen and joiners", "a\u00ad\u034f\u061c", "a\\u00ad\\u034f\\u061c"],
    ["private use", "\ue000\u{f0000}", "\\ue000\\u{f0000}"],
    ["a lone surrogate", "\ud800x\udc00", "\\ud800x\\udc00"],
    ["stacked marks", "a\u0301\u0302\u0303", "a\u0301\u0302\\u0303"],
    ["annotations", "\ufff9x\ufffb", "\\ufff9x\\ufffb"],
  ])("shows %s", (_what, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it("leaves ordinary text unchanged", () => {
    for (const text of ["naïve é ñ", "한국어 日本語 中文", "❤️ 👍🏽 1️⃣", "a\tb\nc", "ที่นี่", "שלום"])
      expect(visibleText(text)).toBe(text);
    expect(visibleLine("a\tb\nc")).toBe("a\\u0009b\\u000ac");
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => visibleText(visibleText(text)) === visibleText(text),
      ),
    );
  });
});

it("a diff contains both texts completely", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "", "- a", "+ b")).map((all) => all.join("\n"));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffText(before, after).split("\n");
      const side = (marks: string) =>
        diff.flatMap((line) => (marks.includes(line[0]!) ? [line.slice(2)] : [])).join("\n");
      expect([side(" -"), side(" +")]).toEqual([before, after]);
    }),
  );
});
