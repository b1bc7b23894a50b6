/**
 * Masks secrets in any text: prompts, commands, tool output, file contents. Called for every event, so one
 * loop looks up each pair of neighbouring characters in a table, and only pairs that can belong to a secret
 * (the end of a known prefix, `=` or `:` after a name, `://`, `--`) are examined more closely.
 *
 * Three kinds of evidence:
 * 1. Formats (`secret-formats.ts`, `secret-rules.ts`, `secret-pem.ts`): masked anywhere, also broken over
 *    lines (`secret-wrapped.ts`), coloured or encoded (`secret-disguise.ts`).
 * 2. A name and its value (`secret-names.ts`, `secret-assignments.ts`): masked if the value is a literal.
 * 3. Contexts that hold credentials: `Bearer …`, `.netrc`, SQL (`secret-contexts.ts`), flags
 *    (`secret-flags.ts`), commands (`secret-commands.ts`), seed phrases (`secret-phrases.ts`).
 *
 * Trade-offs, chosen because a memory full of holes is as useless as one full of secrets is dangerous:
 * - An unquoted value that could be a variable (`password = userInput`, `token: Token`, `a.b`, `f(x)`) stays.
 *   So a real password made only of letters stays too if the line looks like code (`pw = letmein;`);
 *   in `KEY=value`, YAML and .env lines it is masked.
 * - A quoted value is masked unless it is a placeholder, a label, a type, a path or the name of a variable.
 * - Without a name beside it and without a known format, random text (git SHAs, UUIDs, checksums) stays.
 * - A masked value extends to the next blank or quote: better too much than to leave a tail.
 *
 * Linear: looking back is bounded by constants, looking forward is bounded or consumes what it masks.
 * Idempotent: neither a later look back nor a second run reads through a mask.
 */
import { detectAssignment, detectElement } from "./secret-assignments.ts";
import {
  detectDirective,
  detectHereString,
  detectHtpasswd,
  detectOracleLogin,
  detectPassArgument,
  detectPiped,
  detectSetting,
  noteSecretStore,
} from "./secret-commands.ts";
import {
  detectBearer,
  detectNetrc,
  detectPgpass,
  detectStatedPassword,
  detectTabbed,
} from "./secret-contexts.ts";
import {
  inOriginal,
  isInvisible,
  type View,
  withoutNoise,
  withoutNoiseAndEncoding,
} from "./secret-disguise.ts";
import { detectFlag, detectShortFlag, detectWordFlag } from "./secret-flags.ts";
import { createTokenDetector, detectJwt, detectUrl } from "./secret-formats.ts";
import { SIGN_FOLLOWS } from "./secret-names.ts";
import { detectPem, detectPemEnd, detectPuttyKey } from "./secret-pem.ts";
import { detectSeedPhrase } from "./secret-phrases.ts";
import { TOKEN_RULES } from "./secret-rules.ts";
import { createScan, type Detector, mark, type Scan, type Span, type Spend } from "./secret-scan.ts";

export function maskSecrets(text: string): string {
  let masked = text;
  // A mask can uncover a neighbour (two tokens without a blank between them), so repeat until nothing is
  // found. Ordinary text takes one run, text with a secret two.
  for (let run = 0; run < MAX_RUNS; run++) {
    const spans = findSecrets(masked);
    if (spans.length === 0) break;
    masked = replaceSpans(masked, spans);
  }
  return masked;
}

/** The kind of a text's first secret; null if there is none. Cheaper than masking. `spend` may abort it. */
export function kindOfFirstSecret(text: string, spend: Spend = UNLIMITED): string | null {
  return findSecrets(text, 1, spend)[0]?.kind ?? null;
}

const UNLIMITED: Spend = () => {};

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

/** Colour codes and invisible characters come first, percent-encoding last: it may be a password's own. */
function findSecrets(text: string, most = Number.POSITIVE_INFINITY, spend = UNLIMITED): readonly Span[] {
  const scan = createScan(text, spend);
  const plain = scanText(scan, most);
  if (scan.disguised) {
    const seen = findInView(withoutNoise(text, spend), most, spend);
    if (seen.length > 0) return seen;
  }
  return plain.length > 0 || !scan.encoded
    ? plain
    : findInView(withoutNoiseAndEncoding(text, spend), most, spend);
}

function findInView(view: View, most: number, spend: Spend): readonly Span[] {
  return inOriginal(view, scanText(createScan(view.text, spend), most));
}

function scanText(scan: Scan, most: number): readonly Span[] {
  const { text } = scan;
  const spans: Span[] = [];
  let before = 0;
  let free = text.length * FREE_CALLS;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const now = code < 128 ? code : asciiCode(scan, code);
    const slot = SLOTS[(before << 7) | now]!;
    before = now;
    if (slot === 0) continue;
    const third = at > 1 ? text.charCodeAt(at - 2) | 32 : 0;
    const looks = DETECTORS[slot]![third < 128 ? third : 0]!;
    if (looks.length > 0 && --free < 0) scan.spend(CALL_COST);
    for (let n = 0; n < looks.length; n++) {
      const span = looks[n]!(scan, at);
      if (span === undefined) continue;
      if (span.kind !== "") spans.push(span);
      scan.floor = span.end;
      at = span.end - 1;
      if (spans.length >= most) return spans;
      before = 93; // as if the mask's closing bracket stood there: a second run sees the same
      break;
    }
  }
  return spans;
}

