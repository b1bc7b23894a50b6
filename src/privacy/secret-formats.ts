/** Secrets that are known by their form: tokens, JWTs, private keys, passwords in URLs. */
import { TOKEN_RULES, type TokenRule } from "./secret-rules.ts";
import { isBoundary, type Look, MARK_START, matchEnd, type Scan, type Span } from "./secret-scan.ts";
import { isNeverSecret, looksRandom } from "./secret-values.ts";

/** The kind of a known token format that begins at the start of `text`. */
export function kindOfToken(text: string): string | undefined {
  for (const rule of TOKEN_RULES) {
    if (text.startsWith(rule.prefix) && matchEnd(rule.body, text, rule.prefix.length) >= 0) return rule.kind;
  }
  return JWT.test(text) ? "jwt" : undefined;
}

export function lookForToken(rule: TokenRule): Look {
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
export function lookForJwt(scan: Scan, at: number): Span | undefined {
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
  /(?:[ \t>+|"',]{0,20}(?:\d{1,6}[→\t|:])?[ \t"']{0,20})(?:[A-Za-z0-9+/=]{16,100}(?![A-Za-z0-9])|[A-Za-z0-9+/]{0,14}[0-9+/=]{1,2}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset)[^\n\\]{0,200})?[ \t"',+;]{0,20}(?:\r?\n|(?:\\{1,8}[nr]){1,2})/y;
const PEM_LAST = /[ \t>+|"',]{0,20}(?:\d{1,6}[→\t|:])?[ \t"']{0,20}[A-Za-z0-9+/=]{16,}/y;

const LINE_BREAK_BACK =
  /[ \t"',+;]{0,8}(?:\r?\n|\\{1,8}[nr])[ \t>+|"',]{0,12}(?:\d{1,6}[→\t|:])?[ \t>+|"',]{0,12}$/;

/** `at` is on the blank of `-----BEGIN `. */
export function lookForPem(scan: Scan, at: number): Span | undefined {
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
export function lookForPemEnd(scan: Scan, at: number): Span | undefined {
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
export function lookForUrl(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (text.charCodeAt(at + 1) !== 47 || text.startsWith(MARK_START, at + 2)) return undefined;
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

const IN_BASE64 = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
  IN_BASE64[char.charCodeAt(0)] = 1;
