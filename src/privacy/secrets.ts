/**
 * Masks secrets in any text: prompts, commands, tool output, file contents. Called for every event, so one
 * loop looks at each pair of neighbouring characters in a table, and only pairs that can belong to a secret
 * (the end of a known prefix, `=` or `:` after a name, `://`, `--`) are looked at more closely.
 *
 * Three kinds of evidence:
 * 1. Formats (`secret-rules.ts`, PEM blocks, JWTs, passwords in URLs): masked wherever they stand.
 * 2. A name and its value (`secret-keys.ts`, `secret-values.ts`): masked when the value is a literal.
 * 3. Places that hold credentials: `Authorization:`, `Bearer …`, `curl -u`, `--password …`.
 *
 * Trade-offs, chosen because a memory full of holes is as useless as one full of secrets is dangerous:
 * - An unquoted value that could be a variable (`password = userInput`, `token: Token`, `a.b`, `f(x)`) stays.
 *   So a real password made only of letters stays too where the line looks like code (`pw = letmein;`);
 *   in `KEY=value`, YAML and .env lines it is masked.
 * - A quoted value is masked unless it is a placeholder, a label, a type, a path, the name of a variable.
 * - Without a name beside it and without a known format, random text (git SHAs, UUIDs, checksums) stays.
 * - When a value is masked, everything up to the next blank or quote goes with it: rather too much than a tail.
 *
 * Linear: looking back is bounded by constants, looking forward is bounded or consumes what it masks.
 * Idempotent: a mask is a wall that neither a later look back nor a second run reads through.
 */
import { mayBeSecretKey, type SecretKey, secretKey } from "./secret-keys.ts";
import { TOKEN_RULES, type TokenRule } from "./secret-rules.ts";
import {
  isNeverSecret,
  isSecretBare,
  isSecretInQuotes,
  looksRandom,
  type ValueContext,
} from "./secret-values.ts";

const MARK = "[REDACTED:";

export function mark(kind: string): string {
  return `${MARK}${kind}]`;
}

export function maskSecrets(text: string): string {
  let masked = text;
  // A mask can uncover a neighbour (two tokens without a blank between them): again until nothing is found.
  // Ordinary text takes one run, text with a secret two.
  for (let run = 0; run < MAX_RUNS; run++) {
    const spans = findSecrets(masked);
    if (spans.length === 0) break;
    masked = replaceSpans(masked, spans);
  }
  return masked;
}

const MAX_RUNS = 8;

function replaceSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const span of spans) {
    parts.push(text.slice(at, span.start), mark(span.kind));
    at = span.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** The kind of a known token format that begins at the start of `text`. */
export function kindOfToken(text: string): string | undefined {
  for (const rule of TOKEN_RULES) {
    if (text.startsWith(rule.prefix) && matchEnd(rule.body, text, rule.prefix.length) >= 0) return rule.kind;
  }
  return JWT.test(text) ? "jwt" : undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** What a run knows: `floor` is the end of the last mask, before which nobody looks. */
interface Scan {
  readonly text: string;
  floor: number;
  /** No JWT starts before here: its run of base64 was looked at. */
  jwtFrom: number;
}

type Look = (scan: Scan, at: number) => Span | undefined;

function findSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  const scan: Scan = { text, floor: 0, jwtFrom: 0 };
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const now = code < 128 ? code : 0;
    const slot = SLOTS[(before << 7) | now]!;
    before = now;
    if (slot === 0) continue;
    const looks = LOOKS[slot]!;
    for (let n = 0; n < looks.length; n++) {
      const span = looks[n]!(scan, at);
      if (span === undefined) continue;
      if (span.kind !== "") spans.push(span);
      scan.floor = span.end;
      at = span.end - 1;
      before = 93; // as if the mask's closing bracket stood there: a second run sees the same
      break;
    }
  }
  return spans;
}

// ── 1. Formats ──────────────────────────────────────────────────────────────────────────────────────────

function lookForToken(rule: TokenRule): Look {
  const first = rule.prefix.charCodeAt(0);
  return (scan, at) => {
    const start = at + 1 - rule.prefix.length;
    if (scan.text.charCodeAt(start) !== first || start < scan.floor) return undefined;
    if (!scan.text.startsWith(rule.prefix, start)) return undefined;
    if (rule.bounded && !isBoundary(scan, start)) return undefined;
    const end = matchEnd(rule.body, scan.text, at + 1);
    return end < 0 ? undefined : { start, end, kind: rule.kind };
  };
}

