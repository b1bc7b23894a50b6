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

/**
 * Searches without colour codes and invisible characters first, and percent-decoded last, because a
 * password may contain a percent sign.
 */
function findSecrets(text: string, maxSpans = Number.POSITIVE_INFINITY, spend = UNLIMITED): readonly Span[] {
  const scan = createScan(text, spend);
  const plain = scanText(scan, maxSpans);
  if (scan.disguised) {
    const inView = findInView(withoutNoise(text, spend), maxSpans, spend);
    if (inView.length > 0) return inView;
  }
  return plain.length > 0 || !scan.encoded
    ? plain
    : findInView(withoutNoiseAndEncoding(text, spend), maxSpans, spend);
}

function findInView(view: View, maxSpans: number, spend: Spend): readonly Span[] {
  return inOriginal(view, scanText(createScan(view.text, spend), maxSpans));
}

function scanText(scan: Scan, maxSpans: number): readonly Span[] {
  const { text } = scan;
  const spans: Span[] = [];
  let before = 0;
  let freeCalls = text.length * FREE_CALLS;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const current = code < 128 ? code : asciiCode(scan, code);
    const slot = SLOTS[(before << 7) | current]!;
    before = current;
    if (slot === 0) continue;
    const thirdLast = at > 1 ? text.charCodeAt(at - 2) | 32 : 0;
    const detectors = DETECTORS[slot]![thirdLast < 128 ? thirdLast : 0]!;
    if (detectors.length > 0 && --freeCalls < 0) scan.spend(CALL_COST);
    for (let n = 0; n < detectors.length; n++) {
      const span = detectors[n]!(scan, at);
      if (span === undefined) continue;
      if (span.kind !== "") spans.push(span);
      scan.floor = span.end;
      at = span.end - 1;
      if (spans.length >= maxSpans) return spans;
      before = 93; // as after the mask's closing bracket, so that a second run sees the same
      break;
    }
  }
  return spans;
}

/**
 * Detector calls per character that ordinary text needs, and the cost of each further call. Deeper checks
 * spend more.
 */
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

/**
 * Registers `look` for texts that end in `ending`: the last two characters match exactly, the one before
 * ignoring case.
 */
function watch(ending: string, look: Detector): void {
  const index = (ending.charCodeAt(ending.length - 2) << 7) | ending.charCodeAt(ending.length - 1);
  if (SLOTS[index] === 0) SLOTS[index] = WATCHERS.push([]) - 1;
  const thirdLast = ending.length > 2 ? ending.charCodeAt(ending.length - 3) | 32 : 0;
  WATCHERS[SLOTS[index]!]!.push({ third: thirdLast, look });
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

const noteNoise = noteDisguise("disguised");
watchAll("\x1b[~\x1b]~\x1b(", noteNoise);
watchAll("\\e[~33[~1b[~1B[~\\u2~\\uf~\\uF~\\u0", noteNoise);
watchAll("%2~%3~%4~%5~%6~%7~%0", noteDisguise("encoded"));

/** `WATCHERS` indexed by slot and by the character before the pair. */
const DETECTORS: readonly (readonly Detector[])[][] = WATCHERS.map((watchers) => {
  const forThird = (thirdLast: number): Detector[] =>
    watchers
      .filter((watcher) => watcher.third === 0 || watcher.third === thirdLast)
      .map((watcher) => watcher.look);
  // Shared by all characters without a detector of their own: a list for each would take 4 MB.
  const forAny = forThird(0);
  const ownThirds = new Set(watchers.map((watcher) => watcher.third));
  return Array.from({ length: 128 }, (_, thirdLast) =>
    ownThirds.has(thirdLast) ? forThird(thirdLast) : forAny,
  );
});

/** Masks nothing, only notes that there is something to decode. */
function noteDisguise(what: "disguised" | "encoded"): Detector {
  return (scan) => {
    scan[what] = true;
    return undefined;
  };
}
