import { type ParsedScript, parse } from "unbash";
import { parseWork } from "../../shell/parse-work.ts";
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
