import type { JsonNode, JsonObject, Span } from "./json-tree.ts";

export interface Edit extends Span {
  readonly text: string;
}

/** A file's own formatting. */
export interface TextStyle {
  readonly newline: "\n" | "\r\n";
  readonly unit: string;
  /** Everything is on one line, and what we add stays on it. */
  readonly isCompact: boolean;
}

export function detectStyle(text: string, root: JsonObject): TextStyle {
  const newline = /\r\n/.test(text.slice(0, text.indexOf("\n") + 1)) ? "\r\n" : "\n";
  const first = root.members[0];
  const unit = first ? indentBefore(text, root.start + 1, first.start) : undefined;
  const isCompact = first !== undefined && !text.slice(root.start, root.end).includes("\n");
  return { newline, unit: unit ?? "  ", isCompact };
}

/** The edit that appends values to an array, or members to an object. */
export function appendEdit(
  text: string,
  style: TextStyle,
  container: JsonNode,
  values: readonly unknown[] | Readonly<Record<string, unknown>>,
): Edit {
  const children =
    container.type === "object" ? container.members : container.type === "array" ? container.items : [];
  const [first, second] = children;
  const last = children.at(-1);
  if (!first || !last) {
    const inside = { start: container.start + 1, end: container.end - 1 };
    if (style.isCompact) return { ...inside, text: render(values, undefined).join(",") };
    const outer = lineIndent(text, container.start);
    const line = style.newline + outer + style.unit;
    return {
      ...inside,
      text: line + render(values, { style, line }).join(`,${line}`) + style.newline + outer,
    };
  }
  const indent = indentBefore(text, container.start + 1, first.start);
  if (indent === undefined) {
    const gap = second ? text.slice(first.end, second.start).replace(/^\s*,/, "") : "";
    const added = render(values, undefined).map((value) => `,${gap}${value}`);
    return { start: last.end, end: last.end, text: added.join("") };
  }
  const line = style.newline + indent;
  const added = render(values, { style, line }).map((value) => `,${line}${value}`);
  return { start: last.end, end: last.end, text: added.join("") };
}

/** The edits that remove these items of an array, with the commas between them. */
export function cutItems(array: JsonNode, removed: ReadonlySet<JsonNode>): Edit[] {
  if (array.type !== "array" || !array.items.some((item) => removed.has(item))) return [];
  const { items } = array;
  const firstKept = items.findIndex((item) => !removed.has(item));
  if (firstKept === -1) return [{ start: array.start + 1, end: array.end - 1, text: "" }];
  const leading = firstKept === 0 ? [] : [{ start: items[0]!.start, end: items[firstKept]!.start, text: "" }];
  const later = items.flatMap((item, at) =>
    at > firstKept && removed.has(item) ? [{ start: items[at - 1]!.end, end: item.end, text: "" }] : [],
  );
  return [...leading, ...later];
}

/** Edits must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function render(
  values: readonly unknown[] | Readonly<Record<string, unknown>>,
  pretty: { readonly style: TextStyle; readonly line: string } | undefined,
): string[] {
  const print = (value: unknown) =>
    JSON.stringify(value, null, pretty?.style.unit ?? "").replaceAll("\n", pretty?.line ?? "");
  if (Array.isArray(values)) return values.map(print);
  const colon = pretty ? ": " : ":";
  return Object.entries(values).map(([key, value]) => JSON.stringify(key) + colon + print(value));
}

/** The white space between the last line break and `end`; undefined if all is on one line. */
function indentBefore(text: string, start: number, end: number): string | undefined {
  const gap = text.slice(start, end);
  const at = gap.lastIndexOf("\n");
  return at < 0 ? undefined : gap.slice(at + 1);
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)![0];
}
