/** Secrets recognised by their format: tokens, JWTs, passwords in URLs. */
import type { TokenRule } from "./secret-rule.ts";
import { TOKEN_RULES } from "./secret-rules.ts";
import { type Detector, isBoundary, MARK_START, matchEnd, type Scan, type Span } from "./secret-scan.ts";
import { isNeverSecret, looksRandom } from "./secret-values.ts";
import { endOfWrapped, matchWrapped } from "./secret-wrapped.ts";

/** The kind of a known token format at the start of `text`. */
export function kindOfToken(text: string): string | undefined {
  for (const rule of TOKEN_RULES) {
    if (text.startsWith(rule.prefix) && matchEnd(rule.body, text, rule.prefix.length) >= 0) return rule.kind;
  }
  return JWT.test(text) ? "jwt" : undefined;
}

export function createTokenDetector(rule: TokenRule): Detector {
  const first = rule.prefix.charCodeAt(0);
  return (scan, at) => {
    const start = at + 1 - rule.prefix.length;
    if (scan.text.charCodeAt(start) !== first || start < scan.floor) return undefined;
    if (!scan.text.startsWith(rule.prefix, start)) return undefined;
    scan.spend(10);
    if (rule.bounded && !isBoundary(scan, start)) return undefined;
    const tokenStart = rule.head === undefined ? start : startOfHead(rule.head, scan, start);
    if (tokenStart === undefined) return undefined;
    scan.spend(60);
    const unwrappedEnd = matchEnd(rule.body, scan.text, at + 1);
    const end = unwrappedEnd < 0 ? matchWrapped(rule.body, scan, at + 1) : unwrappedEnd;
    return end < 0
      ? undefined
      : { start: tokenStart, end: endOfWrapped(scan.text, tokenStart, end), kind: rule.kind };
  };
}

function startOfHead(tokenStart: RegExp, scan: Scan, end: number): number | undefined {
  const length = tokenStart.exec(scan.text.slice(Math.max(scan.floor, end - MAX_HEAD_CHARS), end))?.[0]
    .length;
  return length === undefined ? undefined : end - length;
}

const MAX_HEAD_CHARS = 97;

const JWT = /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}/;
const JWT_WHOLE = /eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]{0,2000}){0,3}/y;
const JWT_RUN = /[\w-]*/y;
const JWT_REST = /\.eyJ[\w-]{8,}(?:\.[\w-]*){0,3}|\.[\w-]*(?:\.[\w-]{10,}){3}/y;

/** `at` is on the J of `eyJ`. A long run without a dot is scanned once, however many `eyJ` it has. */
export function detectJwt(scan: Scan, at: number): Span | undefined {
  const start = at - 2;
  if (start < scan.floor || at < scan.jwtFrom || !scan.text.startsWith("eyJ", start)) return undefined;
  scan.spend(60);
  const runEnd = matchEnd(JWT_RUN, scan.text, at);
  let end = runEnd - start < 12 ? -1 : matchEnd(JWT_REST, scan.text, runEnd);
  if (end < 0) end = matchWrapped(JWT_WHOLE, scan, start);
  scan.jwtFrom = runEnd;
  return end < 0 ? undefined : { start, end: endOfWrapped(scan.text, start, end), kind: "jwt" };
}

const URL_USER = /[^\s/?#@:"'`<>\\]{0,256}/y;
const URL_PASSWORD = /[^\s/?#"'`<>\\]{1,512}(?=@)/y;
const DATABASE_PASSWORD = /[^\s"'`<>\\@]{1,256}(?=@[\w.[-])/y;
const DATABASE =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|smtps?|ldaps?)$/i;

/** `at` is on the first `/` of `scheme://`. Only the password is masked; user and host stay readable. */
export function detectUrl(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (text.charCodeAt(at + 1) !== 47 || text.startsWith(MARK_START, at + 2)) return undefined;
  scan.spend(120);
  const userEnd = matchEnd(URL_USER, text, at + 2);
  if (text[userEnd] === "@") {
    const user = text.slice(at + 2, userEnd);
    if (user.length < 20 || !looksRandom(user) || isNeverSecret(user)) return undefined;
    return { start: at + 2, end: userEnd, kind: kindOfToken(user) ?? "token" };
  }
  if (text[userEnd] !== ":" || text.slice(userEnd - 9, userEnd + 1) === MARK_START) return undefined;
  const start = userEnd + 1;
  let end = matchEnd(URL_PASSWORD, text, start);
  const isDatabase = DATABASE.test(text.slice(Math.max(scan.floor, at - 15), at - 1));
  if (end < 0 && isDatabase) end = matchEnd(DATABASE_PASSWORD, text, start);
  if (end < 0) return undefined;
  const password = text.slice(start, end);
  if (
    /^(?:\[REDACTED|\$\w+$|<|\{|%[sdv]$|([*x.•])\1+$)/i.test(password) ||
    /\$\{|\{\{|\$\(|#\{/.test(password)
  )
    return undefined;
  const kind = kindOfToken(password) ?? (isDatabase ? "connection-string" : "password");
  return { start, end, kind };
}
