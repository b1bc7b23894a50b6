import type { Locations } from "../../locations.ts";
import { isKnown, type ShellCommand, type ShellWord } from "../../shell/shell-reading.ts";
import { matchesKind } from "../check-words.ts";

const PLAIN_FLAGS =
  /^(?:-[nErsuz]+|--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|debug|posix))$/;
const MAX_SCRIPT_LENGTH = 2_000;

/** `sed` with a script that only prints. */
export function isReadOnlySed(command: ShellCommand, locations: Locations): boolean {
  const scripts: ShellWord[] = [];
  const operands: ShellWord[] = [];
  const { args } = command;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (/^-[nErsuz]*e$|^--expression$/.test(word.text)) {
      const script = args[++at];
      if (script === undefined) return false;
      scripts.push(script);
    } else if (word.text.startsWith("--expression="))
      scripts.push({ ...word, text: word.text.slice("--expression=".length) });
    else if (/^-./.test(word.text)) {
      if (!PLAIN_FLAGS.test(word.text)) return false;
    } else operands.push(word);
  }
  const files = scripts.length > 0 ? operands : operands.slice(1);
  const programs = scripts.length > 0 ? scripts : operands.slice(0, 1);
  return (
    programs.length > 0 &&
    programs.every((word) => isKnown(word) && !word.isGlob && onlyPrints(word.text)) &&
    files.every((word) => matchesKind(word, "read", command, locations))
  );
}

/** Reads sed's commands one by one; stops at any that may write, run or read a file. */
function onlyPrints(script: string): boolean {
  if (script.length === 0 || script.length > MAX_SCRIPT_LENGTH) return false;
  let rest = script;
  while (rest !== "") {
    const before = rest.length;
    rest = rest.replace(/^[\s;}]+/, "");
    if (rest === "") return true;
    const command = withoutAddress(rest)?.replace(/^\s*!?\s*/, "");
    const after = command === undefined ? undefined : withoutCommand(command);
    if (after === undefined || after.length >= before) return false;
    rest = after;
  }
  return true;
}

function withoutAddress(text: string): string | undefined {
  let rest = text;
  for (let n = 0; n < 2; n++) {
    const number = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(rest);
    if (number !== null) rest = rest.slice(number[0].length);
    else if (rest.startsWith("/") || /^\\[|#,:@!%~]/.test(rest)) {
      const from = rest.startsWith("/") ? 0 : 1;
      const end = endOfPart(rest, from + 1, rest[from]!);
      if (end < 0) return undefined;
      rest = rest.slice(end).replace(/^[IM]{0,2}/, "");
    } else return rest;
    const comma = /^\s*,\s*/.exec(rest);
    if (n === 1 || comma === null) return rest;
    rest = rest.slice(comma[0].length);
  }
  return rest;
}

/** The text after a command that only prints; undefined for any other command. */
function withoutCommand(text: string): string | undefined {
  if (text.startsWith("{")) return text.slice(1);
  const plain = /^(?:[pPdDgGhHxnNz=F]|[qQl]\s*\d{0,3})\s*(?=[;}\n]|$)/.exec(text);
  if (plain !== null) return text.slice(plain[0].length);
  const delimiter = text[1];
  if (!/^[sy]/.test(text) || delimiter === undefined || !/[/|#,:@!%~]/.test(delimiter)) return undefined;
  const middle = endOfPart(text, 2, delimiter);
  const end = middle < 0 ? -1 : endOfPart(text, middle, delimiter);
  if (end < 0) return undefined;
  const flags = (text[0] === "s" ? /^[gpiI\d]*\s*(?=[;}\n]|$)/ : /^\s*(?=[;}\n]|$)/).exec(text.slice(end));
  return flags === null ? undefined : text.slice(end + flags[0].length);
}

/** After the next unescaped delimiter; -1 where there is none, or where seds differ about which it is. */
function endOfPart(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\n") return -1;
    if (char === "\\") at++;
    else if (char === delimiter) return at + 1;
    else if (char === "[") {
      const end = endOfBracket(text, at);
      if (end < 0 || text.slice(at, end).includes(delimiter)) return -1;
      at = end;
    }
  }
  return -1;
}

/** The position of the `]` that closes a bracket expression, with classes in it; -1 where none does. */
export function endOfBracket(text: string, from: number): number {
  let at = from + 1;
  if (text[at] === "^") at++;
  if (text[at] === "]") at++;
  for (; at < text.length; at++) {
    if (text[at] === "\n") return -1;
    if (text[at] === "[" && /[:.=]/.test(text[at + 1] ?? "")) {
      const end = text.indexOf(`${text[at + 1]}]`, at + 2);
      if (end < 0) return -1;
      at = end + 1;
    } else if (text[at] === "]") return at;
  }
  return -1;
}
