import { type ParsedScript, parse } from "unbash";
import { giveUp, spend } from "../work.ts";
import { hasStrayText } from "./stray-text.ts";

/**
 * Parses within the budget. The parser looks ahead for the end of what a bracket opens, so some texts take it the
 * square of their length. It cannot be stopped, hence its work is estimated before it begins.
 */
export function parseScript(text: string): ParsedScript {
  spend(parseWork(text));
  const script = parse(text);
  // Past a depth of 256 it leaves out what lies inside.
  if (script.errors?.some(({ message }) => message.includes("nesting depth"))) giveUp();
  const found = text.search(READ_OTHERWISE);
  if (found < 0 && !hasStrayText(script, text)) return script;
  const pos = Math.max(0, found);
  return {
    ...script,
    errors: [...(script.errors ?? []), { message: "shells read it in different ways", pos }],
  };
}

/**
 * A line break inside a variable's name, which shells leave out and the parser does not; the end of a here-document in
 * `$'…'` or over two lines; a change of folder at the end of a pipe, which lasts in zsh; and `$'\x{2f}'`, a slash in
 * bash alone.
 */
const READ_OTHERWISE =
  /\$\{?\w*\\\r?\n|(?<!<)<<-?[ \t]*(?:[^\s<;|&()'"\\$]|'[^'\n]*'|"[^"\n]*"|\\[^\r\n])*(?:\$|\\\r?\n|'[^'\n]*\n|"[^"\n]*\n)|(?<!\|)\|&?\s*(?:cd|pushd|popd)\b|\$'(?:[^'\\]|\\[^x]|\\x(?!\{))*\\x\{/;

/** What the parser needs for a character that is nested in nothing, in units of work. */
const PER_CHARACTER = 32;

/** An upper bound, found by trying thousands of repeated tokens: see the test. */
function parseWork(text: string): number {
  let work = PER_CHARACTER * text.length;
  let parens = 0;
  let parameters = 0;
  /** Braces of the current word: each is matched to the word's end. */
  let braces = 0;
  /** Expansions and here-documents so far, open or not: a quote may hide where one ends. */
  let expansions = 0;
  for (let at = 0; at < text.length; at++) {
    const before = text[at - 1];
    switch (text[at]) {
      case "(":
        parens++;
        if (before === "$" || before === "<" || before === ">") expansions++;
        break;
      case ")":
        if (parens > 0) parens--;
        break;
      case "{":
        if (before !== "$") braces++;
        else {
          parameters++;
          expansions++;
        }
        break;
      case "}":
        if (braces > 0) braces--;
        else if (parameters > 0) parameters--;
        break;
      case "[":
        if (before === "$") expansions += 8;
        break;
      case "<":
        if (before === "<") expansions++;
        break;
      case " ":
      case "\t":
      case "\n":
        if (before !== "\\") braces = 0;
        break;
    }
    work += 2 * (parens + parameters) + braces + (expansions >> 2);
  }
  return work;
}
