/**
 * Masks secrets in any text: prompts, commands, tool output, file contents. Called for every event, so one
 * loop looks at each pair of neighbouring characters in a table, and only pairs that can belong to a secret
 * (the end of a known prefix, `=` or `:` after a name, `://`, `--`) are looked at more closely.
 *
 * Three kinds of evidence:
 * 1. Formats (`secret-formats.ts`, `secret-rules.ts`: tokens, PEM, JWT, URLs): masked wherever they stand.
 * 2. A name and its value (`secret-assignments.ts`): masked when the value is a literal.
 * 3. Places that hold credentials (`secret-places.ts`): `Bearer …`, `curl -u`, `--password …`, SQL.
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
import { lookForElement, lookForValue, SIGN_FOLLOWS } from "./secret-assignments.ts";
import { lookForJwt, lookForPem, lookForPemEnd, lookForToken, lookForUrl } from "./secret-formats.ts";
import { lookForBearer, lookForFlag, lookForSaid, lookForShortFlag } from "./secret-places.ts";
import { TOKEN_RULES } from "./secret-rules.ts";
import { type Look, mark, type Scan, type Span } from "./secret-scan.ts";

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

/** What kind of secret stands first in a text; null for none. Cheaper than masking it. */
export function kindOfFirstSecret(text: string): string | null {
  return findSecrets(text, 1)[0]?.kind ?? null;
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

function findSecrets(text: string, most = Number.POSITIVE_INFINITY): readonly Span[] {
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
      if (spans.length >= most) return spans;
      before = 93; // as if the mask's closing bracket stood there: a second run sees the same
      break;
    }
  }
  return spans;
}

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
for (const char of SIGN_FOLLOWS) {
  watch(`${char}=`, lookForValue);
  watch(`${char}:`, lookForValue);
  if (/[\w-]/.test(char)) watch(`${char}>`, lookForElement);
}
