import { createHmac, hash } from "node:crypto";

/**
 * Tells a forgotten text when it is seen again, without holding it: a rolling sum finds where it may stand, a keyed
 * hash says whether it does. Who has the guard can test a guess, and no more.
 */
export interface TextGuard {
  readonly v: number;
  readonly salt: string;
  /** Of the text as it is compared, in UTF-16 units. */
  readonly length: number;
  /** Sixteen bits: enough to pass over nearly everything, too few to say much of the text. */
  readonly roll: number;
  readonly digest: string;
}

/** A guard concerns what happened up to the moment the text was forgotten. */
export interface DatedGuard extends TextGuard {
  readonly at: string;
}

/** Looks for one text in others, which are folded first. */
export interface TextFinder {
  /** Whether white space is to be made one before. */
  readonly isSpaced: boolean;
  finds(folded: string): boolean;
  /** False where it can be ruled out at a glance, escaped or not. */
  mayBeIn?(text: string): boolean;
}

export function makeGuard(text: string, salt: string): TextGuard {
  const folded = foldNeedle(text);
  const { length } = folded;
  return { v: 1, salt, length, roll: rollOf(folded, baseOf(salt)), digest: digestOf(folded, salt) };
}

/** Whether one of the texts stands in a value: in its strings and keys, also where JSON was written as a string. */
export function containsForgotten(guards: readonly TextGuard[], value: unknown): boolean {
  return guards.some((guard) => isFoundIn(guardFinder(guard), value));
}

/** Guards are few and asked again and again. */
const finders = new WeakMap<TextGuard, TextFinder>();

export function guardFinder(guard: TextGuard): TextFinder {
  const known = finders.get(guard);
  if (known !== undefined) return known;
  const finder = createFinder(guard);
  finders.set(guard, finder);
  return finder;
}

function createFinder(guard: TextGuard): TextFinder {
  const { length, roll, salt, digest } = guard;
  const base = baseOf(salt);
  let power = 1;
  for (let i = 0; i < length; i++) power = Math.imul(power, base);
  /** What repeats itself is not tried again at every step. */
  let missed = "";
  const isIt = (folded: string, end: number): boolean => {
    const window = folded.slice(end - length, end);
    if (window === missed) return false;
    if (digestOf(window, salt) === digest) return true;
    missed = window;
    return false;
  };
  return {
    isSpaced: true,
    finds(folded) {
      let sum = 0;
      for (let i = 0; i < folded.length; i++) {
        sum = (Math.imul(sum, base) + folded.charCodeAt(i)) | 0;
        if (i >= length) sum = (sum - Math.imul(folded.charCodeAt(i - length), power)) | 0;
        if (i >= length - 1 && mixed(sum) === roll && isIt(folded, i + 1)) return true;
      }
      return false;
    },
  };
}

/** While the text itself is at hand. */
export function textFinder(text: string): TextFinder {
  const needle = foldNeedle(text);
  const plain = longest(needle.match(PLAIN));
  const wide = longest(needle.match(WIDE));
  const isPartIn = (text: string): boolean =>
    plain === "" ? fold(text, false).includes(wide) : text.toLowerCase().includes(plain);
  return {
    isSpaced: needle.includes(" "),
    finds: (folded) => folded.includes(needle),
    mayBeIn: (text) => isPartIn(text) || ENCODED.test(text),
  };
}

function longest(parts: readonly string[] | null): string {
  return (parts ?? []).reduce((a, b) => (b.length > a.length ? b : a), "");
}

/** Letters that nobody escapes, and those that only a number could stand for. */
const PLAIN = /[a-z0-9_.,:;@#%+=!?*()[\]{}$~^|-]+/g;
const WIDE = /[^\s"\\/<>&'`\x00-\x1f]+/g;
const ENCODED = /\\u[0-9a-fA-F]{4}/;

export function isFoundIn(finder: TextFinder, value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string") {
      if (isFoundInText(finder, next)) return true;
    } else if (typeof next === "number") {
      if (Math.abs(next) >= LEAST_NUMBER && finder.finds(String(next))) return true;
    } else if (Array.isArray(next)) for (const inner of next) rest.push(inner);
    else if (next !== null && typeof next === "object") {
      for (const [key, inner] of Object.entries(next)) {
        if (!KNOWN_KEYS.has(key)) rest.push(key);
        rest.push(inner);
      }
    }
  }
  return false;
}

/** Smaller ones count, measure or say which: they are nobody's number. */
const LEAST_NUMBER = 100_000;

/** Keys that nobody chose: who wants a word forgotten does not mean every call that has an input of this name. */
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

/** As `isFoundIn` of what the JSON says, at a fraction of the cost for nearly all of them. */
export function isFoundInJson(
  finder: TextFinder,
  json: string,
  contentOf: (value: unknown) => unknown = (value) => value,
): boolean {
  return isFoundInText(finder, json) && isFoundIn(finder, contentOf(JSON.parse(json)));
}

/** JSON in a string in JSON in a string: as deep as tools were seen to answer, and one more. */
const MOST_LEVELS = 4;

export function isFoundInText(finder: TextFinder, text: string): boolean {
  if (finder.mayBeIn?.(text) === false) return false;
  let level = text;
  for (let depth = 0; ; depth++) {
    if (finder.finds(fold(level, finder.isSpaced))) return true;
    if (depth === MOST_LEVELS || !level.includes("\\")) return false;
    const inner = unescaped(level);
    if (inner === level) return false;
    level = inner;
  }
}

/** What a text must have to be looked for; "" is in everything. */
export function foldNeedle(text: string): string {
  return fold(text, true).trim();
}

/** Letters in one form, small, and any white space as one blank: views shorten it, and so do people who type it. */
function fold(text: string, isSpaced: boolean): string {
  const small = text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
  return isSpaced ? small.replace(SPACES, " ") : small;
}

/** Not the single blank, of which there are most. */
const SPACES = /[^\S ]\s*| \s+/g;

/** One level of JSON's escapes taken off. By hand: `replace` with a function takes ten times as long. */
function unescaped(text: string): string {
  let result = "";
  let from = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", from)) {
    const sign = text[at + 1] ?? "";
    const code = sign === "u" ? text.slice(at + 2, at + 6) : "";
    const isCode = HEX.test(code);
    const plain = isCode ? String.fromCharCode(Number.parseInt(code, 16)) : ESCAPED[sign];
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

/** Odd, so that no letter of the window is lost in the sum; of the salt, so that sums of two guards tell nothing. */
function baseOf(salt: string): number {
  return hash("sha256", `base\n${salt}`, "buffer").readInt32BE(0) | 1;
}

function rollOf(folded: string, base: number): number {
  let sum = 0;
  for (let i = 0; i < folded.length; i++) sum = (Math.imul(sum, base) + folded.charCodeAt(i)) | 0;
  return mixed(sum);
}

/** Texts that differ in their last letter alone have sums that differ in their last bits alone. */
function mixed(sum: number): number {
  return Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) >>> 16;
}

function digestOf(folded: string, salt: string): string {
  return createHmac("sha256", salt).update(folded).digest("hex");
}
