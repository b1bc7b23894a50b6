/** The name before a sign, `password =` or `"password":`, and which secret it denotes. */
import { mayBeSecretKey, type SecretKey, secretKey } from "./secret-keys.ts";
import type { Scan } from "./secret-scan.ts";
import { looksLikeKey } from "./secret-values.ts";

const MAX_NAME_CHARS = 64;

export interface Name {
  readonly name: string;
  readonly start: number;
  readonly quoted: boolean;
  /** Nothing between the name and the sign. */
  readonly tight: boolean;
  readonly compares: boolean;
  /** The name is "value": the actual name comes before it. */
  readonly isValue: boolean;
}

/** The name before a sign: `password =`, `"password":`, `\"password\":`, `env["PASSWORD"] =`, `password?:`. */
export function nameBefore(scan: Scan, at: number): Name | undefined {
  const { text, floor } = scan;
  const searchStart = Math.max(floor, at - MAX_NAME_CHARS - 40);
  let end = at;
  let quoted = false;
  for (; end > searchStart; end--) {
    const code = text.charCodeAt(end - 1);
    if (code === 34 || code === 39 || code === 96) quoted = true;
    else if (!BETWEEN_NAME_AND_SIGN[code < 128 ? code : 0]) break;
    if (at - end > 40) {
      scan.spend(12);
      return undefined;
    }
  }
  let start = end;
  for (; start > searchStart; start--) {
    const code = text.charCodeAt(start - 1);
    if (code < 128 ? !IS_NAME_CHAR[code] : !isLetter(text[start - 1]!)) break;
  }
  if (end - start < 2) return undefined;
  let name = text.slice(start, end);
  const isValue = end - start === 5 && /^value$/i.test(name);
  if (!isValue && at >= scan.secretArgsTo && !mayBeSecretKey(name)) return undefined;
  start = withWordsBefore(scan, start, name);
  name = text.slice(start, end);
  // "\npassword=…" in escaped text: the n is not part of the name. Nor are a flag's dashes.
  if (text[start - 1] === "\\" && /[nrt]/.test(text[start]!) && !quoted) start++;
  while (text[start] === "-") start++;
  name = text.slice(start, end);
  return { name, start, quoted, tight: end === at, compares: /[!<>=]/.test(text.slice(end, at)), isValue };
}

/** "API key: …", "mot de passe : …": what may precede the last word of a name. */
const WORDS_BEFORE: readonly (readonly [RegExp, RegExp])[] = [
  [/^key$/i, wordsBefore("api|access|secret|private|encryption|signing|master")],
  [/^(?:phrase|words?)$/i, wordsBefore("seed|recovery|mnemonic|backup")],
  [/^passe$/i, wordsBefore("mot de|palavra")],
  [/^secret$/i, wordsBefore("code")],
  [/^(?:sandi|laluan)$/i, wordsBefore("kata")],
  [/^khẩu$/i, wordsBefore("mật")],
  [/^khau$/i, wordsBefore("mat")],
  [/^(?:المرور|السر)$/, wordsBefore("كلمة")],
  [/^عبور$/, wordsBefore("رمز")],
  [/^πρόσβασης$/i, wordsBefore("κωδικός")],
];

/**
 * Matches the words and a blank at the end, not preceded by a letter other than the n of an escaped line
 * end.
 */
function wordsBefore(words: string): RegExp {
  return new RegExp(`(?:(?<![A-Za-z])|(?<=\\\\[nrt]))(?:${words}) $`, "i");
}

const LAST_WORD = /^(?:key|phrase|words?|passe|secret|sandi|laluan|kh.u|[^\x00-\x7f]+)$/i;

function withWordsBefore(scan: Scan, start: number, name: string): number {
  if (!LAST_WORD.test(name)) return start;
  const before = scan.text.slice(Math.max(scan.floor, start - 16), start);
  for (const [last, words] of WORDS_BEFORE) {
    if (last.test(name)) return start - (words.exec(before)?.[0].length ?? 0);
  }
  return start;
}

/** `- name: DB_PASSWORD` and then `value: hunter2`; also in JSON and in XML attributes. */
function keyOfNamedValue(scan: Scan, name: Name): SecretKey | undefined {
  const before = scan.text.slice(Math.max(scan.floor, name.start - 120), name.start);
  const named =
    /(?:name|key)\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?([\w.-]{2,60})\\{0,8}["']?,?(?:\\{1,8}n)?\s{0,40}\\{0,8}["']?$/i.exec(
      before,
    );
  return named === null ? undefined : secretKey(named[1]!);
}

/** The secret that `name` denotes here, before `sign` at `at`. */
export function keyOf(scan: Scan, name: Name, sign: string, at: number): SecretKey | undefined {
  if (name.isValue) return keyOfNamedValue(scan, name);
  if (sign === "=" && name.tight && at < scan.secretArgsTo) {
    const isFlag = scan.text[name.start - 1] === "-";
    if (!isFlag || /^(?:body|value)$/.test(name.name))
      return secretKey(name.name) ?? { kind: "secret", weak: false };
  }
  if (/^code$/i.test(name.name)) return keyOfCode(scan, name);
  if (/^seed$/i.test(name.name)) return { kind: "seed-phrase", weak: true };
  return secretKey(name.name) ?? keyOfVariable(scan.text, name, at);
}

/** `?code=…` of an OAuth login. On its own, the name "code" means nothing. */
function keyOfCode(scan: Scan, name: Name): SecretKey | undefined {
  const { text } = scan;
  const inQuery = /[?&#]/.test(text[name.start - 1] ?? "");
  const near = text.slice(Math.max(scan.floor, name.start - 120), name.start + 160);
  return inQuery || near.includes("authorization_code") ? { kind: "oauth-code", weak: true } : undefined;
}

const BARE_KEY = /\\{0,8}["']?([A-Za-z0-9+/=_.-]{16,200})(?![A-Za-z0-9+/=_.(-])/y;

/** `SEGMENT_KEY=…`: any variable that ends in KEY, if its value looks like one. */
function keyOfVariable(text: string, name: Name, at: number): SecretKey | undefined {
  if (!name.tight || text[at] !== "=" || !/^[A-Z][A-Z0-9_]*_(?:KEY|PAT|CREDENTIALS?)$/.test(name.name))
    return undefined;
  if (/PUBLI|(?:^|_)(?:CACHE|PRIMARY|FOREIGN|SORT|PARTITION|STORAGE|OBJECT|S3)_KEY$/.test(name.name))
    return undefined;
  BARE_KEY.lastIndex = at + 1;
  const value = BARE_KEY.exec(text)?.[1];
  return value !== undefined && looksLikeKey(value) ? { kind: "api-key", weak: false } : undefined;
}

function isLetter(char: string): boolean {
  return /[\p{L}\p{M}]/u.test(char);
}

const BETWEEN_NAME_AND_SIGN = lookupTable(" \t\\[]?!|+:");
const NAME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-$";
const IS_NAME_CHAR = lookupTable(NAME_CHARS);

/**
 * The characters that may precede the sign: those of a name, those between name and sign, "\0" for all
 * non-ASCII.
 */
export const SIGN_FOLLOWS = `${NAME_CHARS} \t\\[]?!|+:"'\`\0`;

function lookupTable(chars: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}