/** Calls per character in ordinary text, and the cost of each further one. Deeper checks spend more. */
const FREE_CALLS = 1 / 12;
const CALL_COST = 16;

/** 0 for all non-ASCII characters except the full-width ":" and "=", which count as their ASCII forms. */
function asciiCode(scan: Scan, code: number): number {
  if ((code < 0x2070 || code >= 0xfe00) && isInvisible(code)) scan.disguised = true;
  return code === 0xff1a ? 58 : code === 0xff1d ? 61 : 0;
}

interface Watcher {
  /** The character before the pair, case-insensitive; 0 for any. */
  readonly third: number;
  readonly look: Detector;
}

/** Maps each pair of ASCII characters to the number of a list in `WATCHERS`, 0 for none. */
const SLOTS = new Uint16Array(128 * 128);
const WATCHERS: Watcher[][] = [[]];

/** Calls `look` where the text reads `ending`: its last two characters exactly, the one before nearly. */
function watch(ending: string, look: Detector): void {
  const index = (ending.charCodeAt(ending.length - 2) << 7) | ending.charCodeAt(ending.length - 1);
  if (SLOTS[index] === 0) SLOTS[index] = WATCHERS.push([]) - 1;
  const third = ending.length > 2 ? ending.charCodeAt(ending.length - 3) | 32 : 0;
  WATCHERS[SLOTS[index]!]!.push({ third, look });
}

/** The endings are separated by `~`. */
function watchAll(endings: string, look: Detector): void {
  for (const ending of endings.split("~")) watch(ending, look);
}

watchAll("BEGIN ~begin ~BEGIN\t~begin\t~BEGIN\n~begin\n", detectPem);
watchAll("END ~end ~END\t~end\t~END\n~end\n", detectPemEnd);
watch("Lines:", detectPuttyKey);
watch("eyJ", detectJwt);
for (const rule of TOKEN_RULES) watch(rule.prefix, createTokenDetector(rule));
watch(":/", detectUrl);
watchAll("be~Be~BE~bE", detectBearer);
watchAll("password ~PASSWORD ~by ~BY ", detectStatedPassword);
watchAll("password ~passwd ~password\t~passwd\t", detectNetrc);
for (const next of "*0123456789") watch(`:${next}`, detectPgpass);
watchAll(
  "seed ~recovery ~mnemonic ~backup ~secret ~SEED ~RECOVERY ~MNEMONIC ~BACKUP ~SECRET ",
  detectSeedPhrase,
);
watch("--", detectFlag);
watchAll("-u~-U~-p~-a~-w~-P~-k~-K~-N~-b~-v", detectShortFlag);
watchAll(" -~\t-", detectWordFlag);
watchAll("set ~SET ~setx ~setenv ~config ", detectSetting);
watchAll("secret ~secrets ~kv ", noteSecretStore);
watchAll("echo ~printf ", detectPiped);
watch("<<", detectHereString);
watch("htpasswd ", detectHtpasswd);
watch("pass:", detectPassArgument);
watchAll("sqlplus ~sqlldr ~expdp ~impdp ~:thin:~:oci:", detectOracleLogin);
watchAll("requirepass ~masterauth ~bindpw ~rootpw ~sasl_passwd ", detectDirective);
watchAll("||~??~\",~',~->", detectAssignment);
for (const char of SIGN_FOLLOWS) {
  watch(`${char}=`, detectAssignment);
  watch(`${char}:`, detectAssignment);
  if (/[\w-]/.test(char)) watch(`${char}>`, detectElement);
  if (/[\w\0]/.test(char)) watch(`${char}\t`, detectTabbed);
}
watch("\\t", detectTabbed);

const noise = noteDisguise("disguised");
watchAll("\x1b[~\x1b]~\x1b(", noise);
watchAll("\\e[~33[~1b[~1B[~\\u2~\\uf~\\uF~\\u0", noise);
watchAll("%2~%3~%4~%5~%6~%7~%0", noteDisguise("encoded"));

/** `WATCHERS` indexed by slot and by the character before the pair. */
const DETECTORS: readonly (readonly Detector[])[][] = WATCHERS.map((watchers) => {
  const forThird = (third: number): Detector[] =>
    watchers.filter((one) => one.third === 0 || one.third === third).map((one) => one.look);
  // Shared by all characters without a detector of their own: a list for each would take 4 MB.
  const forAny = forThird(0);
  const asked = new Set(watchers.map((one) => one.third));
  return Array.from({ length: 128 }, (_, third) => (asked.has(third) ? forThird(third) : forAny));
});

/** Only notes that there is something to decode. */
function noteDisguise(what: "disguised" | "encoded"): Detector {
  return (scan) => {
    scan[what] = true;
    return undefined;
  };
}
