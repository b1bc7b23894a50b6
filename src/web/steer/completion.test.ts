import { describe, expect, it } from "vitest";
import { applyCompletion, completionAt, matchCommands } from "./completion.ts";

const at = (marked: string) => {
  const caret = marked.indexOf("|");
  return { text: marked.replace("|", ""), caret };
};
const found = (marked: string) => {
  const { text, caret } = at(marked);
  const completion = completionAt(text, caret);
  return completion === null ? null : [completion.kind, completion.typed];
};

describe("what is completed in a message", () => {
  it("is a command at its start only", () => {
    expect(found("/|")).toEqual(["command", ""]);
    expect(found("/com|")).toEqual(["command", "com"]);
    expect(found("/mcp:do-it|")).toEqual(["command", "mcp:do-it"]);
    for (const text of ["say /com|", "/compact now|", "|/com", "/etc/hosts|"]) expect(found(text)).toBeNull();
  });

  it("is a file after an @ that starts a word", () => {
    expect(found("@|")).toEqual(["file", ""]);
    expect(found("read @src/a|")).toEqual(["file", "src/a"]);
    expect(found("two\n@x|")).toEqual(["file", "x"]);
    for (const text of ["me@host|", "@a b|", "@a@b|"]) expect(found(text)).toBeNull();
  });

  it("is put in place, with a space unless it is a folder or one follows", () => {
    const pick = (marked: string, choice: string): string => {
      const { text, caret } = at(marked);
      const done = applyCompletion(text, caret, completionAt(text, caret)!, choice);
      return `${done.text.slice(0, done.caret)}|${done.text.slice(done.caret)}`;
    };
    expect(pick("/com|", "compact")).toBe("/compact |");
    expect(pick("read @sr| now", "src/")).toBe("read @src/| now");
    expect(pick("read @src/a| now", "src/a.ts")).toBe("read @src/a.ts| now");
    expect(pick("@src/a|", "src/a.ts")).toBe("@src/a.ts |");
  });

  it("has commands that start as typed first", () => {
    expect(matchCommands(["recompact", "Compact", "cost"], "comp")).toEqual(["Compact", "recompact"]);
    expect(matchCommands(["b", "a"], "")).toEqual(["a", "b"]);
  });
});
