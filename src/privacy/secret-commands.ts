/** Credentials as words of commands: `config set name value`, `echo … | login --password-stdin`, `htpasswd -b`. */
import { argumentAt, commandBefore } from "./secret-flags.ts";
import { kindOfToken } from "./secret-formats.ts";
import { type SecretKey, secretKey } from "./secret-keys.ts";
import { isBoundary, matchEnd, readQuoted, type Scan, type Span } from "./secret-scan.ts";
import { isNeverSecret, looksRandom } from "./secret-values.ts";

const SETTING =
  /(set|setx|setenv|config)((?:[ \t]{1,4}--?[A-Za-z][\w-]{0,20}){0,4})[ \t]{1,4}["']?([A-Za-z_/][\w.:/@-]{1,80})["']?[ \t]{1,8}(?=\S)/iy;
const IN_COMMAND = /\b(?:configure|config|secrets?|env|variables?|conf)[ \t]{1,4}$/i;

/**
 * `aws configure set aws_secret_access_key x`, fish's `set -gx TOKEN x`, `setx`, `git config --global x.token y`;
 * `at` is on the blank after the verb.
 */
export function detectSetting(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const verb = verbBefore(text, at);
  if (verb === undefined || at - verb.length < scan.floor || !isBoundary(scan, at - verb.length))
    return undefined;
  scan.spend(60);
  SETTING.lastIndex = at - verb.length;
  const match = SETTING.exec(text);
  if (match === null) return undefined;
  const [, , flags, name] = match as unknown as string[];
  const key = /--secret\b/.test(flags!) ? SECRET : keyOfSetting(name!);
  if (key === undefined) return undefined;
  const isVariable = /^[A-Z][A-Z0-9_]+$/.test(name!);
  const span = argumentAt(text, SETTING.lastIndex, key, isVariable && flags !== "");
  if (span === undefined) return undefined;
  const value = text.slice(span.start, span.end);
  if (/^[=:]|^(?:to|for|in|on|as|is|and|or|the|from|with|by|of|a|via|when|if|at|using)$/i.test(value))
    return undefined;
  const before = text.slice(Math.max(scan.floor, at - verb.length - 24), at - verb.length);
  const isConfigCommand = IN_COMMAND.test(before) || flags !== "" || /^setx|^setenv$/i.test(verb);
  if (isConfigCommand || looksRandom(value)) return span;
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|[a-z]_[a-z]|\.[a-z]/.test(name!) && /\d/.test(value) ? span : undefined;
}

const SECRET: SecretKey = { kind: "secret", weak: false };

function verbBefore(text: string, at: number): string | undefined {
  switch (text.charCodeAt(at - 1) | 32) {
    case 116: // set
      return /^set$/i.test(text.slice(at - 3, at)) ? "set" : undefined;
    case 120: // setx
      return /^setx$/i.test(text.slice(at - 4, at)) ? "setx" : undefined;
    case 118: // setenv
      return text.startsWith("setenv", at - 6) ? "setenv" : undefined;
    case 103: // config
      return text.startsWith("config", at - 6) ? "config" : undefined;
    default:
      return undefined;
  }
}

/** `profile.work.aws_secret_access_key`, `pypi-token.pypi`: the last part decides, or the first. */
function keyOfSetting(name: string): SecretKey | undefined {
  const parts = name.split(/[.:/]/);
  return secretKey(name) ?? secretKey(parts.at(-1)!) ?? secretKey(parts[0]!);
}

const STORE_COMMAND =
  /secrets?[ \t]{1,4}(?:set|put|create|add|update|patch|import|new|generic|versions[ \t]{1,4}add)\b/y;
const MAX_COMMAND_CHARS = 2_000;

/**
 * `gh secret set`, `vault kv put`, `kubectl create secret generic`: all values of this command are secrets,
 * whatever their names. `at` is on the blank after "secret" or "kv". Masks nothing itself.
 */
export function noteSecretStore(scan: Scan, at: number): undefined {
  const { text } = scan;
  const isKv = text.startsWith("kv ", at - 2);
  const start = text.startsWith("secret", at - 6) ? at - 6 : text.startsWith("secrets", at - 7) ? at - 7 : -1;
  const stores = isKv
    ? /^kv (?:put|patch)\b/.test(text.slice(at - 2, at + 6))
    : start >= 0 && matchEnd(STORE_COMMAND, text, start) >= 0;
  if (!stores || at < scan.secretArgsTo) return undefined;
  const rest = text.slice(at, at + MAX_COMMAND_CHARS);
  scan.secretArgsTo = at + (/(?<!\\)\n|(?<!\\)\\{1,8}n|[;|`]|&&/.exec(rest)?.index ?? rest.length);
  return undefined;
}

const PRINT_COMMAND =
  /(?:echo|printf|print)(?:[ \t]{1,4}-[neEr]{1,3}|[ \t]{1,4}--)?[ \t]{1,4}(?:["']?%s(?:\\{1,8}n)?["']?[ \t]{1,4})?/y;
const READS_SECRET =
  /--password-stdin|--with-token|--stdin\b|--passphrase-fd|--passphrase-file[= ]-|-pass(?:in|out)?[ =](?:stdin|fd:0)|\bsudo\b[^|;&]{0,80} -\w{0,4}S|\bchpasswd\b|\bsmbpasswd\b|\bcryptsetup\b|--key-file[= ]-|--data-file[= ]-|\bsecrets?[ \t]+(?:set|put|create|add|versions)|\benv add\b|\bauth login\b|\bvncpasswd\b|\bhtpasswd\b[^|]{0,40} -\w{0,4}i|\bkinit\b|\bopenssl passwd\b|\bmkpasswd\b/;

/** `echo hunter2 | docker login --password-stdin`; `at` is on the blank after "echo" or "printf". */
export function detectPiped(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const start = text.startsWith("echo", at - 4) ? at - 4 : text.startsWith("printf", at - 6) ? at - 6 : -1;
  if (start < scan.floor || !isBoundary(scan, start)) return undefined;
  const from = matchEnd(PRINT_COMMAND, text, start);
  if (from < 0) return undefined;
  const quoted = readQuoted(text, from);
  const end = quoted?.end ?? matchEnd(/[^\s"'`\\|;&<>]{1,512}/y, text, from);
  const pipe = end < 0 ? -1 : matchEnd(/\\{0,8}["']?[ \t]{0,4}\|[ \t\\\n]{0,8}/y, text, end);
  if (pipe < 0) return undefined;
  const command = /^[^;\n]*/.exec(text.slice(pipe, pipe + 300))![0];
  if (!READS_SECRET.test(command)) return undefined;
  return stdinSecret(text, quoted?.start ?? from, end, /\bchpasswd\b/.test(command));
}

/** `docker login --password-stdin <<< hunter2`; `at` is on the second `<`. */
export function detectHereString(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (text[at + 1] !== "<" || !READS_SECRET.test(commandBefore(scan, at - 1))) return undefined;
  const from = matchEnd(/[ \t]{0,4}/y, text, at + 2);
  const quoted = readQuoted(text, from);
  const end = quoted?.end ?? matchEnd(/[^\s"'`\\|;&<>]{1,512}/y, text, from);
  return end < 0
    ? undefined
    : stdinSecret(text, quoted?.start ?? from, end, /\bchpasswd\b/.test(commandBefore(scan, at - 1)));
}

function stdinSecret(text: string, start: number, end: number, afterUser: boolean): Span | undefined {
  const colon = afterUser ? text.slice(start, end).indexOf(":") + 1 : 0;
  const value = text.slice(start + colon, end);
  if (isNeverSecret(value) || /^\$/.test(value)) return undefined;
  return { start: start + colon, end, kind: kindOfToken(value) ?? "password" };
}

const HTPASSWD = /htpasswd((?:[ \t]{1,4}-[A-Za-z]{1,8}(?:[ \t]{1,4}\d{1,3})?){1,6})[ \t]{1,4}/y;
const COMMAND_WORD = /(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"'|;&]{1,200})[ \t]{1,4}/y;

/** `htpasswd -nb user hunter2`, `htpasswd -b file user hunter2`; `at` is on the blank after the command's name. */
export function detectHtpasswd(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (at - 8 < scan.floor || !text.startsWith("htpasswd", at - 8)) return undefined;
  HTPASSWD.lastIndex = at - 8;
  const flags = HTPASSWD.exec(text)?.[1];
  if (flags === undefined || !/-\w*b/.test(flags)) return undefined;
  let from = HTPASSWD.lastIndex;
  for (let skip = /-\w*n/.test(flags) ? 1 : 2; skip > 0; skip--) {
    from = matchEnd(COMMAND_WORD, text, from);
    if (from < 0) return undefined;
  }
  return argumentAt(text, from, { kind: "password", weak: false });
}

/** `openssl … -passin pass:hunter2`; `at` is on the colon. */
export function detectPassArgument(scan: Scan, at: number): Span | undefined {
  const before = scan.text.slice(Math.max(scan.floor, at - 16), at);
  return /-pass(?:in|out)?[ =]["']?pass$/.test(before)
    ? argumentAt(scan.text, at + 1, { kind: "password", weak: false })
    : undefined;
}

const ORACLE_LOGIN = /[\w.$#]{1,60}\/([^\s@"'`/\\]{1,128})(?=@)/y;

/**
 * `sqlplus scott/tiger@db` and `jdbc:oracle:thin:scott/tiger@…`; `at` is on the character after the word.
 */
export function detectOracleLogin(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const word = text.slice(Math.max(scan.floor, at - 7), at);
  if (!/(?:sqlplus|sqlldr|expdp|impdp|:thin|:oci)$/.test(word)) return undefined;
  const from = matchEnd(/[ \t:]{1,4}(?:-\w{1,2}[ \t]{1,4}){0,4}["']?/y, text, at);
  ORACLE_LOGIN.lastIndex = Math.max(at, from);
  const password = ORACLE_LOGIN.exec(text)?.[1];
  if (password === undefined || isNeverSecret(password)) return undefined;
  const end = ORACLE_LOGIN.lastIndex;
  return { start: end - password.length, end, kind: "connection-string" };
}

const DIRECTIVE = /(?:^|[\s"'`]|\\[nrt])(?:requirepass|masterauth|bindpw|rootpw|sasl_passwd|ftppass)$/;

/** Settings with a blank between name and value: Redis's `requirepass foobared`. */
export function detectDirective(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (!DIRECTIVE.test(text.slice(Math.max(scan.floor, at - 13), at))) return undefined;
  const from = matchEnd(/[ \t]{1,20}/y, text, at);
  return argumentAt(text, from, { kind: "password", weak: false });
}
