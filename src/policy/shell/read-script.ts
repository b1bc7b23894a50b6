import { giveUp, isStackOverflow, TooLongToJudge } from "../work.ts";
import { parseScript } from "./parse-script.ts";
import type { ShellReading } from "./shell-reading.ts";
import { createWalk } from "./walk-script.ts";

/** A command of 32 KB, plus the quotes added around its words. */
const MAX_SCRIPT_LENGTH = 65_536;

/**
 * Every simple command that a script may run, in one flat list. An unreadable part is a problem; it throws only when
 * there is too much to read.
 * It is walked twice, since a loop or a function may use what is assigned further down.
 */
export function readScript(
  text: string,
  location: { readonly home: string; readonly cwd: string },
): ShellReading {
  if (text.length > MAX_SCRIPT_LENGTH) giveUp();
  // Both have a special meaning while words are expanded.
  if (/[\u0000\u0001]/.test(text)) return unreadable("it has a control character in it");
  try {
    if (runsInSubscript(text)) return unreadable("a subscript in it runs a command");
    const script = parseScript(text);
    const start = { ...location, findsHidden: FINDS_HIDDEN.test(text) };
    const first = createWalk(start);
    first.walk(script);
    if (!first.needsSecondWalk()) return first.reading();
    const second = createWalk(start, first.definitions());
    second.walk(script);
    return second.reading();
  } catch (error) {
    if (error instanceof TooLongToJudge) throw error;
    if (isStackOverflow(error)) giveUp();
    return unreadable("it is not understood");
  }
}

/** Shell options and variables with which a star matches hidden names too. */
const FINDS_HIDDEN = /dotglob|glob_?dots|GLOBIGNORE|(?:emulate|setopt)\s+ksh/i;

/** Whether a subscript contains a command: it is evaluated wherever a number is expected, even in quotes. */
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
  return { commands: [], problems: [problem], forkBomb: null, readVariables: [] };
}
