/** A name and its value: `password = "…"`, `TOKEN=…`, `"apiKey": "…"`, YAML, XML, default values. */

import { cookieAt, credentialAt } from "./secret-contexts.ts";
import { kindOfToken } from "./secret-formats.ts";
import { type SecretKey, secretKey } from "./secret-keys.ts";
import { keyOf, type Name, nameBefore } from "./secret-names.ts";
import { seedPhraseAt } from "./secret-phrases.ts";
import { MARK_START, matchEnd, readQuoted, type Scan, type Span } from "./secret-scan.ts";
import {
  isNeverSecret,
  isSecretInQuotes,
  isSecretUnquoted,
  looksRandom,
  type ValueContext,
} from "./secret-values.ts";

const TYPE_ANNOTATION = /[&*]?'?[A-Za-z_][\w.<>[\]'| ]{0,40}=[ \t]{0,4}(?=[bruf]{0,2}\\{0,16}["'`])/y;
const TO_VALUE =
  /[=:>]?[ \t]{0,16}(?:\{(?=["'`]))?(?:[bruf@]{1,2}(?=["'`]))?(?:[|>][+-]?[ \t]{0,4}\n[ \t]{1,40})?/y;
const CODE_BEFORE =
  /(?:^|[\s(;{,])(?:const|let|var|val|final|static|public|private|protected|readonly|def|return|if|while|type|interface|class|function|fn|func|async|await|string|String|str|auto|mut)[ \t]+$|(?:this|self|[)\]])\.$|->$/;
const LINE_START =
  /(?:^|\n|\\n|\r)[ \t]{0,40}(?:[-+>#|] ?|\d{1,6}[→\t:|] ?)?[ \t]*(?:- )?(?:export |set |env |ENV |ARG |declare -x |setx |\$env:)?["']?$/;
const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|AWS4-HMAC-SHA256|SSWS|Key)[ \t]{1,4}/iy;

/** Measured costs of checking a name that may be a secret's, and of reading the value of one that is. */
const NAME_COST = 15;
const VALUE_COST = 200;

/** `at` is on `=` or `:` (or the second `|`, `?` of a default value, or the comma after a quoted name). */
export function detectAssignment(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const code = text.charCodeAt(at);
  const sign = code === 0xff1a ? ":" : code === 0xff1d ? "=" : text[at]!; // full-width, as East Asian keyboards type
  if (sign === ":" && text.startsWith(MARK_START, at - 9)) return maskedSpan(text, at);
  if (sign === ":" && text[at + 1] === ":") return undefined;
  const isSeparator = sign === "," || sign === "|" || sign === "?";
  if (isSeparator && !isQuoteAhead(text, at + 1)) return undefined;
  if (sign === ">") return arrowValue(scan, at);
  const name = nameBefore(scan, at);
  if (name === undefined) return undefined;
  scan.spend(NAME_COST);
  const key = keyOf(scan, name, sign, at);
  if (key === undefined) return undefined;
  if (key.kind === "seed-phrase") {
    const phrase = seedPhraseAt(text, at + 1);
    // After a plain "seed", nothing but a phrase is a secret.
    if (phrase !== undefined || key.weak) return phrase;
  }

  const isComparison = sign === "=" && text[at + 1] === "=";
  if (sign === "=" && isComparison && text[at + 2] === "=") return valueAt(scan, at + 3, at, name, key, true);
  if (isComparison) return valueAt(scan, at + 2, at, name, key, true);
  if (isSeparator) return quotedValueAt(scan, at + 1, name, key, sign === ",");
  return valueAt(scan, at + 1, at, name, key, name.compares);
}

/** `password -> hunter2`. Without a blank before it, the arrow accesses a member. */
function arrowValue(scan: Scan, at: number): Span | undefined {
  if (scan.text[at - 2] !== " ") return undefined;
  const name = nameBefore(scan, at - 1);
  const key = name === undefined ? undefined : secretKey(name.name);
  return name === undefined || key === undefined ? undefined : valueAt(scan, at + 1, at, name, key, true);
}

function isQuoteAhead(text: string, at: number): boolean {
  const code = text.charCodeAt(text.charCodeAt(at) === 32 ? at + 1 : at);
  return code === 34 || code === 39 || code === 96 || code === 92;
}

function valueAt(
  scan: Scan,
  from: number,
  sign: number,
  name: Name,
  key: SecretKey,
  doubtful: boolean,
): Span | undefined {
  const { text } = scan;
  scan.spend(VALUE_COST);
  let start = matchEnd(TO_VALUE, text, from);
  const annotated = text[sign] === ":" ? matchEnd(TYPE_ANNOTATION, text, start) : -1;
  if (annotated >= 0) start = matchEnd(TO_VALUE, text, annotated);
  const before = text.slice(Math.max(scan.floor, name.start - 40), name.start);
  if (key.kind === "cookie") return cookieAt(text, start);
  if (key.kind === "authorization") {
    const quote = /\\*["'`]/y;
    const open = matchEnd(quote, text, start);
    const afterScheme = matchEnd(SCHEME, text, open < 0 ? start : open);
    if (afterScheme >= 0) return credentialAt(text, afterScheme, true);
  }
  const context = (end: number): ValueContext => {
    const after = text.slice(end, end + 2);
    const spaced = !name.tight || start > from;
    const code =
      CODE_BEFORE.test(before) ||
      /^[)\]}]/.test(after) ||
      (spaced && (/^[,;]/.test(after) || (text[sign] === "=" && /\.$/.test(before)))) ||
      /[(,] ?$/.test(before);
    const tight = name.tight && text[sign] === "=" && start === from;
    return {
      key,
      tight: tight && !code,
      env: tight && /^[A-Z][A-Z0-9_]*$/.test(name.name),
      wholeLine:
        LINE_START.test(before) &&
        scan.floor <= name.start &&
        /^["'`]?(?:\s*$|[ \t]*[\r\n]|[ \t]+#|\\{1,16}[nr])/.test(text.slice(end, end + 9)),
      code,
      quotedKey: name.quoted,
      doubtful,
    };
  };
  // TOKEN=`command`: a shell runs it.
  if (text[start] === "`" && text[sign] === "=" && name.tight && start === from) return undefined;
  const quoted = readQuoted(text, start);
  if (quoted !== undefined) {
    const value = text.slice(quoted.start, quoted.end);
    if (!isSecretInQuotes(value, context(quoted.end))) return undefined;
    return { ...quoted, kind: kindOfToken(value) ?? key.kind };
  }
  const nextLine = valueOnNextLine(text, start, key);
  if (nextLine !== undefined) return nextLine;
  const end = endOfBare(text, start);
  const value = text.slice(start, end);
  if (!isSecretUnquoted(value, context(end))) return undefined;
  return { start, end: endOfLongBare(text, end), kind: kindOfToken(value) ?? key.kind };
}

const VALUE_ON_NEXT_LINE = /(?:\r?\n|\\{1,8}n)[ \t]{0,20}([^\s"'`<>\\]{7,128})[ \t]{0,8}(?=[\r\n\\"]|$)/y;

/** "Password:" and, on the next line, a single word that looks random. */
function valueOnNextLine(text: string, start: number, key: SecretKey): Span | undefined {
  const code = text.charCodeAt(start);
  if ((code !== 10 && code !== 13 && code !== 92) || key.weak) return undefined;
  VALUE_ON_NEXT_LINE.lastIndex = start;
  const value = VALUE_ON_NEXT_LINE.exec(text)?.[1];
  if (value === undefined || !/^[\w+/=!@#$%^&*~-]+$/.test(value) || /^[-#*]|[:=]$/.test(value))
    return undefined;
  if (
    isNeverSecret(value) ||
    !looksRandom(value) ||
    !/[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d|[!@#$%^&*~]/.test(value)
  )
    return undefined;
  const from = text.indexOf(value, start + 1);
  return { start: from, end: from + value.length, kind: kindOfToken(value) ?? key.kind };
}

/** `getenv("TOKEN", "…")` and `TOKEN || "…"`: only quoted values. */
function quotedValueAt(
  scan: Scan,
  from: number,
  name: Name,
  key: SecretKey,
  comma: boolean,
): Span | undefined {
  const { text } = scan;
  if (comma && !/\(\s{0,4}\\{0,16}["'`]$/.test(text.slice(Math.max(scan.floor, name.start - 24), name.start)))
    return undefined;
  const quoted = readQuoted(text, matchEnd(TO_VALUE, text, from));
  if (quoted === undefined) return undefined;
  const value = text.slice(quoted.start, quoted.end);
  const context = {
    key,
    tight: false,
    env: false,
    wholeLine: false,
    code: true,
    quotedKey: false,
    doubtful: comma,
  };
  return isSecretInQuotes(value, context) ? { ...quoted, kind: kindOfToken(value) ?? key.kind } : undefined;
}

/** `<password>hunter2</password>`; `at` is on the `>`. */
export function detectElement(scan: Scan, at: number): Span | undefined {
  if (scan.text.charCodeAt(at + 1) === 10) return undefined;
  const name = nameBefore(scan, at);
  if (name === undefined || !name.tight || scan.text[name.start - 1] !== "<") return undefined;
  scan.spend(NAME_COST);
  const key = secretKey(name.name);
  if (key === undefined) return undefined;
  const end = matchEnd(/[^<>\n]{1,512}(?=<\/)/y, scan.text, at + 1);
  if (end < 0) return undefined;
  const value = scan.text.slice(at + 1, end);
  const context = {
    key,
    tight: false,
    env: false,
    wholeLine: false,
    code: false,
    quotedKey: true,
    doubtful: false,
  };
  return isSecretInQuotes(value, context)
    ? { start: at + 1, end, kind: kindOfToken(value) ?? key.kind }
    : undefined;
}

const BARE = /(?:[^\s"'`<>\\]|\\(?![nrt"'`\\])){1,128}/y;
const BARE_REST = /[^\s"'`<>\\,;&)\]}|]+/y;
/** Where a bare value certainly ends: at the end, or where the next `name=` of a list starts. */
const BARE_STOP = /[,;&)\]}|](?=$|[)\]},;]*$|[\w.\-[\]]{1,40}[=:])/;

function endOfBare(text: string, start: number): number {
  const end = matchEnd(BARE, text, start);
  if (end < 0) return start;
  const stop = BARE_STOP.exec(text.slice(start, end));
  return stop === null ? end : start + stop.index;
}

/** A value longer than the inspected part is masked completely. */
function endOfLongBare(text: string, end: number): number {
  return /[\w+/=.~%-]/.test(text[end] ?? " ") ? Math.max(end, matchEnd(BARE_REST, text, end)) : end;
}

/** An existing mask: not masked again, but a boundary for looking back. */
function maskedSpan(text: string, at: number): Span | undefined {
  const end = matchEnd(/[a-z0-9-]{1,40}\]/y, text, at + 1);
  if (end < 0) return undefined;
  return pairedAwsSecret(text, at + 1, end) ?? { start: at - 9, end, kind: "" };
}

const BETWEEN_PAIR = /(?:[\s,;:|"'=]|\\{1,8}[nrt"]|[/-](?=\s)){1,16}/y;
const AWS_SECRET =
  /(?=[A-Za-z0-9+/]{0,39}\d)(?=[A-Za-z0-9+/]{0,39}[a-z])(?=[A-Za-z0-9+/]{0,39}[G-Z+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/y;

/** `AKIA…,secret`: the secret key beside its id, as in a CSV file from the console. */
function pairedAwsSecret(text: string, kindAt: number, markEnd: number): Span | undefined {
  if (!text.startsWith("aws-access-key]", kindAt)) return undefined;
  const start = matchEnd(BETWEEN_PAIR, text, markEnd);
  const end = start < 0 ? -1 : matchEnd(AWS_SECRET, text, start);
  return end < 0 ? undefined : { start, end, kind: "aws-secret-key" };
}