const JWT = /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}/;
const JWT_RUN = /[\w-]*/y;
const JWT_REST = /\.eyJ[\w-]{8,}(?:\.[\w-]*){0,3}|\.[\w-]*(?:\.[\w-]{10,}){3}/y;

/** `at` is on the J of `eyJ`. A long run without a dot is walked once, however many `eyJ` it has. */
function lookForJwt(scan: Scan, at: number): Span | undefined {
  const start = at - 2;
  if (start < scan.floor || at < scan.jwtFrom || !scan.text.startsWith("eyJ", start)) return undefined;
  const runEnd = matchEnd(JWT_RUN, scan.text, at);
  const end = runEnd - start < 12 ? -1 : matchEnd(JWT_REST, scan.text, runEnd);
  scan.jwtFrom = runEnd;
  return end < 0 ? undefined : { start, end, kind: "jwt" };
}

const PEM_LABEL = /[A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-{0,5}/y;
const MAX_PEM = 65_536;
/** One line of a key's body, with what tools put around it: indent, line number, diff sign, quotes, `\n`. */
const PEM_LINE =
  /(?:[ \t>+|"',]{0,20}(?:\d{1,6}[→\t|:])?[ \t"']{0,20})(?:[A-Za-z0-9+/=]{1,100}(?![A-Za-z0-9])|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset)[^\n\\]{0,200})?[ \t"',+;]{0,20}(?:\r?\n|(?:\\{1,8}[nr]){1,2})/y;
const PEM_LAST = /[ \t>+|"',]{0,20}(?:\d{1,6}[→\t|:])?[ \t"']{0,20}[A-Za-z0-9+/=]{16,}/y;

const LINE_BREAK_BACK =
  /[ \t"',+;]{0,8}(?:\r?\n|\\{1,8}[nr])[ \t>+|"',]{0,12}(?:\d{1,6}[→\t|:])?[ \t>+|"',]{0,12}$/;

/** `at` is on the blank of `-----BEGIN `. */
function lookForPem(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const start = at - 10;
  if (start < scan.floor || text.charCodeAt(start) !== 45 || !text.startsWith("-----BEGIN ", start))
    return undefined;
  const bodyStart = matchEnd(PEM_LABEL, text, at + 1);
  if (bodyStart < 0) return undefined;
  const dashes = text.indexOf("-----", bodyStart);
  if (dashes >= 0 && dashes - bodyStart < MAX_PEM && text.startsWith("-----END ", dashes)) {
    const end = matchEnd(PEM_LABEL, text, dashes + 9);
    if (end >= 0) return { start, end, kind: "private-key" };
  }
  let end = bodyStart;
  for (let next = matchEnd(PEM_LINE, text, end); next > end; next = matchEnd(PEM_LINE, text, end)) end = next;
  end = Math.max(end, matchEnd(PEM_LAST, text, end));
  // Blank lines and the line end belong to what follows.
  end -= /(?:\s|\\{1,8}[nr])*$/.exec(text.slice(Math.max(bodyStart, end - 64), end))![0].length;
  return { start, end, kind: "private-key" };
}

/** `-----END … PRIVATE KEY-----` whose beginning was cut off: the lines of base64 before it are the key. */
function lookForPemEnd(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const dashes = at - 8;
  if (dashes < scan.floor || text.charCodeAt(dashes) !== 45 || !text.startsWith("-----END ", dashes))
    return undefined;
  const end = matchEnd(PEM_LABEL, text, at + 1);
  if (end < 0) return undefined;
  let start = dashes;
  for (let least = 1; ; least = 16) {
    const gap = LINE_BREAK_BACK.exec(text.slice(Math.max(scan.floor, start - 40), start))?.[0].length ?? 0;
    const lineEnd = start - gap;
    let lineStart = lineEnd;
    while (lineStart > scan.floor && IN_BASE64[text.charCodeAt(lineStart - 1)]) lineStart--;
    if (text[lineStart - 1] === "\\" && lineStart < lineEnd) lineStart++; // the n of "\n" is no base64
    if (lineEnd - lineStart < least) break;
    start = lineStart;
  }
  return { start, end, kind: "private-key" };
}

const URL_USER = /[^\s/?#@:"'`<>\\]{0,256}/y;
const URL_PASSWORD = /[^\s/?#"'`<>\\]{1,512}(?=@)/y;
const DATABASE_PASSWORD = /[^\s"'`<>\\@]{1,256}(?=@[\w.[-])/y;
const DATABASE =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|smtps?|ldaps?)$/i;

/** `at` is on the first `/` of `scheme://`. Only the password goes; user and host stay readable. */
function lookForUrl(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (text.charCodeAt(at + 1) !== 47 || text.startsWith(MARK, at + 2)) return undefined;
  const userEnd = matchEnd(URL_USER, text, at + 2);
  if (text[userEnd] === "@") {
    const user = text.slice(at + 2, userEnd);
    if (user.length < 20 || !looksRandom(user) || isNeverSecret(user)) return undefined;
    return { start: at + 2, end: userEnd, kind: kindOfToken(user) ?? "token" };
  }
  if (text[userEnd] !== ":") return undefined;
  const start = userEnd + 1;
  let end = matchEnd(URL_PASSWORD, text, start);
  const database = DATABASE.test(text.slice(Math.max(scan.floor, at - 15), at - 1));
  if (end < 0 && database) end = matchEnd(DATABASE_PASSWORD, text, start);
  if (end < 0) return undefined;
  const password = text.slice(start, end);
  if (
    /^(?:\[REDACTED|\$\w+$|<|\{|%[sdv]$|([*x.•])\1+$)/i.test(password) ||
    /\$\{|\{\{|\$\(|#\{/.test(password)
  )
    return undefined;
  const kind = kindOfToken(password) ?? (database ? "connection-string" : "password");
  return { start, end, kind };
}

// ── 2. A name and its value ─────────────────────────────────────────────────────────────────────────────

const MAX_KEY = 64;
const TYPE_ANNOTATION = /[&*]?'?[A-Za-z_][\w.<>[\]'| ]{0,40}=[ \t]{0,4}(?=[bruf]{0,2}\\{0,16}["'`])/y;
const TO_VALUE =
  /[=:>]?[ \t]{0,16}(?:\{(?=["'`]))?(?:[bruf@]{1,2}(?=["'`]))?(?:[|>][+-]?[ \t]{0,4}\n[ \t]{1,40})?/y;
const CODE_BEFORE =
  /(?:^|[\s(;{,])(?:const|let|var|val|final|static|public|private|protected|readonly|def|return|if|while|type|interface|class|function|fn|func|async|await|string|String|str|auto|mut)[ \t]+$|(?:this|self|[)\]])\.$|->$/;
const LINE_START =
  /(?:^|\n|\\n|\r)[ \t]{0,40}(?:[-+>#|] ?|\d{1,6}[→\t:|] ?)?[ \t]*(?:- )?(?:export |set |env |ENV |ARG |declare -x |setx |\$env:)?["']?$/;
const COOKIE_LINE = /[^\n"'`\\]{1,4096}/y;
const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|AWS4-HMAC-SHA256|SSWS|Key)[ \t]{1,4}/iy;

/** `at` is on `=` or `:` (or the second `|`, `?` of a default value, or the comma after a quoted name). */
function lookForValue(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const sign = text[at]!;
  if (sign === ":" && text.startsWith(MARK, at - 9)) return wall(text, at);
  if (sign === ":" && text[at + 1] === ":") return undefined;
  const separates = sign === "," || sign === "|" || sign === "?";
  if (separates && !isQuoteAhead(text, at + 1)) return undefined;
  const name = nameBefore(scan, at);
  if (name === undefined) return undefined;
  const key = name.isValue ? keyOfNamedValue(scan, name) : secretKey(name.name);
  if (key === undefined) return undefined;

  const compares = sign === "=" && text[at + 1] === "=";
  if (sign === "=" && compares && text[at + 2] === "=") return valueAt(scan, at + 3, at, name, key, true);
  if (compares) return valueAt(scan, at + 2, at, name, key, true);
  if (separates) return quotedOnly(scan, at + 1, name, key, sign === ",");
  return valueAt(scan, at + 1, at, name, key, name.compares);
}

function isQuoteAhead(text: string, at: number): boolean {
  const code = text.charCodeAt(text.charCodeAt(at) === 32 ? at + 1 : at);
  return code === 34 || code === 39 || code === 96 || code === 92;
}

interface Name {
  readonly name: string;
  readonly start: number;
  readonly quoted: boolean;
  /** Nothing between the name and the sign. */
  readonly tight: boolean;
  readonly compares: boolean;
  /** The name is "value": what it is a value of stands before it. */
  readonly isValue: boolean;
}

/** The name before a sign: `password =`, `"password":`, `\"password\":`, `env["PASSWORD"] =`, `password?:`. */
function nameBefore(scan: Scan, at: number): Name | undefined {
  const { text, floor } = scan;
  const least = Math.max(floor, at - MAX_KEY - 40);
  let end = at;
  let quoted = false;
  for (; end > least; end--) {
    const code = text.charCodeAt(end - 1);
    if (code === 34 || code === 39 || code === 96) quoted = true;
    else if (!BETWEEN[code < 128 ? code : 0]) break;
    if (at - end > 40) return undefined;
  }
  let start = end;
  for (; start > least; start--) {
    const code = text.charCodeAt(start - 1);
    if (code < 128 ? !IN_NAME[code] : !isLetter(text[start - 1]!)) break;
  }
  if (end - start < 2) return undefined;
  let name = text.slice(start, end);
  if (/^key$/i.test(name)) start = withWordBefore(scan, start);
  name = text.slice(start, end);
  const isValue = end - start === 5 && /^value$/i.test(name);
  if (!isValue && !mayBeSecretKey(name)) return undefined;
  // "\npassword=…" in escaped text: the n is no part of the name. Nor are a flag's dashes.
  if (text[start - 1] === "\\" && /[nrt]/.test(text[start]!) && !quoted) start++;
  while (text[start] === "-") start++;
  name = text.slice(start, end);
  return { name, start, quoted, tight: end === at, compares: /[!<>=]/.test(text.slice(end, at)), isValue };
}

/** "API key: …", "Secret key = …": the word before belongs to the name. */
function withWordBefore(scan: Scan, start: number): number {
  const before = scan.text.slice(Math.max(scan.floor, start - 16), start);
  return (
    start -
    (/(?<![A-Za-z])(?:api|access|secret|private|encryption|signing|master) $/i.exec(before)?.[0].length ?? 0)
  );
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

function valueAt(
  scan: Scan,
  from: number,
  sign: number,
  name: Name,
  key: SecretKey,
  doubtful: boolean,
): Span | undefined {
  const { text } = scan;
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
        /^(?:\s*$|[ \t]*[\r\n]|[ \t]+#|\\{1,16}[nr])/.test(text.slice(end, end + 8)),
      code,
      quotedKey: name.quoted,
      doubtful,
    };
  };
  const quoted = readQuoted(text, start);
  if (quoted !== undefined) {
    const value = text.slice(quoted.start, quoted.end);
    if (!isSecretInQuotes(value, context(quoted.end))) return undefined;
    return { ...quoted, kind: kindOfToken(value) ?? key.kind };
  }
  const end = endOfBare(text, start);
  const value = text.slice(start, end);
  if (!isSecretBare(value, context(end))) return undefined;
  return { start, end: endOfLongBare(text, end), kind: kindOfToken(value) ?? key.kind };
}

/** `getenv("TOKEN", "…")` and `TOKEN || "…"`: only what stands in quotes. */
function quotedOnly(scan: Scan, from: number, name: Name, key: SecretKey, comma: boolean): Span | undefined {
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
function lookForElement(scan: Scan, at: number): Span | undefined {
  if (scan.text.charCodeAt(at + 1) === 10) return undefined;
  const name = nameBefore(scan, at);
  if (name === undefined || !name.tight || scan.text[name.start - 1] !== "<") return undefined;
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

/** The inside of a literal on one line. `\"` (JSON in JSON) is closed by the same number of backslashes. */
function readQuoted(text: string, from: number): { start: number; end: number } | undefined {
  let open = from;
  while (text.charCodeAt(open) === 92 && open - from < 16) open++;
  const quote = text.charCodeAt(open);
  if (quote !== 34 && quote !== 39 && quote !== 96) return undefined;
  const depth = open - from;
  let slashes = 0;
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) break;
    if (code === 92) {
      slashes++;
      continue;
    }
    const closes = depth === 0 ? slashes % 2 === 0 : slashes <= depth;
    if (code === quote && closes) return { start: open + 1, end: depth === 0 ? at : at - slashes };
    slashes = 0;
  }
  // Never closed (cut off, or an apostrophe): up to the next blank.
  const end = matchEnd(/[^\s]{1,}/y, text, open + 1);
  return end < 0 ? undefined : { start: open + 1, end };
}

const BARE = /(?:[^\s"'`<>\\]|\\(?![nrt"'`\\])){1,128}/y;
const BARE_ALL = /[^\s"'`<>\\,;&)\]}|]+/y;
/** Where a bare value ends for sure: at the end, or where the next `name=` of a list begins. */
const BARE_STOP = /[,;&)\]}|](?=$|[)\]},;]*$|[\w.\-[\]]{1,40}[=:])/;

function endOfBare(text: string, start: number): number {
  const end = matchEnd(BARE, text, start);
  if (end < 0) return start;
  const stop = BARE_STOP.exec(text.slice(start, end));
  return stop === null ? end : start + stop.index;
}

/** A value longer than what was looked at goes whole. */
function endOfLongBare(text: string, end: number): number {
  return /[\w+/=.~%-]/.test(text[end] ?? " ") ? Math.max(end, matchEnd(BARE_ALL, text, end)) : end;
}

// ── 3. Places that hold credentials ─────────────────────────────────────────────────────────────────────

function cookieAt(text: string, from: number): Span | undefined {
  const start = Math.max(from, matchEnd(/\\*["'`]/y, text, from));
  const end = matchEnd(COOKIE_LINE, text, start);
  if (end < 0 || !/^[\w.-]{1,80}=[^;\s=]{6,}/.test(text.slice(start, start + 200))) return undefined;
  return text.slice(start, end).includes("[REDACTED") ? undefined : { start, end, kind: "cookie" };
}

const BEARER = /bearer(?:[ \t]{1,4}|[:=][ \t]{0,4})/iy;
const CREDENTIAL = /[\w.~+/=:-]{4,}/y;

/** `at` is on the second letter of a possible "bearer". */
function lookForBearer(scan: Scan, at: number): Span | undefined {
  const start = at - 1;
  if (start < scan.floor || (scan.text.charCodeAt(at + 1) | 32) !== 97) return undefined; // bea
  const from = matchEnd(BEARER, scan.text, start);
  return from < 0 || !isBoundary(scan, start) ? undefined : credentialAt(scan.text, from, false);
}

/** In a header any literal is the credential; after a mere "bearer" it must look like one. */
function credentialAt(text: string, start: number, inHeader: boolean): Span | undefined {
  const end = matchEnd(CREDENTIAL, text, start);
  if (end < 0) return undefined;
  const value = text.slice(start, end);
  if (isNeverSecret(value) || /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(value)) return undefined;
  const words = /^[A-Za-z]+(?:[-_.:/][A-Za-z]+)*[.:]?$/.test(value);
  const random = looksRandom(value) || (value.length >= 24 && !/[-_.:/]/.test(value));
  if (
    words &&
    !random &&
    !(
      inHeader &&
      /^[a-z]{6,}$/.test(value) &&
      !/^(?:token|secret|realm|authentication|authorization|required)$/.test(value)
    )
  )
    return undefined;
  if (!words && !random && !inHeader) return undefined;
  return { start, end, kind: kindOfToken(value) ?? "bearer" };
}

const FLAG = /[A-Za-z][\w-]{1,50}(?=[ \t])/y;
const WITH_COMMAND =
  /\b(?:curl|wget|http|https|xh|hurl|docker|podman|buildah|skopeo|helm|oc|az|nerdctl|mysql|mysqldump|mysqladmin|mariadb|sshpass|redis-cli|mongosh?|mongodump|ldapsearch|htpasswd|smbclient|mc|sqlcmd|bcp|twine|gradle|keytool)\b/;

/** `at` is on the second `-` of `--password value`. `--password=value` is a name and its value. */
function lookForFlag(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (text.charCodeAt(at + 1) === 45) return undefined;
  const nameEnd = matchEnd(FLAG, text, at + 1);
  if (nameEnd < 0 || !/[\s"'`([,]/.test(text[at - 2] ?? " ")) return undefined;
  const name = text.slice(at + 1, nameEnd);
  const start = matchEnd(/[ \t]{1,8}/y, text, nameEnd);
  if (name === "user" || name === "proxy-user") return userAndPassword(scan, at, start);
  const key = secretKey(name);
  return key === undefined ? undefined : argumentAt(text, start, key);
}

/** `curl -u user:pass`, `docker login -p pass`, `mysql -ppass`, `sshpass -p pass`, `redis-cli -a pass`. */
function lookForShortFlag(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const before = text.charCodeAt(at - 2);
  if ((before !== 32 && before !== 10 && before !== 9) || at - 2 < scan.floor) return undefined;
  const line = commandBefore(scan, at - 1);
  const command = WITH_COMMAND.exec(line)?.[0];
  if (command === undefined) return undefined;
  const blank = /[ \t]/.test(text[at + 1] ?? "");
  const start = blank ? matchEnd(/[ \t]{1,8}/y, text, at + 1) : at + 1;
  const flag = text[at];
  const key: SecretKey = { kind: "password", weak: false };
  if (flag === "u" || flag === "U")
    return /^(?:curl|xh|http)/.test(command) ? userAndPassword(scan, at, start) : undefined;
  if (flag === "a" && command !== "redis-cli" && !/^https?$|^xh$/.test(command)) return undefined;
  if (flag === "a" && command !== "redis-cli") return userAndPassword(scan, at, start);
  if (/^(?:docker|podman|buildah|skopeo|helm|oc|az|nerdctl)$/.test(command)) {
    return flag === "p" && blank && /\blogin\b/.test(line) ? argumentAt(text, start, key) : undefined;
  }
  if (/^(?:mysql|mariadb)/.test(command)) return blank ? undefined : argumentAt(text, start, key);
  if (/^(?:curl|wget|https?|xh|hurl|gradle|keytool|mc|htpasswd)$/.test(command)) return undefined;
  return argumentAt(text, start, key);
}

/** The command line up to here: after the last line end that is not continued, `;`, `|` or `&&`. */
function commandBefore(scan: Scan, end: number): string {
  const before = scan.text.slice(Math.max(scan.floor, end - 600), end);
  return before.split(/(?<!\\)\n|(?<!\\)\\{1,8}n|[;|]|&&/).at(-1)!;
}

function userAndPassword(scan: Scan, at: number, from: number): Span | undefined {
  const { text } = scan;
  if (!/\b(?:curl|xh|https?)\b/.test(commandBefore(scan, at))) return undefined;
  const quoted = readQuoted(text, from);
  const start = quoted?.start ?? from;
  const end = quoted?.end ?? Math.max(start, matchEnd(/[^\s"'`\\]{1,512}/y, text, start));
  const colon = text.slice(start, end).indexOf(":");
  if (colon < 0 || colon + 1 >= end - start) return undefined;
  const password = text.slice(start + colon + 1, end);
  return isNeverSecret(password)
    ? undefined
    : { start: start + colon + 1, end, kind: kindOfToken(password) ?? "password" };
}

/** A command's argument is never code: all but variables, other flags and placeholders is the secret. */
function argumentAt(text: string, from: number, key: SecretKey): Span | undefined {
  const quoted = readQuoted(text, from);
  const start = quoted?.start ?? from;
  const end = quoted?.end ?? Math.max(start, matchEnd(/[^\s"'`\\,)]{1,4096}/y, text, start));
  const value = text.slice(start, end);
  if (isNeverSecret(value) || /^[-|&<>([{=]|^\.{0,2}\/[\w./-]*$/.test(value)) return undefined;
  if (quoted === undefined && key.kind !== "password" && /^[a-z]{1,15}[.:,]?$/.test(value)) return undefined;
  if (key.weak && !looksRandom(value)) return undefined;
  return { start, end, kind: kindOfToken(value) ?? key.kind };
}

const SAID = /password (?:is|was)[: ]{1,2}["'`]?/iy;
const SQL = /(?:password|identified by) (?=\\{0,8}["'])/iy;

/** "the password is hunter2", `ALTER USER … PASSWORD 'x'`; `at` is on the blank after "password" or "by". */
function lookForSaid(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const beforeLast = text.charCodeAt(at - 2) | 32; // passwoRd, identified By
  const start = at - (beforeLast === 114 ? 8 : 13);
  if ((beforeLast !== 114 && beforeLast !== 98) || start < scan.floor) return undefined;
  const open = matchEnd(SQL, text, start);
  const quoted = open < 0 ? undefined : readQuoted(text, open);
  if (quoted !== undefined) {
    const value = text.slice(quoted.start, quoted.end);
    const key = { kind: "password", weak: false };
    const context = {
      key,
      tight: false,
      env: false,
      wholeLine: false,
      code: true,
      quotedKey: false,
      doubtful: false,
    };
    return isSecretInQuotes(value, context) ? { ...quoted, kind: "password" } : undefined;
  }
  const from = matchEnd(SAID, text, start);
  const end = from < 0 ? -1 : matchEnd(/[^\s"'`<>\\,;)]{4,200}/y, text, from);
  if (end < 0) return undefined;
  const value = text.slice(from, end).replace(/[.!?]+$/, "");
  return isNeverSecret(value) || !looksRandom(value)
    ? undefined
    : { start: from, end: from + value.length, kind: "password" };
}

// ── The table ───────────────────────────────────────────────────────────────────────────────────────────

/** A mask that is already there: nothing to add, but a wall for those who look back. */
function wall(text: string, at: number): Span | undefined {
  const end = matchEnd(/[a-z0-9-]{1,40}\]/y, text, at + 1);
  return end < 0 ? undefined : { start: at - 9, end, kind: "" };
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Not inside a word; `\n`, `%20` and colour codes before a word do not count as its letters. */
function isBoundary(scan: Scan, start: number): boolean {
  if (start <= scan.floor) return true;
  const { text } = scan;
  if (!/[A-Za-z0-9]/.test(text[start - 1]!)) return true;
  return /\\[nrt]$|%[0-9A-Fa-f]{2}$|\x1b\[[\d;]{0,8}m$/.test(text.slice(Math.max(0, start - 12), start));
}

function isLetter(char: string): boolean {
  return /\p{L}/u.test(char);
}

const BETWEEN = new Uint8Array(128);
for (const char of " \t\\[]?!|+:") BETWEEN[char.charCodeAt(0)] = 1;
const IN_NAME = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-$")
  IN_NAME[char.charCodeAt(0)] = 1;

const IN_BASE64 = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
  IN_BASE64[char.charCodeAt(0)] = 1;

/** For each pair of ASCII characters the number of a list in `LOOKS`, 0 for nothing. */
const SLOTS = new Uint16Array(128 * 128);
const LOOKS: Look[][] = [[]];

function watch(pair: string, look: Look): void {
  const index = (pair.charCodeAt(0) << 7) | pair.charCodeAt(1);
  if (SLOTS[index] === 0) SLOTS[index] = LOOKS.push([]) - 1;
  LOOKS[SLOTS[index]!]!.push(look);
}

watch("N ", lookForPem);
watch("D ", lookForPemEnd);
watch("yJ", lookForJwt);
for (const rule of TOKEN_RULES) watch(rule.prefix.slice(-2), lookForToken(rule));
watch(":/", lookForUrl);
for (const pair of ["be", "Be", "BE", "bE"]) watch(pair, lookForBearer);
for (const pair of ["d ", "D ", "y ", "Y "]) watch(pair, lookForSaid);
watch("--", lookForFlag);
for (const pair of ["-u", "-U", "-p", "-a", "-w", "-P"]) watch(pair, lookForShortFlag);
watch("||", lookForValue);
watch("??", lookForValue);
watch('",', lookForValue);
watch("',", lookForValue);
for (let code = 0; code < 127; code++) {
  const char = String.fromCharCode(code);
  if (code === 0 || IN_NAME[code] || BETWEEN[code] || "\"'`".includes(char)) {
    watch(`${char}=`, lookForValue);
    watch(`${char}:`, lookForValue);
  }
  if (IN_NAME[code]) watch(`${char}>`, lookForElement);
}
