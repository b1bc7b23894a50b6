/**
 * Cuts what the user marked as private, and what was injected by us or by claude-mem: recording our own
 * digests would feed the memory with itself. Works in one pass: a regex without repetition finds the tags,
 * a count per name decides. When in doubt it hides: a tag is closed only by its own closing tag, and an
 * unclosed tag (`<private/>` too) hides the rest of the text.
 */

export interface Stripped {
  readonly text: string;
  readonly stripped: boolean;
}

/** Opening tags processed one by one. If there are more, everything after this many is dropped. */
const MAX_TAGS = 100;

/** A tag's attributes end at the first `>` or at this many characters, so that hostile input stays linear. */
const MAX_TAG_CHARS = 1_000;

const PRIVATE = "private";
/** The tag around everything that is injected into a model's context. */
export const CONTEXT_TAG = "hookline-context";
const TAG_START = new RegExp(`<(/?)(${PRIVATE}|${CONTEXT_TAG}|claude-mem-context)(?=[\\s/>])`, "gi");

/**
 * With `marks`, each cut leaves a mark with its length: an agent may hide text, but not that it did
 * something. A person's private text leaves no trace.
 */
export function stripPrivateTags(text: string, marks = false): Stripped {
  const { text: rest, names } = strip(text, marks);
  return { text: rest, stripped: names.length > 0 };
}

/** True if something was stripped from a `<private>` tag and nothing but white space remains. */
export function isWhollyPrivate(text: string): boolean {
  const { text: rest, names } = strip(text);
  return names.includes(PRIVATE) && rest.trim() === "";
}

/** `names` has each kind of tag that was cut once. A stray closing tag counts as a cut of its kind. */
function strip(text: string, marks = false): { text: string; names: readonly string[] } {
  if (!text.includes("<")) return { text, names: [] };
  const markOf = (from: number, to: number): string => (marks ? `[PRIVATE:${to - from} characters]` : "");
  const open = new Map<string, number>();
  const kept: string[] = [];
  let depth = 0;
  let keptUpTo = 0;
  let openings = 0;
  let keptAtLimit = 0;
  let cutFrom = 0;
  let cutAtLimit = 0;
  TAG_START.lastIndex = 0;
  for (let match = TAG_START.exec(text); match !== null; match = TAG_START.exec(text)) {
    const name = match[2]!.toLowerCase();
    const count = open.get(name) ?? 0;
    if (depth === 0) {
      kept.push(text.slice(keptUpTo, match.index));
      cutFrom = match.index;
    }
    if (match[1] === "") {
      if (openings === MAX_TAGS) {
        kept.splice(keptAtLimit, kept.length, markOf(cutAtLimit, text.length));
        return { text: kept.join(""), names: [...open.keys()] };
      }
      if (++openings === MAX_TAGS) {
        keptAtLimit = kept.length;
        cutAtLimit = cutFrom;
      }
      open.set(name, count + 1);
      depth++;
    } else {
      open.set(name, Math.max(0, count - 1));
      if (count > 0) depth--;
    }
    keptUpTo = endOfTag(text, TAG_START.lastIndex);
    TAG_START.lastIndex = keptUpTo;
    if (depth === 0) kept.push(markOf(cutFrom, keptUpTo));
  }
  if (open.size === 0) return { text, names: [] };
  kept.push(depth === 0 ? text.slice(keptUpTo) : markOf(cutFrom, text.length));
  return { text: kept.join(""), names: [...open.keys()] };
}

function endOfTag(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_TAG_CHARS);
  for (let at = from; at < limit; at++) {
    if (text.charCodeAt(at) === 62) return at + 1;
  }
  return limit;
}
