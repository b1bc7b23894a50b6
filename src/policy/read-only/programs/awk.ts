import type { Locations } from "../../locations.ts";
import { isKnown, type ShellCommand, type ShellWord } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";
import { endOfBracket } from "./sed.ts";

const VARIABLE = /^(?:[a-z]\w*|FS|OFS|RS|ORS)=/;

/** `awk` with a program that only prints what it computes: no files, no commands, no environment. */
export function isReadOnlyAwk(command: ShellCommand, locations: Locations): boolean {
  const { args } = command;
  let at = 0;
  for (; at < args.length && /^-./.test(args[at]!.text); at++) {
    const { text } = args[at]!;
    if (text === "--") {
      at++;
      break;
    }
    // An unknown word may be empty: then the next word is its value, and the one after that the program.
    if (!isKnown(args[at]!) || args[at]!.isGlob) return false;
    if (/^-F./.test(text)) continue;
    const value = text === "-F" || text === "-v" ? args[++at] : { ...args[at]!, text: text.slice(2) };
    if (!/^-[Fv]/.test(text) || value === undefined || value.isSplit || value.isGlob) return false;
    if (
      text.startsWith("-v") &&
      !(VARIABLE.test(value.text) && matchesKind(value, "text", command, locations))
    )
      return false;
  }
  const [program, ...files] = args.slice(at);
  return (
    program !== undefined &&
    isKnown(program) &&
    !program.isGlob &&
    onlyPrints(program.text) &&
    files.every((word) => !isAssignment(word) && matchesKind(word, "read", command, locations))
  );
}

/** `x=1` among the files is not a file. */
function isAssignment({ text }: ShellWord): boolean {
  return /^[A-Za-z_]\w*=/.test(text) && !VARIABLE.test(text);
}

const WORDS = new Set(
  "BEGIN END if else for while do in next nextfile exit break continue delete NR NF FNR FS OFS RS ORS FILENAME RSTART RLENGTH length substr index split sub gsub match tolower toupper sprintf int log exp sqrt sin cos atan2 rand srand".split(
    " ",
  ),
);
const FUNCTIONS =
  /^(?:length|substr|index|split|sub|gsub|match|tolower|toupper|sprintf|int|log|exp|sqrt|sin|cos|atan2|rand|srand|if|for|while|print|printf|in|exit)$/;
const PUNCTUATION = /^(?:&&|\|\||[-+*/%^=!<>~?:,;(){}[\]$\n\s])/;
const MAX_PROGRAM_LENGTH = 4_000;

/** What precedes a `/`: it decides between a division and a regular expression. */
type Before = "value" | "operator" | "condition";

/** Reads token by token; fails at any that is not known to be harmless, or that awk versions read differently. */
function onlyPrints(program: string): boolean {
  if (program.length > MAX_PROGRAM_LENGTH) return false;
  let before: Before = "operator";
  let isPrinting = false;
  let lastWord = "";
  /** For each open parenthesis: whether it belongs to `if`, `for` or `while`. */
  const parentheses: boolean[] = [];
  for (let at = 0; at < program.length; ) {
    const rest = program.slice(at, at + 200);
    const word = /^[A-Za-z_]\w*/.exec(rest)?.[0];
    if (word !== undefined) {
      if (!isHarmlessWord(word, program[at + word.length] ?? "")) return false;
      if (/^printf?$/.test(word)) isPrinting = true;
      if (/^(?:print|printf|in|else|do|exit)$/.test(word)) before = "operator";
      // Some awks read a slash after these as a pattern.
      else if (/^(?:break|continue|next|nextfile|return|delete|BEGIN|END)$/.test(word)) before = "condition";
      else before = "value";
      lastWord = word;
      at += word.length;
      continue;
    }
    const char = program[at]!;
    if (char === '"' || (char === "/" && before === "operator")) {
      const end = char === '"' ? endOfString(program, at) : endOfRegExp(program, at);
      if (end < 0) return false;
      before = "value";
      at = end;
      continue;
    }
    const number = /^(?:\d{1,20}(?:\.\d{1,20})?|\.\d{1,20})/.exec(rest)?.[0];
    const mark = number ?? PUNCTUATION.exec(rest)?.[0];
    if (mark === undefined || (mark === "/" && before === "condition")) return false;
    if (isPrinting && mark === ">") return false;
    if (mark === ";" || mark === "}") isPrinting = false;
    if (mark === "(") parentheses.push(/^(?:if|for|while)$/.test(lastWord));
    if (/\S/.test(mark)) {
      if (number !== undefined || mark === "]") before = "value";
      else if (mark === ")") before = parentheses.pop() === true ? "condition" : "value";
      else if (!(before === "value" && isStep(program, at))) before = "operator";
      lastWord = "";
    } else if (mark === "\n") before = "operator";
    at += mark.length;
  }
  return true;
}

/** For `++` and `--` after a value: a division may follow. */
function isStep(program: string, at: number): boolean {
  const pair = program.slice(at, at + 2);
  const previousPair = program.slice(at - 1, at + 1);
  return /^(?:\+\+|--)$/.test(pair) || /^(?:\+\+|--)$/.test(previousPair);
}

function isHarmlessWord(word: string, next: string): boolean {
  if (/^printf?$/.test(word)) return true;
  if (WORDS.has(word)) return true;
  // Others are variables, in lower case; one before a parenthesis would be a function.
  return /^[a-z_][a-z\d_]*$/.test(word) && !UNSAFE.test(word) && (next !== "(" || FUNCTIONS.test(word));
}

/** Words that are more than a variable in some awks. */
const UNSAFE =
  /^(?:getline|system|close|fflush|function|func|return|switch|case|default|namespace|load|include|eval|strftime|mktime|systime|gensub|patsplit|asort|asorti|isarray|typeof|and|or|xor|compl|lshift|rshift|strtonum|dcgettext|dcngettext|bindtextdomain|toupper_|fork|exec|popen|pclose|open|write|readline|ord|chr)$/;

function endOfString(program: string, from: number): number {
  for (let at = from + 1; at < program.length; at++) {
    if (program[at] === "\n") return -1;
    if (program[at] === "\\") {
      at++;
      if (program[at] === "\n") return -1;
    } else if (program[at] === '"') return at + 1;
  }
  return -1;
}

function endOfRegExp(program: string, from: number): number {
  for (let at = from + 1; at < program.length; at++) {
    const char = program[at];
    if (char === "\n") return -1;
    if (char === "\\") {
      at++;
      if (program[at] === "\n") return -1;
    } else if (char === "/") return at + 1;
    else if (char === "[") {
      const end = endOfBracket(program, at);
      // Awks differ in which ends first.
      if (end < 0 || /[/\\]/.test(program.slice(at, end))) return -1;
      at = end;
    }
  }
  return -1;
}
