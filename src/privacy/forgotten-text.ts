import { createHmac, hash } from "node:crypto";

/**
 * Recognises a forgotten text without storing it: a rolling hash finds candidates, a keyed hash confirms
 * them. A guard only lets its holder test a guess.
 */
export interface TextGuard {
  readonly v: number;
  readonly salt: string;
  /** The length of the folded text, in UTF-16 units. */
  readonly length: number;
  /** Sixteen bits: enough to skip nearly everything, too few to reveal much of the text. */
  readonly roll: number;
  readonly digest: string;
}

/** A guard applies to what happened up to the moment the text was forgotten. */
export interface DatedGuard extends TextGuard {
  readonly at: string;
}

/** Finds one text in others, which must be folded first. */
export interface TextFinder {
  /** Whether white space must be collapsed first. */
  readonly collapsesSpace: boolean;
  matches(folded: string): boolean;
  /** A cheap pre-check: false if the text cannot match, escaped or not. */
  mightMatch?(text: string): boolean;
}

export function createTextGuard(text: string, salt: string): TextGuard {
  const folded = foldNeedle(text);
  const { length } = folded;
  return { v: 1, salt, length, roll: rollOf(folded, baseOf(salt)), digest: digestOf(folded, salt) };
}

/** Whether one of the texts occurs in a value: in its strings and keys, also in JSON written as a string. */
export function containsForgotten(guards: readonly TextGuard[], value: unknown): boolean {
  return guards.some((guard) => isFoundIn(finderForGuard(guard), value));
}

/** Cached: guards are few and used repeatedly. */
const finders = new WeakMap<TextGuard, TextFinder>();

export function finderForGuard(guard: TextGuard): TextFinder {
  const cached = finders.get(guard);
  if (cached !== undefined) return cached;
  const finder = createGuardFinder(guard);
  finders.set(guard, finder);
  return finder;
}

function createGuardFinder(guard: TextGuard): TextFinder {
  const { length, roll, salt, digest } = guard;
  const base = baseOf(salt);
  let power = 1;
  for (let i = 0; i < length; i++) power = Math.imul(power, base);
  /** The last window that was hashed in vain, so that repeated content is not hashed at every step. */
  let lastMismatch = "";
  const isForgottenAt = (folded: string, end: number): boolean => {
    const window = folded.slice(end - length, end);
    if (window === lastMismatch) return false;
    if (digestOf(window, salt) === digest) return true;
    lastMismatch = window;
    return false;
  };
  return {
    collapsesSpace: true,
    matches(folded) {
      let sum = 0;
      for (let i = 0; i < folded.length; i++) {
        sum = (Math.imul(sum, base) + folded.charCodeAt(i)) | 0;
        if (i >= length) sum = (sum - Math.imul(folded.charCodeAt(i - length), power)) | 0;
        if (i >= length - 1 && mixBits(sum) === roll && isForgottenAt(folded, i + 1)) return true;
      }
      return false;
    },
  };
}

/** Finds a text that is still known, such as in the request to forget it. */
export function createTextFinder(text: string): TextFinder {
  const needle = foldNeedle(text);
  const plain = longestOf(needle.match(UNESCAPED_CHARS));
  const wide = longestOf(needle.match(NUMERIC_ONLY_CHARS));
  const includesPart = (text: string): boolean =>
    plain === "" ? fold(text, false).includes(wide) : text.toLowerCase().includes(plain);
  return {
    collapsesSpace: needle.includes(" "),
    matches: (folded) => folded.includes(needle),
    mightMatch: (text) => includesPart(text) || NUMERIC_ESCAPE.test(text),
  };
}

