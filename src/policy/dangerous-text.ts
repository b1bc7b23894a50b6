import { judgeDanger } from "./dangerous-commands.ts";
import { type Locations, pathsOf } from "./locations.ts";
import type { Protection } from "./protected-files.ts";
import { protectionOf, protectionOfGlob } from "./protected-files.ts";
import { quotedByOperator } from "./quoted-code.ts";
import { readScript } from "./shell/read-script.ts";
import { literalWord, type ShellWord } from "./shell/shell-reading.ts";
import { reachOf } from "./wide-targets.ts";
import { spend } from "./work.ts";

/** Longer code is scanned up to here. */
const MAX_CODE_LENGTH = 100_000;
/** A text with more of them is not scanned, and counts as dangerous. */
const MAX_SCANNED_COMMANDS = 24;
const MAX_COMMAND_LENGTH = 32_768;
/** As long as a command may be. */
const MAX_LITERAL_LENGTH = 32_768;

/** Names of destructive commands at the start of a command. */
const STARTS_DANGER =
  /(?<![\w.$-])(?:rm|rmdir|rimraf|srm|shred|unlink|find|mv|dd|chmod|chown|chgrp|chattr|setfacl|truncate|kill|pkill|killall|mkfs(?:\.\w+)?|mke2fs|wipefs|blkdiscard|sgdisk|sfdisk|zpool|rsync)(?=\s+\S)/g;
