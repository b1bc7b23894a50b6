export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "em" | "strike"; readonly inner: readonly Inline[] }
  | { readonly type: "link"; readonly inner: readonly Inline[]; readonly address: string };

/** The maximum nesting depth. */
export const MAX_DEPTH = 8;

/** `code`, **strong**, *em*, ~~strike~~, [text](address); each delimiter is searched for once, to stay fast. */
export function parseInline(text: string): Inline[] {
  return parseNested(text, 0);
}

const MAX_INLINE_CHARS = 20_000;
const MAX_SPAN_CHARS = 5_000;
const MAX_LABEL_CHARS = 1_000;
const DELIMITER = /`+|\*\*|__|\*|_|~~|!?\[|\\[\\`*_{}[\]()#+\-.!|~>]/g;

function parseNested(text: string, depth: number): Inline[] {
  if (depth > MAX_DEPTH || text.length > MAX_INLINE_CHARS) return text === "" ? [] : [{ type: "text", text }];
  const parts: Inline[] = [];
  let plain = "";
  let position = 0;
  const pushPart = (part: Inline, end: number): void => {
    if (plain !== "") parts.push({ type: "text", text: plain });
    plain = "";
    parts.push(part);
    position = end;
  };
  const unmatched = new Set<string>();
  /** How far each closing delimiter was searched for without a match, so no part is searched twice. */
  const searchedTo = new Map<string, number>();
  while (position < text.length) {
    DELIMITER.lastIndex = position;
    const found = DELIMITER.exec(text);
    if (found === null) break;
    const delimiter = found[0];
    plain += text.slice(position, found.index);
    position = found.index;
    const match = unmatched.has(delimiter) ? null : tryPart(text, position, delimiter, depth, searchedTo);
    if (match !== null) {
      pushPart(match[0], match[1]);
      continue;
    }
    if (!delimiter.startsWith("\\")) {
      // A delimiter without a match after this is not searched for again.
      if (text.indexOf(delimiter, position + delimiter.length) === -1) unmatched.add(delimiter);
      plain += delimiter;
    } else plain += delimiter.slice(1);
    position += delimiter.length;
  }
  plain += text.slice(position);
  if (plain !== "") parts.push({ type: "text", text: plain });
  return parts;
}

function tryPart(
  text: string,
  position: number,
  delimiter: string,
  depth: number,
  searchedTo: Map<string, number>,
): [Inline, number] | null {
  const from = position + delimiter.length;
  if (delimiter.startsWith("`")) {
    const end = findClosingTicks(text, from, delimiter);
    return end === -1
      ? null
      : [{ type: "code", text: trimOneSpace(text.slice(from, end)) }, end + delimiter.length];
  }
  if (delimiter === "[" || delimiter === "![") return tryLink(text, from, depth);
  if (delimiter.startsWith("\\")) return null;
  const isUnderscore = delimiter.startsWith("_");
  // snake_case is not emphasis, and neither is 2 * 3.
  if (isUnderscore && position > 0 && /\w/.test(text[position - 1]!)) return null;
  if (/\s/.test(text[from] ?? " ")) return null;
  const limit = from + MAX_SPAN_CHARS;
  const first = Math.max(from + 1, searchedTo.get(delimiter) ?? 0);
  for (
    let end = text.indexOf(delimiter, first);
    end !== -1 && end < limit;
    end = text.indexOf(delimiter, end + 1)
  ) {
    if (/\s/.test(text[end - 1]!)) continue;
    if (delimiter.length === 1 && (text[end + 1] === delimiter || text[end - 1] === delimiter)) continue;
    if (isUnderscore && /\w/.test(text[end + delimiter.length] ?? "")) continue;
    const type = delimiter === "~~" ? "strike" : delimiter.length === 2 ? "strong" : "em";
    return [{ type, inner: parseNested(text.slice(from, end), depth + 1) }, end + delimiter.length];
  }
  searchedTo.set(delimiter, limit);
  return null;
}

/** The same number of backticks, no more. */
function findClosingTicks(text: string, from: number, delimiter: string): number {
  for (let end = text.indexOf(delimiter, from); end !== -1; ) {
    let length = delimiter.length;
    while (text[end + length] === "`") length++;
    if (length === delimiter.length) return end;
    end = text.indexOf(delimiter, end + length);
  }
  return -1;
}

function tryLink(text: string, from: number, depth: number): [Inline, number] | null {
  const label = text.slice(from, from + MAX_LABEL_CHARS).split("](", 1)[0]!;
  const close = from + label.length;
  if (label.includes("\n\n") || label.includes("[") || !text.startsWith("](", close)) return null;
  let open = 1;
  let end = close + 2;
  for (; end < text.length && end - close < 2_000 && text[end] !== "\n"; end++) {
    if (text[end] === "(") open++;
    else if (text[end] === ")" && --open === 0) break;
  }
  if (text[end] !== ")" || open !== 0) return null;
  const address = text
    .slice(close + 2, end)
    .trim()
    .split(/\s+"/, 1)[0]!
    .replace(/^<|>$/g, "");
  return [{ type: "link", inner: parseNested(label, depth + 1), address }, end + 1];
}

function trimOneSpace(text: string): string {
  return text.length > 2 && text.startsWith(" ") && text.endsWith(" ") ? text.slice(1, -1) : text;
}
