/**
 * Masks secrets in any text: prompts, commands, tool output, file contents. Called for every event, so one
 * loop looks at each pair of neighbouring characters in a table, and only pairs that can belong to a secret
 * (the end of a known prefix, `=` or `:` after a name, `://`, `--`) are looked at more closely.
 *
 * Three kinds of evidence:
 * 1. Formats (`secret-formats.ts`, `secret-rules.ts`, `secret-pem.ts`): masked wherever they stand, also broken over
 *    lines (`secret-wrapped.ts`), coloured or encoded (`secret-disguise.ts`).
 * 2. A name and its value (`secret-names.ts`, `secret-assignments.ts`): masked when the value is a literal.
 * 3. Places that hold credentials: `Bearer …`, `.netrc`, SQL (`secret-places.ts`), flags (`secret-flags.ts`), commands
 *    (`secret-commands.ts`), seed phrases (`secret-phrases.ts`).
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
import { lookForElement, lookForValue } from "./secret-assignments.ts";
import {
  lookForDirective,
  lookForHereString,
  lookForHtpasswd,
  lookForOracle,
  lookForPassArgument,
  lookForPiped,
  lookForSetting,
  lookForStore,
} from "./secret-commands.ts";
import {
  inOriginal,
  isInvisible,
  type View,
  withoutNoise,
  withoutNoiseAndEncoding,
} from "./secret-disguise.ts";
import { lookForFlag, lookForShortFlag, lookForWordFlag } from "./secret-flags.ts";
import { lookForJwt, lookForToken, lookForUrl } from "./secret-formats.ts";
import { SIGN_FOLLOWS } from "./secret-names.ts";
import { lookForPem, lookForPemEnd, lookForPuttyKey } from "./secret-pem.ts";
import { lookForSeedPhrase } from "./secret-phrases.ts";
import { lookForBearer, lookForNetrc, lookForPgpass, lookForSaid, lookForTabbed } from "./secret-places.ts";
import { TOKEN_RULES } from "./secret-rules.ts";
import { createScan, type Look, mark, type Scan, type Span, type Spend } from "./secret-scan.ts";

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

/** What kind of secret stands first in a text; null for none. Cheaper than masking it. `spend` may end it. */
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

/** Colour codes and invisible characters are looked through first, percent-encoding last: it may be a password's own. */
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
  let free = text.length * FREE_LOOKS;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const now = code < 128 ? code : narrow(scan, code);
    const slot = SLOTS[(before << 7) | now]!;
    before = now;
    if (slot === 0) continue;
    const third = at > 1 ? text.charCodeAt(at - 2) | 32 : 0;
    const looks = LOOKS[slot]![third < 128 ? third : 0]!;
    if (looks.length > 0 && --free < 0) scan.spend(LOOK_COST);
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

/** As many as ordinary text has for each of its characters, and what each further one costs. Those that go on spend more. */
const FREE_LOOKS = 1 / 12;
const LOOK_COST = 16;

/** 0 for all characters that are not ASCII, but the full-width ":" and "=", which are read as these. */
function narrow(scan: Scan, code: number): number {
  if ((code < 0x2070 || code >= 0xfe00) && isInvisible(code)) scan.disguised = true;
  return code === 0xff1a ? 58 : code === 0xff1d ? 61 : 0;
}

interface Watcher {
  /** The character before the pair, its case ignored; 0 for any. */
  readonly third: number;
  readonly look: Look;
}

/** For each pair of ASCII characters the number of a list in `WATCHERS`, 0 for nothing. */
const SLOTS = new Uint16Array(128 * 128);
const WATCHERS: Watcher[][] = [[]];

/** Calls `look` where the text reads `ending`: its last two characters must be the same, the one before them nearly. */
function watch(ending: string, look: Look): void {
  const index = (ending.charCodeAt(ending.length - 2) << 7) | ending.charCodeAt(ending.length - 1);
  if (SLOTS[index] === 0) SLOTS[index] = WATCHERS.push([]) - 1;
  const third = ending.length > 2 ? ending.charCodeAt(ending.length - 3) | 32 : 0;
  WATCHERS[SLOTS[index]!]!.push({ third, look });
}

/** The endings are separated by `~`. */
function watchAll(endings: string, look: Look): void {
  for (const ending of endings.split("~")) watch(ending, look);
}

watchAll("BEGIN ~begin ~BEGIN\t~begin\t~BEGIN\n~begin\n", lookForPem);
watchAll("END ~end ~END\t~end\t~END\n~end\n", lookForPemEnd);
watch("Lines:", lookForPuttyKey);
watch("eyJ", lookForJwt);
for (const rule of TOKEN_RULES) watch(rule.prefix, lookForToken(rule));
watch(":/", lookForUrl);
watchAll("be~Be~BE~bE", lookForBearer);
watchAll("password ~PASSWORD ~by ~BY ", lookForSaid);
watchAll("password ~passwd ~password\t~passwd\t", lookForNetrc);
for (const next of "*0123456789") watch(`:${next}`, lookForPgpass);
watchAll(
  "seed ~recovery ~mnemonic ~backup ~secret ~SEED ~RECOVERY ~MNEMONIC ~BACKUP ~SECRET ",
  lookForSeedPhrase,
);
watch("--", lookForFlag);
watchAll("-u~-U~-p~-a~-w~-P~-k~-K~-N~-b~-v", lookForShortFlag);
watchAll(" -~\t-", lookForWordFlag);
watchAll("set ~SET ~setx ~setenv ~config ", lookForSetting);
watchAll("secret ~secrets ~kv ", lookForStore);
watchAll("echo ~printf ", lookForPiped);
watch("<<", lookForHereString);
watch("htpasswd ", lookForHtpasswd);
watch("pass:", lookForPassArgument);
watchAll("sqlplus ~sqlldr ~expdp ~impdp ~:thin:~:oci:", lookForOracle);
watchAll("requirepass ~masterauth ~bindpw ~rootpw ~sasl_passwd ", lookForDirective);
watchAll("||~??~\",~',~->", lookForValue);
for (const char of SIGN_FOLLOWS) {
  watch(`${char}=`, lookForValue);
  watch(`${char}:`, lookForValue);
  if (/[\w-]/.test(char)) watch(`${char}>`, lookForElement);
  if (/[\w\0]/.test(char)) watch(`${char}\t`, lookForTabbed);
}
watch("\\t", lookForTabbed);

const noise = lookForDisguise("disguised");
watchAll("\x1b[~\x1b]~\x1b(", noise);
watchAll("\\e[~33[~1b[~1B[~\\u2~\\uf~\\uF~\\u0", noise);
watchAll("%2~%3~%4~%5~%6~%7~%0", lookForDisguise("encoded"));

/** What `WATCHERS` has, by slot and by the character before the pair. */
const LOOKS: readonly (readonly Look[])[][] = WATCHERS.map((watchers) => {
  const forThird = (third: number): Look[] =>
    watchers.filter((one) => one.third === 0 || one.third === third).map((one) => one.look);
  // Shared by all characters that nothing asks for: a list for each would take 4 MB.
  const forAny = forThird(0);
  const asked = new Set(watchers.map((one) => one.third));
  return Array.from({ length: 128 }, (_, third) => (asked.has(third) ? forThird(third) : forAny));
});

/** Only notes that there is something to look through. */
function lookForDisguise(what: "disguised" | "encoded"): Look {
  return (scan) => {
    scan[what] = true;
    return undefined;
  };
}
