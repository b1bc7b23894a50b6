/** Credentials as flags of commands: `--password x`, `curl -u user:x`, `mysql -px`, `keytool -storepass x`. */
import { kindOfToken } from "./secret-formats.ts";
import { type SecretKey, secretKey } from "./secret-keys.ts";
import { seedPhraseAt } from "./secret-phrases.ts";
import { matchEnd, readQuoted, type Scan, type Span } from "./secret-scan.ts";
import { isNeverSecret, looksRandom } from "./secret-values.ts";

const FLAG = /[A-Za-z][\w-]{1,50}(?=[ \t])/y;
const PASSWORD: SecretKey = { kind: "password", weak: false };
/** For a command that stores secrets: `gh secret set NAME --body x`. */
const STORE_VALUE_FLAG = /^(?:body|value|data|string|plaintext|secret)$/;

/** `at` is on the second `-` of `--password value`. `--password=value` is a name and its value. */
export function detectFlag(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  if (text.charCodeAt(at + 1) === 45) return undefined;
  scan.spend(100);
  const nameEnd = matchEnd(FLAG, text, at + 1);
  if (nameEnd < 0 || !/[\s"'`([,]/.test(text[at - 2] ?? " ")) return undefined;
  const name = text.slice(at + 1, nameEnd);
  const start = matchEnd(/[ \t]{1,8}/y, text, nameEnd);
  if (name === "user" || name === "proxy-user")
    return /\b(?:curl|xh|https?)\b/.test(commandBefore(scan, at))
      ? passwordAfter(text, start, ":")
      : undefined;
  const isStored =
    at < scan.secretArgsTo || (name === "value" && /\bput-parameter\b/.test(commandBefore(scan, at)));
  if (isStored && STORE_VALUE_FLAG.test(name))
    return argumentAt(text, start, { kind: "secret", weak: false });
  // `pulumi config set --secret name value`: the flag itself has no value.
  if (name === "secret" && /\bset[ \t]+$/.test(text.slice(Math.max(0, at - 8), at - 1))) return undefined;
  const key = secretKey(name);
  return key === undefined ? undefined : argumentAt(text, start, key);
}

/** `-storepass x`, `-Password x`: words after one dash, as in Java, Go and PowerShell. `at` is on the dash. */
export function detectWordFlag(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const next = text.charCodeAt(at + 1) | 32;
  if (next < 97 || next > 122) return undefined;
  scan.spend(40);
  const nameEnd = matchEnd(FLAG, text, at + 1);
  if (nameEnd < 0) return undefined;
  const name = text.slice(at + 1, nameEnd);
  const key = secretKey(name);
  if (key === undefined || key.weak) return undefined;
  const span = argumentAt(text, matchEnd(/[ \t]{1,8}/y, text, nameEnd), key);
  if (span === undefined) return undefined;
  const isPlainWord =
    /^[A-Za-z-]+[.,;:]?$/.test(text.slice(span.start, span.end)) && !/["']/.test(text[span.start - 1]!);
  return isPlainWord && /^(?:password|token|secret|passphrase)$/.test(name) ? undefined : span;
}

interface ShortFlag {
  readonly command: RegExp;
  readonly flags: string;
  /** Must also match the command line. */
  readonly also?: RegExp;
  /** Where the value is: directly after the letter (`glued`), after a blank (`apart`), or either. */
  readonly form?: "glued" | "apart";
  /** `user:password`: the separator between the two. */
  readonly sign?: string;
  readonly kind?: string;
}

const SHORT_FLAGS: readonly ShortFlag[] = [
  { command: /\b(?:curl|xh|https?)\b/, flags: "uU", sign: ":" },
  { command: /\b(?:xh|https?)\b/, flags: "a", sign: ":" },
  { command: /\b(?:smbclient|rpcclient|winexe|smbmap|nmblookup)\b/, flags: "U", sign: "%" },
  { command: /\blftp\b/, flags: "u", sign: "," },
  {
    command: /\b(?:docker|podman|buildah|skopeo|helm|oc|az|nerdctl)\b/,
    flags: "p",
    also: /\blogin\b/,
    form: "apart",
  },
  { command: /\b(?:mysql\w*|mariadb[\w-]*)\b/, flags: "p", form: "glued" },
  { command: /\b(?:7z[ar]?|unrar|rar)\b/, flags: "p", form: "glued" },
  {
    command: /\b(?:sshpass|mongosh?|mongo(?:dump|restore|export|import)|twine|cqlsh|evil-winrm|nxc)\b/,
    flags: "p",
  },
  { command: /\bredis-cli\b/, flags: "a" },
  { command: /\bldap(?:search|add|modify|delete|whoami|passwd|compare)\b/, flags: "w" },
  { command: /\b(?:sqlcmd|bcp|osql|zip|unzip|mosquitto_(?:pub|sub))\b/, flags: "P", form: "apart" },
  { command: /\bsqlcmd\b/, flags: "P" },
  { command: /\bssh-keygen\b/, flags: "NP", form: "apart" },
  {
    command: /\bsecurity\b/,
    flags: "wp",
    also: /-(?:generic|internet)-password\b|unlock-keychain/,
    form: "apart",
  },
  { command: /\bopenssl\b/, flags: "kK", form: "apart" },
  { command: /\bsecrets?[ \t]+(?:set|put|create|add)\b/, flags: "bv", kind: "secret" },
];

/** `curl -u user:pass`, `docker login -p pass`, `mysql -ppass`, `sshpass -p pass`; `at` is on the letter. */
export function detectShortFlag(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const before = text.charCodeAt(at - 2);
  if ((before !== 32 && before !== 10 && before !== 9) || at - 2 < scan.floor) return undefined;
  const isApart = /[ \t]/.test(text[at + 1] ?? "");
  const form = isApart ? "apart" : "glued";
  const flag = text[at]!;
  const line = commandBefore(scan, at - 1);
  const shortFlag = SHORT_FLAGS.find(
    (candidate) =>
      candidate.flags.includes(flag) &&
      (candidate.form ?? form) === form &&
      candidate.command.test(line) &&
      (candidate.also === undefined || candidate.also.test(line)),
  );
  if (shortFlag === undefined) return undefined;
  const start = isApart ? matchEnd(/[ \t]{1,8}/y, text, at + 1) : at + 1;
  if (shortFlag.sign !== undefined) return passwordAfter(text, start, shortFlag.sign);
  return argumentAt(
    text,
    start,
    shortFlag.kind === undefined ? PASSWORD : { kind: shortFlag.kind, weak: false },
  );
}

/** The command line up to here: after the last `;`, `|`, `&&` or line end that is not continued. */
export function commandBefore(scan: Scan, end: number): string {
  const before = scan.text.slice(Math.max(scan.floor, end - 600), end);
  return before.split(/(?<!\\)\n|(?<!\\)\\{1,8}n|[;|]|&&/).at(-1)!;
}

/** The password of `user:password`. */
function passwordAfter(text: string, from: number, sign: string): Span | undefined {
  const quoted = readQuoted(text, from);
  const start = quoted?.start ?? from;
  const end = quoted?.end ?? Math.max(start, matchEnd(/[^\s"'`\\]{1,512}/y, text, start));
  const signAt = text.slice(start, end).indexOf(sign);
  if (signAt < 0 || signAt + 1 >= end - start) return undefined;
  const password = text.slice(start + signAt + 1, end);
  return isNeverSecret(password)
    ? undefined
    : { start: start + signAt + 1, end, kind: kindOfToken(password) ?? "password" };
}

/**
 * A command's argument is never code: anything but variables, other flags and placeholders is the secret. A
 * plain word is one only as a password, unless `anyWord`: `--token option` may also be prose.
 */
export function argumentAt(text: string, from: number, key: SecretKey, anyWord = false): Span | undefined {
  if (key.kind === "seed-phrase") {
    const phrase = seedPhraseAt(text, from);
    if (phrase !== undefined) return phrase;
  }
  const quoted = readQuoted(text, from);
  const start = quoted?.start ?? from;
  const end = quoted?.end ?? Math.max(start, matchEnd(/[^\s"'`\\,)]{1,4096}/y, text, start));
  const value = text.slice(start, end);
  if (isNeverSecret(value) || /^[-|&<>([{=]|^\.{0,2}\/[\w./-]*$/.test(value)) return undefined;
  const mayBeProse = quoted === undefined && key.kind !== "password" && !anyWord;
  if (mayBeProse && /^[a-z]{1,15}[.:,]?$/.test(value)) return undefined;
  if (key.weak && !looksRandom(value)) return undefined;
  return { start, end, kind: kindOfToken(value) ?? key.kind };
}