function longestOf(parts: readonly string[] | null): string {
  return (parts ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
}

/** Characters that are never escaped, and those that only a numeric escape could represent. */
const UNESCAPED_CHARS = /[a-z0-9_.,:;@#%+=!?*()[\]{}$~^|-]+/g;
const NUMERIC_ONLY_CHARS = /[^\s"\\/<>&'`\x00-\x1f]+/g;
const NUMERIC_ESCAPE = /\\u[0-9a-fA-F]{4}/;

export function isFoundIn(finder: TextFinder, value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") {
      if (isFoundInText(finder, next)) return true;
    } else if (typeof next === "number") {
      if (Math.abs(next) >= MIN_SEARCHED_NUMBER && finder.matches(String(next))) return true;
    } else if (Array.isArray(next)) for (const inner of next) pending.push(inner);
    else if (next !== null && typeof next === "object") {
      for (const [key, inner] of Object.entries(next)) {
        if (!KNOWN_KEYS.has(key)) pending.push(key);
        pending.push(inner);
      }
    }
  }
  return false;
}

/** Smaller numbers are counts, measures or indexes, not personal data. */
const MIN_SEARCHED_NUMBER = 100_000;

/** Keys of known schemas: forgetting such a word must not hit every call with an input of that name. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  `activeForm args blocks branch command completed concepts content cwd data description durationMs edit error
   errorMessage exitCode extra facts file filePath fileType file_path filesModified filesRead glob input investigated
   item itemId items kind lastAssistantMessage learned limit lineCount lines matchCount message metadata model narrative
   new_string newLines newStart nextSteps notebook_path offset old_string oldLines oldStart options output output_mode
   path pattern payload project projectPath prompt promptNumber query question questions reason replace_all request
   run_in_background server skill skillName status statusCode structuredPatch subject success summary targetDocPath
   taskId text timeout title todos tool toolInput toolKind toolName toolOutput tool_input tool_name transcriptPath
   triggerCommand type url`.split(/\s+/),
);

/** Same result as `isFoundIn` on the parsed JSON, at a fraction of the cost in nearly all cases. */
export function isFoundInJson(
  finder: TextFinder,
  json: string,
  contentOf: (value: unknown) => unknown = (value) => value,
): boolean {
  return isFoundInText(finder, json) && isFoundIn(finder, contentOf(JSON.parse(json)));
}

/** JSON in a string in JSON in a string: the deepest nesting seen in tool output, plus one. */
const MAX_ESCAPE_LEVELS = 4;

export function isFoundInText(finder: TextFinder, text: string): boolean {
  if (finder.mightMatch?.(text) === false) return false;
  let level = text;
  for (let depth = 0; ; depth++) {
    if (finder.matches(fold(level, finder.collapsesSpace))) return true;
    if (depth === MAX_ESCAPE_LEVELS || !level.includes("\\")) return false;
    const inner = unescapeJson(level);
    if (inner === level) return false;
    level = inner;
  }
}

/** Folds a text to search for. Must not be empty: "" is in everything. */
export function foldNeedle(text: string): string {
  return fold(text, true).trim();
}

/**
 * Normalises letters, lowercases, collapses white space, which views and people do not reproduce exactly.
 */
function fold(text: string, collapsesSpace: boolean): string {
  const lowered = text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
  return collapsesSpace ? lowered.replace(SPACES, " ") : lowered;
}

/** Matches all white space but a single blank, by far the most common. */
const SPACES = /[^\S ]\s*| \s+/g;

/** Removes one level of JSON escapes. By hand: `replace` with a function takes ten times as long. */
function unescapeJson(text: string): string {
  let result = "";
  let from = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", from)) {
    const letter = text[at + 1] ?? "";
    const code = letter === "u" ? text.slice(at + 2, at + 6) : "";
    const isCode = HEX.test(code);
    const plain = isCode ? String.fromCharCode(Number.parseInt(code, 16)) : ESCAPED[letter];
    result += text.slice(from, at) + (plain ?? "\\");
    from = at + (plain === undefined ? 1 : isCode ? 6 : 2);
  }
  return from === 0 ? text : result + text.slice(from);
}

const HEX = /^[0-9a-fA-F]{4}$/;
const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
  "/": "/",
};

/** Odd, so that no letter of the window is lost; from the salt, so that two guards' sums are unrelated. */
function baseOf(salt: string): number {
  return hash("sha256", `base\n${salt}`, "buffer").readInt32BE(0) | 1;
}

function rollOf(folded: string, base: number): number {
  let sum = 0;
  for (let i = 0; i < folded.length; i++) sum = (Math.imul(sum, base) + folded.charCodeAt(i)) | 0;
  return mixBits(sum);
}

/** Texts that differ only in their last letter have sums that differ only in their last bits. */
function mixBits(sum: number): number {
  return Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) >>> 16;
}

function digestOf(folded: string, salt: string): string {
  return createHmac("sha256", salt).update(folded).digest("hex");
}