const POWER =
  /(?<![\w.$-])(?:(?:sudo\s+)?(?:shutdown|poweroff|reboot|halt)(?:\s+(?:-\w+|--\w+|now|\+\d+|\d\d:\d\d)){0,4}|systemctl\s+(?:poweroff|reboot|halt)|init\s+[06])\s*(?:$|[;&|"'`)\]}\n])/m;
const FORK_BOMB = /(?<!\w)(\w+|:)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}[\s;]*\1/;
const OVERWRITES = /(?:>|of=|copyfileobj|open\()\s*["']?\/dev\/(?:sd|nvme|hd|vd|xvd|disk|mmcblk|mapper\/)\w*/;
/** The same in PowerShell and cmd: the verb, the recursion, and the target. */
const WINDOWS_REMOVES = /\b(?:Remove-Item|ri|del|rd|rmdir|erase)\b/i;
const WINDOWS_DEEP = /\s(?:-r\w*|\/s)\b/i;
const WINDOWS_WIDE =
  /(?:[A-Z]:[\\/]?|~|\$HOME|\$env:USERPROFILE|%USERPROFILE%|\s\/|\$env:SystemRoot)\**(?:["'\s]|$)/i;
const WINDOWS_ENDS = /\b(?:Format-Volume|Clear-Disk|Stop-Computer|Restart-Computer)\b|\bformat\s+[a-z]:/i;

function isWindowsDanger(code: string): boolean {
  return code
    .split(/[\n|;&]/)
    .some(
      (line) =>
        WINDOWS_ENDS.test(line) ||
        (WINDOWS_REMOVES.test(line) && WINDOWS_DEEP.test(line) && WINDOWS_WIDE.test(line)),
    );
}

/** Whether a text contains a dangerous command: as code of any language, or as a phrase. */
export function hasDanger(text: string, locations: Locations): boolean {
  return codeForms(text).some(
    (code) =>
      FORK_BOMB.test(code) ||
      OVERWRITES.test(code) ||
      isWindowsDanger(code) ||
      POWER.test(code) ||
      commandsIn(code).some(
        (command, at) =>
          at >= MAX_SCANNED_COMMANDS ||
          readScript(command, locations).commands.some(
            (each) => judgeDanger(each, locations)?.verdict === "deny",
          ),
      ),
  );
}

/** Everything in a text that starts like a command, up to the end of its line. */
function commandsIn(code: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of code.matchAll(STARTS_DANGER)) {
    if (found.length > MAX_SCANNED_COMMANDS) break;
    found.push(/^[^\n;]*/.exec(code.slice(index, index + MAX_COMMAND_LENGTH))![0]);
  }
  return found;
}

/** The code as it is, with string literals joined, and with lists read as words; also for encoded parts. */
function codeForms(rawText: string): readonly string[] {
  const text = unescaped(rawText.slice(0, MAX_CODE_LENGTH));
  const forms = [text, ...decoded(text)].flatMap((code) => {
    const joined = withJoined(code, CONCATENATES, "");
    return [joined, asWords(joined), asWords(code)];
  });
  return [...new Set(forms)];
}

function asWords(code: string): string {
  return code.replace(/\$\{(\w+)\}/g, "$$$1").replace(/["'`,()[\]{}]|\bqw\b/g, " ");
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u00([0-9a-f]{2})|u\{([0-9a-f]{2})\}|(0?[0-7]{3}))/gi,
    (sequence, hex, four, braced, octal) => {
      const code =
        octal === undefined ? Number.parseInt(hex ?? four ?? braced, 16) : Number.parseInt(octal, 8);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : sequence;
    },
  );
}

const ENCODED = /[A-Za-z0-9+/_-]{6,}={0,2}/g;

/** Where a text mentions an encoding, every decoded part. */
function decoded(text: string): readonly string[] {
  if (!/base64|b64|atob|FromBase64|-enc/i.test(text)) return [];
  const plain = [...text.matchAll(ENCODED)].flatMap(([code]) => {
    const plainText = Buffer.from(code, "base64").toString("latin1").replaceAll("\u0000", "");
    return /^[\t\n\r\x20-\x7e]{4,}$/.test(plainText) ? [plainText] : [];
  });
  return plain.length === 0 ? [] : [plain.join("\n")];
}

const READS_FILES = /read|load|parse|require|import|exists|stat|access|open\(\s*["'`][^"'`]*["'`]\s*\)/i;
const WRITES_FILES =
  /writ|append|unlink|remove|rename|replace|copy|move|symlink|link|truncate|mkdir|chmod|put_|dump|save|create|spew|store|touch|delete|install|extract|mode\s*=|["'`](?:[waxr]b?\+?t?|\+[<>]|>{1,2})["'`]|>{1,2}\s*\S|open\([^)]*,/i;

/** Whether code leaves a file that it names unchanged: it only reads it, or the name is just a word. */
export function createLeavesFileUnchanged(code: string): (literal: string) => boolean {
  const writes = WRITES_FILES.test(code.replace(/["'`]rb?t?["'`]/g, ""));
  const reads = READS_FILES.test(code);
  return (literal) => !writes && (reads || !/[./]/.test(literal));
}

/** Between string literals that are concatenated, with an operator or without. */
const CONCATENATES = /^\s*(?:\+|\.{1,2}|\|\||&|~|<>)?\s*$/;
/** `join(".ssh", "id_rsa")`, `home / ".ssh" / "id_rsa"` */
const MAKES_PATH = /^\s*[,/]\s*$/;

/** The string literals in code, including concatenated ones. */
export function literalsIn(rawCode: string): readonly string[] {
  const code = unescaped(rawCode.slice(0, MAX_CODE_LENGTH));
  const literals = [
    ...joinedTexts(code, CONCATENATES, ""),
    ...quotedTextsIn(code),
    ...joinedTexts(code, MAKES_PATH, "/"),
    ...quotedByOperator(code),
  ];
  // Code passed to `exec` or `eval` has its own literals.
  const inner = literals
    .filter((text) => text.includes("\\"))
    .flatMap((text) => quotedTextsIn(text.replace(/\\(["'`])/g, "$1")));
  return [...new Set([...literals, ...inner])];
}

/** The code with literals joined where only such an operator separates them. */
function withJoined(code: string, between: RegExp, separator: string): string {
  let result = "";
  let from = 0;
  let last: Span | undefined;
  for (const span of spansIn(code)) {
    const gap = last === undefined ? "" : code.slice(last.end + 1, span.start);
    if (last !== undefined && isBetween(gap, between)) {
      result += code.slice(from, last.end) + separator;
      from = span.start + 1;
    }
    last = span;
  }
  return result + code.slice(from);
}

/** The literals that become one where only such an operator separates them. */
function joinedTexts(code: string, between: RegExp, separator: string): readonly string[] {
  const found: string[] = [];
  let text: string | undefined;
  let last: Span | undefined;
  for (const span of spansIn(code)) {
    const gap = last === undefined ? "" : code.slice(last.end + 1, span.start);
    const literal = code.slice(span.start + 1, Math.min(span.end, span.start + 1 + MAX_LITERAL_LENGTH));
    const isNext = last !== undefined && isBetween(gap, between);
    if (isNext && text!.length <= MAX_LITERAL_LENGTH) text += separator + literal;
    else {
      if (text !== undefined) found.push(text);
      text = literal;
    }
    last = span;
  }
  return [...found, ...(text === undefined ? [] : [text])].filter((each) => each !== "");
}

const MAX_OPERATOR_LENGTH = 20;

function isBetween(gap: string, between: RegExp): boolean {
  const operator = gap.trim();
  return operator.length <= MAX_OPERATOR_LENGTH && between.test(operator);
}

/** The positions of a literal's quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Quoted text on one line. */
export function quotedTextsIn(code: string): readonly string[] {
  return spansIn(code).flatMap(({ start, end }) =>
    end > start + 1 ? [code.slice(start + 1, Math.min(end, start + 1 + MAX_LITERAL_LENGTH))] : [],
  );
}

function spansIn(code: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = 0; at < code.length; at++) {
    const quote = code[at]!;
    if (quote === "\\") at++;
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    let end = at + 1;
    while (end < code.length && code[end] !== quote && code[end] !== "\n") end += code[end] === "\\" ? 2 : 1;
    if (code[end] !== quote) continue;
    found.push({ start: at, end });
    at = end;
  }
  return found;
}

/** The protected file that a literal names. */
export function protectionOfLiteral(
  rawLiteral: string,
  locations: Locations,
  isGlob: boolean,
): Protection | null {
  // Perl opens ">file".
  const literal = rawLiteral.replace(/^[\s<>+|]+/, "");
  if (/\s/.test(literal)) return null;
  spend(literal.length);
  for (const path of pathsOf(literal, locations)) {
    const found =
      isGlob && /[*?[]/.test(literal)
        ? protectionOfGlob(path, locations, true)
        : protectionOf(path, locations);
    if (found !== null) return found;
  }
  return null;
}

export function isWidePath(text: string, locations: Locations): boolean {
  const word: ShellWord = { ...literalWord(text), isGlob: /[*?[]/.test(text) };
  return reachOf(word, locations, [locations.cwd]) === "wide";
}
