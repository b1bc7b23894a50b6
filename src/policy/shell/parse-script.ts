import { type ParsedScript, parse } from "unbash";
import { parseWork } from "../../shell/parse-work.ts";
import { giveUp, spend } from "../work.ts";
import { hasStrayText } from "./stray-text.ts";

/**
 * Parses within the budget. The parser looks ahead for closing brackets, so some texts take it quadratic time. It
 * cannot be stopped, so its work is estimated before it starts.
 */
export function parseScript(text: string): ParsedScript {
  spend(parseWork(text));
  const script = parse(text);
  // Past a depth of 256 it drops what is inside.
  if (script.errors?.some(({ message }) => message.includes("nesting depth"))) giveUp();
  const found = text.search(PARSED_DIFFERENTLY);
  if (found < 0 && !hasStrayText(script, text)) return script;
  const pos = Math.max(0, found);
  return {
    ...script,
    errors: [...(script.errors ?? []), { message: "shells read it in different ways", pos }],
  };
}

/**
 * A line break inside a variable's name, which shells drop and the parser does not; a here-document delimiter in `$'…'`
 * or over two lines; a change of folder at the end of a pipe, which lasts in zsh; and `$'\x{2f}'`, a slash only in
 * bash.
 */
const PARSED_DIFFERENTLY =
  /\$\{?\w*\\\r?\n|(?<!<)<<-?[ \t]*(?:[^\s<;|&()'"\\$]|'[^'\n]*'|"[^"\n]*"|\\[^\r\n])*(?:\$|\\\r?\n|'[^'\n]*\n|"[^"\n]*\n)|(?<!\|)\|&?\s*(?:cd|pushd|popd)\b|\$'(?:[^'\\]|\\[^x]|\\x(?!\{))*\\x\{/;
