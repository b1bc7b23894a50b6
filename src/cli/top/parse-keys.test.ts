import { describe, expect, it } from "vitest";
import { createKeyParser, type TerminalInput } from "./parse-keys.ts";

function toText(input: TerminalInput): string {
  if (input.type === "focus") return input.isFocused ? "focus" : "blur";
  const { name, text, isPasted } = input.key;
  return name === "char" ? `${isPasted ? "pasted " : ""}'${text}'` : name;
}

function parse(...chunks: readonly string[]): string[] {
  const parser = createKeyParser();
  const inputs = chunks.flatMap((chunk) => parser.parse(chunk));
  return [...inputs, ...parser.flush()].map(toText);
}

describe("createKeyParser", () => {
  it.each([
    ["y", ["'y'"]],
    ["한", ["'한'"]],
    ["😀", ["'😀'"]],
    ["\r", ["enter"]],
    ["\t", ["next"]],
    ["\u007f", ["backspace"]],
    ["\u0003", ["interrupt"]],
    ["\u0001", ["''"]],
    ["\u001b", ["escape"]],
    ["\u001b[A", ["up"]],
    ["\u001bOB", ["down"]],
    ["\u001b[C", ["next"]],
    ["\u001b[D", ["previous"]],
    ["\u001b[Z", ["previous"]],
    ["\u001b[H", ["home"]],
    ["\u001b[4~", ["end"]],
    ["\u001b[5~", ["pageUp"]],
    ["\u001b[6~", ["pageDown"]],
    ["\u001b[3~", ["backspace"]],
    ["\u001b[1;2A", ["up"]],
  ])("parses %j", (chunk, expected) => {
    expect(parse(chunk)).toEqual(expected);
  });

  it.each([
    ["Alt+y", "\u001by"],
    ["Ctrl+Up", "\u001b[1;5A"],
    ["F5", "\u001b[15~"],
    ["a cursor report", "\u001b[12;40R"],
    ["a mouse report", "\u001b[<0;1;1M"],
  ])("never reads a letter from %s", (_what, chunk) => {
    expect(parse(chunk)).toEqual(["''"]);
  });

  it("marks characters that arrive together as pasted, including a line break", () => {
    expect(parse("yn")).toEqual(["pasted 'y'", "pasted 'n'"]);
    expect(parse("y\r")).toEqual(["pasted 'y'", "pasted '\r'"]);
  });

  it("recognizes Ctrl+C and backspace within other input", () => {
    expect(parse("ab\u0003")).toEqual(["pasted 'a'", "pasted 'b'", "interrupt"]);
    expect(parse("\u007f\u007f")).toEqual(["backspace", "backspace"]);
  });

  it("joins a sequence that is split across chunks", () => {
    expect(parse("\u001b", "[A")).toEqual(["up"]);
    expect(parse("\u001b[", "5", "~")).toEqual(["pageUp"]);
  });

  it("reports focus changes separately from keys", () => {
    expect(parse("\u001b[I", "y", "\u001b[A\u001b[O")).toEqual(["focus", "'y'", "up", "blur"]);
    expect(parse("\u001b[", "Oj")).toEqual(["blur", "'j'"]);
  });

  it("reports when an escape sequence is incomplete", () => {
    const parser = createKeyParser();
    expect(parser.parse("\u001b")).toEqual([]);
    expect(parser.isPending()).toBe(true);
    expect(parser.flush().map(toText)).toEqual(["escape"]);
    expect(parser.isPending()).toBe(false);
    expect(parser.flush()).toEqual([]);
  });
});
