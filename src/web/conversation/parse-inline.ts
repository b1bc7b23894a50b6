export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "em" | "strike"; readonly inner: readonly Inline[] }
  | { readonly type: "link"; readonly inner: readonly Inline[]; readonly address: string };

/** The maximum nesting depth. */
export const MAX_DEPTH = 8;

/** `code`, **strong**, *em*, ~~strike~~, [text](address); each is searched for once, to stay fast. */
export function parseInline(text: string): Inline[] {
  return inline(text, 0);
}

const MAX_INLINE_CHARS = 20_000;
const MAX_SPAN_CHARS = 5_000;
const MAX_LABEL_CHARS = 1_000;
const SIGN = /`+|\*\*|__|\*|_|~~|!?\[|\\[\\`*_{}[\]()#+\-.!|~>]/g;

function inline(text: string, depth: number): Inline[] {
  if (depth > MAX_DEPTH || text.length > MAX_INLINE_CHARS) return text === "" ? [] : [{ type: "text", text }];
  const parts: Inline[] = [];
  let plain = "";
  let at = 0;
  const put = (part: Inline, end: number): void => {
    if (plain !== "") parts.push({ type: "text", text: plain });
    plain = "";
    parts.push(part);
    at = end;
  };
  const missing = new Set<string>();
  /** Up to where each delimiter's end was searched in vain, so that no part is searched twice. */
  const looked = new Map<string, number>();
  while (at < text.length) {
    SIGN.lastIndex = at;
    const found = SIGN.exec(text);
    if (found === null) break;
    const sign = found[0];
    plain += text.slice(at, found.index);
    at = found.index;
    const end = missing.has(sign) ? null : tryPart(text, at, sign, depth, looked);
    if (end !== null) {
      put(end[0], end[1]);
      continue;
    }
    if (!sign.startsWith("\\")) {
      // A delimiter without a match after this is not searched for again.
      if (text.indexOf(sign, at + sign.length) === -1) missing.add(sign);
      plain += sign;
    } else plain += sign.slice(1);
    at += sign.length;
  }
  plain += text.slice(at);
  if (plain !== "") parts.push({ type: "text", text: plain });
  return parts;
}

function tryPart(
  text: string,
  at: number,
  sign: string,
  depth: number,
  looked: Map<string, number>,
): [Inline, number] | null {
  const from = at + sign.length;
  if (sign.startsWith("`")) {
    const end = closing(text, from, sign);
    return end === -1 ? null : [{ type: "code", text: trimOne(text.slice(from, end)) }, end + sign.length];
  }
  if (sign === "[" || sign === "![") return tryLink(text, from, depth);
  if (sign.startsWith("\\")) return null;
  const isUnder = sign.startsWith("_");
  // snake_case is not emphasis, and neither is 2 * 3.
  if (isUnder && at > 0 && /\w/.test(text[at - 1]!)) return null;
  if (/\s/.test(text[from] ?? " ")) return null;
  const far = from + MAX_SPAN_CHARS;
  const first = Math.max(from + 1, looked.get(sign) ?? 0);
  for (let end = text.indexOf(sign, first); end !== -1 && end < far; end = text.indexOf(sign, end + 1)) {
    if (/\s/.test(text[end - 1]!)) continue;
    if (sign.length === 1 && (text[end + 1] === sign || text[end - 1] === sign)) continue;
    if (isUnder && /\w/.test(text[end + sign.length] ?? "")) continue;
    const type = sign === "~~" ? "strike" : sign.length === 2 ? "strong" : "em";
    return [{ type, inner: inline(text.slice(from, end), depth + 1) }, end + sign.length];
  }
  looked.set(sign, far);
  return null;
}

/** The same number of backticks, no more. */
function closing(text: string, from: number, sign: string): number {
  for (let end = text.indexOf(sign, from); end !== -1; ) {
    let length = sign.length;
    while (text[end + length] === "`") length++;
    if (length === sign.length) return end;
    end = text.indexOf(sign, end + length);
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
  return [{ type: "link", inner: inline(label, depth + 1), address }, end + 1];
}

function trimOne(text: string): string {
  return text.length > 2 && text.startsWith(" ") && text.endsWith(" ") ? text.slice(1, -1) : text;
}
