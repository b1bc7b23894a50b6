import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showRequest } from "../shown/show-request.ts";
import { noteLines, requestLines } from "./request-lines.ts";

const lines = (input: unknown, width = 80): string[] =>
  requestLines(showRequest({ kind: "permission", toolName: "Bash", input, agentId: null, agentType: null }), {
    width,
  });
/** Reassembles the agent's text from behind the bars. */
const textOf = (drawn: readonly string[]): string =>
  drawn
    .map((line) => line.slice(12))
    .map((line) => (line.startsWith("↳ ") ? line.slice(2) : `\n${line.slice(2)}`))
    .join("")
    .slice(1);

describe("a request on a terminal", () => {
  it("shows each part after its name", () => {
    expect(lines({ command: "npm test\n  && npm run build", description: "Test it" })).toEqual([
      "tool        │ Bash",
      "description │ Test it",
      "command     │ npm test",
      "            │   && npm run build",
    ]);
  });

  it("marks the rest of a wrapped line, so that it does not look like a separate line", () => {
    const comment = `# ${"x".repeat(16)}`;
    expect(lines({ command: `${comment}rm a` }, 32).slice(1)).toEqual([
      `command     │ ${comment}`,
      "            ↳ rm a",
    ]);
    expect(lines({ command: `${comment}\nrm a` }, 32).slice(1)).toEqual([
      `command     │ ${comment}`,
      "            │ rm a",
    ]);
  });

  it("quotes a field name that could pass for one of our labels", () => {
    const evil = { "tool\n            │ true": "x", "            │ ls": "y", "\u001b[2Jdescription": "z" };
    const drawn = lines(evil, 200);
    expect(drawn.slice(1).filter((line) => !/^(?:"| {12}│ )/.test(line))).toEqual([]);
    expect(drawn.join("")).not.toContain("\u001b");
    expect(drawn.join("\n")).toContain("\\u000a");
    expect(lines({ agent: "trusted", tool: "Read", description: "ours" })).toEqual([
      "tool        │ Bash",
      "description │ ours",
      '"agent"     │ trusted',
      '"tool"      │ Read',
    ]);
  });

  it("expands tabs, and escapes other characters in ASCII mode", () => {
    expect(lines({ command: "a\tb\tc" })[1]).toBe("command     │ a       b       c");
    const parts = [{ role: "field", name: "command", text: "rm пусто 가" }] as const;
    expect(requestLines(parts, { width: 80, ascii: true })[0]).toBe(
      "command     │ rm \\u043f\\u0443\\u0441\\u0442\\u043e \\uac00",
    );
  });

  it("loses no character at any width, and prints no control characters", () => {
    const letters = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "\u001b[2J",
        "\u202e",
        "\t",
        "\n",
        "가나다",
        "👩‍💻",
        " ".repeat(99),
        "\u0301\u0301\u0301",
      ),
    );
    fc.assert(
      fc.property(fc.array(letters), fc.integer({ min: 30, max: 120 }), (pieces, width) => {
        const [part] = showRequest({
          kind: "permission",
          toolName: pieces.join(""),
          input: undefined,
          agentId: null,
          agentType: null,
        });
        const drawn = requestLines([part!], { width });
        expect(drawn.join("")).not.toMatch(/[\0-\u001f\u007f-\u009f\u202a-\u202e]/);
        if (!part!.text.includes("\t")) expect(textOf(drawn)).toBe(part!.text);
        for (const line of drawn) expect([...line].length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("shows our notes where agent text cannot appear", () => {
    expect(noteLines(`Asked because: ${"y".repeat(40)}`, { width: 40 })).toEqual([
      `· Asked because: ${"y".repeat(23)}`,
      `↳ ${"y".repeat(17)}`,
    ]);
  });
});
