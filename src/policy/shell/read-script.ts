import { giveUp, isStackOverflow, TooLongToJudge } from "../work.ts";
import { parseScript } from "./parse-script.ts";
import type { ShellReading } from "./shell-reading.ts";
import { createWalk } from "./walk-script.ts";

/** A command of 32 KB, with the quotes that are put around its words. */
const LONGEST = 65_536;

/**
 * Every simple command that a script may run, in one flat list. What cannot be read is a problem; it throws only
 * when there is too much to read.
 * It is walked twice, since a loop or a function may use what is assigned further down.
 */
export function readScript(
  text: string,
  place: { readonly home: string; readonly cwd: string },
): ShellReading {
  if (text.length > LONGEST) giveUp();
  // Both stand for something else while words are expanded.
  if (/[\u0000\u0001]/.test(text)) return unreadable("it has a control character in it");
  try {
    if (runsInSubscript(text)) return unreadable("a subscript in it runs a command");
    const script = parseScript(text);
    const found = { ...place, findsHidden: FINDS_HIDDEN.test(text) };
    const first = createWalk(found);
    first.walk(script);
    if (!first.isWorthAgain()) return first.reading();
    const second = createWalk(found, first.known());
    second.walk(script);
    return second.reading();
  } catch (error) {
    if (error instanceof TooLongToJudge) throw error;
    if (isStackOverflow(error)) giveUp();
    return unreadable("it is not understood");
  }
}

/** Options and variables of shells with which a star finds hidden names, too. */
const FINDS_HIDDEN = /dotglob|glob_?dots|GLOBIGNORE|(?:emulate|setopt)\s+ksh/i;

/** Whether a command stands inside a subscript: that one is evaluated wherever a number is expected, even in quotes. */
function runsInSubscript(text: string): boolean {
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\n") depth = 0;
    else if (char === "[" && (depth > 0 || /\w/.test(text[at - 1]!))) depth++;
    else if (char === "]" && depth > 0) depth--;
    else if (depth > 0 && (char === "`" || (char === "$" && text[at + 1] === "(" && text[at + 2] !== "(")))
      return true;
  }
  return false;
}

function unreadable(problem: string): ShellReading {
  return { commands: [], problems: [problem], forkBomb: null, reads: [], leftOut: [] };
}
