/** Contexts with credentials: headers, cookies, SQL, `.netrc`, `.pgpass`, tables, "the password is …". */
import { kindOfToken } from "./secret-formats.ts";
import { secretKey } from "./secret-keys.ts";
import { isBoundary, matchEnd, readQuoted, type Scan, type Span } from "./secret-scan.ts";
import { isNeverSecret, isSecretInQuotes, looksRandom } from "./secret-values.ts";

const COOKIE_LINE = /[^\n"'`\\]{1,4096}/y;

export function cookieAt(text: string, from: number): Span | undefined {
  const start = Math.max(from, matchEnd(/\\*["'`]/y, text, from));
  const end = matchEnd(COOKIE_LINE, text, start);
  if (end < 0 || !/^[\w.-]{1,80}=[^;\s=]{6,}/.test(text.slice(start, start + 200))) return undefined;
  return text.slice(start, end).includes("[REDACTED") ? undefined : { start, end, kind: "cookie" };
}

const BEARER = /bearer(?:[ \t]{1,4}|[:=][ \t]{0,4})/iy;
const CREDENTIAL = /[\w.~+/=:%-]{4,}/y;

/** `at` is on the second letter of a possible "bearer". */
export function detectBearer(scan: Scan, at: number): Span | undefined {
  const start = at - 1;
  if (start < scan.floor || (scan.text.charCodeAt(at + 1) | 32) !== 97) return undefined; // bea
  const from = matchEnd(BEARER, scan.text, start);
  return from < 0 || !isBoundary(scan, start) ? undefined : credentialAt(scan.text, from, false);
}

/** In a header any literal is the credential; after "bearer" elsewhere it must look like one. */
export function credentialAt(text: string, start: number, inHeader: boolean): Span | undefined {
  const end = matchEnd(CREDENTIAL, text, start);
  if (end < 0) return undefined;
  const value = text.slice(start, end);
  if (isNeverSecret(value) || /^(?!eyJ)[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(value)) return undefined;
  const isWords = /^[A-Za-z]+(?:[-_.:/][A-Za-z]+)*[.:]?$/.test(value);
  const isRandom =
    looksRandom(value) || /^\d{5,}$|^eyJ/.test(value) || (value.length >= 24 && !/[-_.:/]/.test(value));
  if (
    isWords &&
    !isRandom &&
    !(
      inHeader &&
      /^[a-z]{6,}$/.test(value) &&
      !/^(?:token|secret|realm|authentication|authorization|required)$/.test(value)
    )
  )
    return undefined;
  if (!isWords && !isRandom && !inHeader) return undefined;
  return { start, end, kind: kindOfToken(value) ?? "bearer" };
}

const STATED = /password (?:is|was)[: ]{1,2}["'`]?/iy;
const SQL = /(?:password|identified by) (?=\\{0,8}["'])/iy;

/** "the password is hunter2", `ALTER USER … PASSWORD 'x'`; `at` is on the blank after "password" or "by". */
export function detectStatedPassword(scan: Scan, at: number): Span | undefined {
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
  const from = matchEnd(STATED, text, start);
  const end = from < 0 ? -1 : matchEnd(/[^\s"'`<>\\,;)]{4,200}/y, text, from);
  if (end < 0) return undefined;
  const value = text.slice(from, end).replace(/[.!?]+$/, "");
  return isNeverSecret(value) || !looksRandom(value)
    ? undefined
    : { start: from, end: from + value.length, kind: "password" };
}

/** Between two words of a `.netrc`, which may be on separate lines. */
const NETRC_GAP = "(?:[ \\t\\r\\n]|\\\\{1,8}[nrt]|\\d{1,6}[→|]){1,20}";
const NETRC_WORD = "[^\\s\\\\]{1,100}";
const NETRC_HOST = "(?:[^\\s\\\\]{1,80}[.:][^\\s\\\\]{1,40}|localhost)";
const NETRC_BEFORE = new RegExp(
  `(?:(?:login|account)${NETRC_GAP}${NETRC_WORD}|machine${NETRC_GAP}(?:${NETRC_HOST}|${NETRC_WORD}${NETRC_GAP}user${NETRC_GAP}${NETRC_WORD}))${NETRC_GAP}(?:password|passwd)$`,
);

/** `machine … login … password hunter2`; `at` is on the blank after "password". */
export function detectNetrc(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const before = text.charCodeAt(at - 2) | 32; // passwoRd, passWd
  if (before !== 114 && before !== 119) return undefined;
  if (!NETRC_BEFORE.test(text.slice(Math.max(scan.floor, at - 160), at))) return undefined;
  const start = matchEnd(/[ \t]{1,20}/y, text, at);
  const end = start < 0 ? -1 : matchEnd(/[^\s"'`\\]{1,256}/y, text, start);
  if (end < 0) return undefined;
  const value = text.slice(start, end);
  if (isNeverSecret(value) || PROSE_WORD.test(value) || /^[=:(,)]/.test(value)) return undefined;
  return { start, end, kind: kindOfToken(value) ?? "password" };
}

const PROSE_WORD =
  /^(?:is|and|or|the|for|to|of|in|if|with|from|will|must|fields?|prompt|page|form|reset|set|are|was|must|should|can|as|on|at|by|using|combination|authentication|pairs?|login)[.,;:]?$/i;

const PGPASS =
  /([\w.*-]{1,80}):(\d{4,5}|\*):([\w.*-]{1,63}):([\w.*-]{1,63}):((?:[^\s:"'`\\]|\\[:\\]){1,128})(?=[ \t]*(?:$|[\r\n]|\\{1,8}[nr]|["'`]))/y;
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rb|go|rs|java|kt|c|h|cc|cpp|cs|php|sh|txt|log|html|css|sql)$/i;

/**
 * A line of `.pgpass`, `host:5432:database:user:password`; `at` is on the second character of `:5` or
 * `:*`.
 */
export function detectPgpass(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  let start = at - 1;
  const floor = Math.max(scan.floor, start - 80);
  while (start > floor && /[\w.*-]/.test(text[start - 1]!)) start--;
  if (text[start - 1] === "\\" && /[nrt]/.test(text[start]!))
    start++; // an escaped line end
  else if (!/^$|[\s"'`→]/.test(text.slice(Math.max(0, start - 1), start))) return undefined;
  if (start >= at - 1) return undefined;
  PGPASS.lastIndex = start;
  const match = PGPASS.exec(text);
  if (match === null) return undefined;
  const [line, host, , database, user, password] = match as unknown as string[];
  if (FILE_NAME.test(host!) || isNeverSecret(password!) || /^\d+$/.test(host!)) return undefined;
  if ([host, database, user, password].every((part) => /^[a-f0-9]{1,4}$/i.test(part!))) return undefined;
  if (/^\d+$/.test(database!) && /^\d+$/.test(user!)) return undefined;
  const end = start + line!.length;
  return { start: end - password!.length, end, kind: "password" };
}

const COLUMN_WORD =
  /^(?:e?mail|user(?:name)?|login|name|url|uri|host(?:name)?|notes?|title|type|port|role|group|id|date|status|value|description|account|site|domain|comment|created|updated|expires?|length|size|count|field|column|key|yes|no|true|false|char|int|text|string|hash|salt|admin|none|unknown|protected|policy|change|changed|reset|expired|last|used|strength)$/i;
const TABBED = /(?:\t|\\{1,8}t){1,4} {0,4}([^\s"'`<>\\]{4,200})(?=[ \t]*(?:[\r\n\\"]|$)|\t)/y;
const TABBED_NAME = /(?:^|[\s"'|:;,]|\\[nrt])([\p{L}\p{M}\w.-]{2,60}?) ?$/u;
const LINE_END = /^[ \t]*(?:[\r\n"]|\\{1,8}[nr"]|$)/;
const LINE_START = /(?:^|[\r\n"]|\\[nr])[ \t]*$/;

/** A table's row, `password<TAB>hunter2`; `at` is on the tab, or on the t of an escaped one. */
export function detectTabbed(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  let tab = at;
  while (text[at] === "t" && text[tab - 1] === "\\" && at - tab < 8) tab--;
  TABBED.lastIndex = tab;
  const name = TABBED_NAME.exec(text.slice(Math.max(scan.floor, tab - 64), tab))?.[1];
  const key = name === undefined ? undefined : secretKey(name);
  if (key === undefined || key.weak) return undefined;
  const value = TABBED.exec(text)?.[1];
  if (value === undefined || isNeverSecret(value) || COLUMN_WORD.test(value)) return undefined;
  if (/[([{;]|^0x|^\d+(?:\/\w+)?$/i.test(value)) return undefined;
  const end = TABBED.lastIndex;
  const nameStart = tab - name!.length;
  const isRow =
    LINE_END.test(text.slice(end, end + 4)) &&
    LINE_START.test(text.slice(Math.max(0, nameStart - 24), nameStart));
  const isWord = /^[A-Za-z_]+[:,;.]?$|^[^\x00-\x7f]+$/.test(value);
  if (isWord ? !(isRow && key.kind === "password" && /^[a-z]{6,}$/.test(value)) : !isLiteral(value))
    return undefined;
  return { start: end - value.length, end, kind: kindOfToken(value) ?? key.kind };
}

/** A digit or symbol among letters, and not a path, number, version or member access. */
function isLiteral(value: string): boolean {
  return (
    looksRandom(value) ||
    (/[A-Za-z]/.test(value) && /[\d!@#$%^&~]/.test(value) && /^[\w!@#$%^&~+-]+$/.test(value))
  );
}
