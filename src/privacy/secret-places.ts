/** Places that hold credentials: headers, cookies, flags of commands, SQL, "the password is …". */
import { kindOfToken } from "./secret-formats.ts";
import { type SecretKey, secretKey } from "./secret-keys.ts";
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
const CREDENTIAL = /[\w.~+/=:-]{4,}/y;

/** `at` is on the second letter of a possible "bearer". */
export function lookForBearer(scan: Scan, at: number): Span | undefined {
  const start = at - 1;
  if (start < scan.floor || (scan.text.charCodeAt(at + 1) | 32) !== 97) return undefined; // bea
  const from = matchEnd(BEARER, scan.text, start);
  return from < 0 || !isBoundary(scan, start) ? undefined : credentialAt(scan.text, from, false);
}

/** In a header any literal is the credential; after a mere "bearer" it must look like one. */
export function credentialAt(text: string, start: number, inHeader: boolean): Span | undefined {
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
export function lookForFlag(scan: Scan, at: number): Span | undefined {
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
export function lookForShortFlag(scan: Scan, at: number): Span | undefined {
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
export function lookForSaid(scan: Scan, at: number): Span | undefined {
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
