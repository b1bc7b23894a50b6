import { type Inline, MAX_DEPTH, parseInline } from "./parse-inline.ts";

/** Markdown as agents write it, parsed into a tree. It yields only text: no HTML, links or images. */

export type Block =
  | { readonly type: "heading"; readonly level: number; readonly inner: readonly Inline[] }
  | { readonly type: "paragraph"; readonly inner: readonly Inline[] }
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | {
      readonly type: "list";
      readonly start: number | null;
      readonly items: readonly { readonly checked: boolean | null; readonly blocks: readonly Block[] }[];
    }
  | {
      readonly type: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
      readonly align: readonly ("left" | "right" | "center")[];
    }
  | { readonly type: "rule" };

const MAX_CHARS = 200_000;

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.slice(0, MAX_CHARS).replaceAll("\r\n", "\n").split("\n"), 0);
}

// Each pattern matches a line in only one way; ambiguous whitespace would cause catastrophic backtracking.
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)/;
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/s;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:\s+|$)(.*)$/s;

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index]!;
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") index++;
    else if (fence !== null) {
      const close = new RegExp(`^ {0,3}${fence[1]![0]}{${fence[1]!.length},}\\s*$`);
      let end = index + 1;
      while (end < lines.length && !close.test(lines[end]!)) end++;
      blocks.push({ type: "code", language: fence[2]!, text: lines.slice(index + 1, end).join("\n") });
      index = end + 1;
    } else if (heading !== null) {
      blocks.push({
        type: "heading",
        level: heading[1]!.length,
        inner: parseInline(headingText(heading[2]!)),
      });
      index++;
    } else if (RULE.test(line)) {
      blocks.push({ type: "rule" });
      index++;
    } else if (line.trimStart().startsWith(">") && depth < MAX_DEPTH) {
      let end = index;
      while (end < lines.length && lines[end]!.trimStart().startsWith(">")) end++;
      const inner = lines.slice(index, end).map((quoted) => quoted.replace(/^\s*> ?/, ""));
      blocks.push({ type: "quote", blocks: parseBlocks(inner, depth + 1) });
      index = end;
    } else if (ITEM.test(line) && depth < MAX_DEPTH) {
      const [list, end] = parseList(lines, index, depth);
      blocks.push(list);
      index = end;
    } else if (line.includes("|") && isDivider(lines[index + 1] ?? "")) {
      const [table, end] = parseTable(lines, index);
      blocks.push(table);
      index = end;
    } else {
      let end = index + 1;
      while (end < lines.length && !endsParagraph(lines[end]!)) end++;
      blocks.push({ type: "paragraph", inner: parseInline(lines.slice(index, end).join("\n")) });
      index = end;
    }
  }
  return blocks;
}

/** The text without the optional closing `#`s. */
function headingText(text: string): string {
  const inner = text.trim();
  let end = inner.length;
  while (inner[end - 1] === "#") end--;
  return inner.slice(0, end).trimEnd();
}

function isDivider(line: string): boolean {
  return /^[\s|:-]+$/.test(line) && cells(line).every((cell) => /^:?-+:?$/.test(cell));
}

function endsParagraph(line: string): boolean {
  return (
    line.trim() === "" ||
    FENCE.test(line) ||
    HEADING.test(line) ||
    RULE.test(line) ||
    line.trimStart().startsWith(">") ||
    /^\s*([-*+]|1[.)])\s+\S/.test(line)
  );
}

function parseList(lines: readonly string[], first: number, depth: number): [Block, number] {
  const [, indent = "", bullet = "-"] = ITEM.exec(lines[first]!)!;
  const isOrdered = /\d/.test(bullet);
  const items: { checked: boolean | null; blocks: Block[] }[] = [];
  let index = first;
  while (index < lines.length) {
    const item = ITEM.exec(lines[index]!);
    if (item === null || item[1]!.length > indent.length + 1 || item[1]!.length < indent.length) break;
    if (/\d/.test(item[2]!) !== isOrdered) break;
    const width = item[1]!.length + item[2]!.length + 1;
    const inner = [item[3]!];
    index++;
    while (index < lines.length) {
      const line = lines[index]!;
      const ownIndent = /^\s*/.exec(line)![0].length;
      if (line.trim() === "") {
        const next = lines[index + 1];
        if (next === undefined || next.trim() === "" || /^\s*/.exec(next)![0].length <= indent.length) break;
        inner.push("");
      } else if (ownIndent > indent.length) inner.push(line.slice(Math.min(ownIndent, width)));
      else if (ITEM.test(line) || endsParagraph(line)) break;
      else inner.push(line);
      index++;
    }
    const checkbox = /^\[([ xX])\]\s+/.exec(inner[0]!);
    if (checkbox !== null) inner[0] = inner[0]!.slice(checkbox[0].length);
    items.push({
      checked: checkbox === null ? null : checkbox[1] !== " ",
      blocks: parseBlocks(inner, depth + 1),
    });
    // One empty line between items of the same list.
    if (lines[index]?.trim() === "" && ITEM.test(lines[index + 1] ?? "")) {
      const next = ITEM.exec(lines[index + 1]!)!;
      if (next[1]!.length === indent.length && /\d/.test(next[2]!) === isOrdered) index++;
    }
  }
  return [{ type: "list", start: isOrdered ? Number.parseInt(bullet, 10) : null, items }, index];
}

function parseTable(lines: readonly string[], first: number): [Block, number] {
  const head = cells(lines[first]!);
  const align = cells(lines[first + 1]!).map((cell) =>
    cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : "left",
  );
  const rows: Inline[][][] = [];
  let index = first + 2;
  for (; index < lines.length && lines[index]!.includes("|") && lines[index]!.trim() !== ""; index++)
    rows.push(cells(lines[index]!).slice(0, head.length).map(parseInline));
  return [{ type: "table", head: head.map(parseInline), rows, align }, index];
}

function cells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
