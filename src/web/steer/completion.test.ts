import { describe, expect, it } from "vitest";
import { applyCompletion, completionAt, matchCommands } from "./completion.ts";

const splitCaret = (marked: string) => {
  const caret = marked.indexOf("|");
  return { text: marked.replace("|", ""), caret };
};
const completionOf = (marked: string) => {
  const { text, caret } = splitCaret(marked);
  const completion = completionAt(text, caret);
  return completion === null ? null : [completion.kind, completion.typed];
};

describe("message completion", () => {
  it("completes commands only at the start of a message", () => {
    expect(completionOf("/|")).toEqual(["command", ""]);
    expect(completionOf("/com|")).toEqual(["command", "com"]);
    expect(completionOf("/mcp:do-it|")).toEqual(["command", "mcp:do-it"]);
    for (const text of ["say /com|", "/compact now|", "|/com", "/etc/hosts|"])
      expect(completionOf(text)).toBeNull();
  });

  it("completes files after an @ at the start of a word", () => {
    expect(completionOf("@|")).toEqual(["file", ""]);
    expect(completionOf("read @src/a|")).toEqual(["file", "src/a"]);
    expect(completionOf("two\n@x|")).toEqual(["file", "x"]);
    for (const text of ["me@host|", "@a b|", "@a@b|"]) expect(completionOf(text)).toBeNull();
  });

  it("inserts the option, with a space unless it is a folder or a space follows", () => {
    const complete = (marked: string, choice: string): string => {
      const { text, caret } = splitCaret(marked);
      const result = applyCompletion(text, caret, completionAt(text, caret)!, choice);
      return `${result.text.slice(0, result.caret)}|${result.text.slice(result.caret)}`;
    };
    expect(complete("/com|", "compact")).toBe("/compact |");
    expect(complete("read @sr| now", "src/")).toBe("read @src/| now");
    expect(complete("read @src/a| now", "src/a.ts")).toBe("read @src/a.ts| now");
    expect(complete("@src/a|", "src/a.ts")).toBe("@src/a.ts |");
  });

  it("lists commands that start with the query first", () => {
    expect(matchCommands(["recompact", "Compact", "cost"], "comp")).toEqual(["Compact", "recompact"]);
    expect(matchCommands(["b", "a"], "")).toEqual(["a", "b"]);
  });
});
