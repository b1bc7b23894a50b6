import type { CSSProperties, ReactNode } from "react";
import { kindOfCall } from "../../agents/tool-call.ts";
import type { ShownPart } from "../../shown/show-request.ts";
import { useWords } from "../words/words.ts";
import "./shown-parts.css";

/**
 * The parts of a request. Each is an element with `data-shown` whose text is exactly the part's: what is marked in it is
 * marked by elements around its own characters, and labels stand outside.
 */
export function ShownParts({
  parts,
  toolName,
}: {
  readonly parts: readonly ShownPart[];
  readonly toolName: string;
}) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have their places and nothing else
    <Labelled key={index} part={part} isPlain={isSubject(part, toolName)} />
  ));
}

/** What the tool is about needs no label. */
function isSubject({ role, name }: ShownPart, toolName: string): boolean {
  if (role !== "field") return role !== "agent" && role !== "description";
  const kind = kindOfCall({ toolName });
  return (kind === "shell" && name === "command") || (kind === "plan" && name === "plan");
}

const BLOCK_CHARS = 72;
const BLOCKS = new Set(["command", "plan", "content", "prompt", "new_source"]);

function Labelled({ part, isPlain }: { readonly part: ShownPart; readonly isPlain: boolean }) {
  const { card } = useWords();
  const { role, name, text } = part;
  const isBlock =
    role === "diff" ||
    (role === "field" && (BLOCKS.has(name) || text.length > BLOCK_CHARS || text.includes("\n")));
  const label = role === "agent" ? card.subagent : role === "description" ? card.says : name;
  return (
    <div className={`shown-part is-${role} ${isBlock ? "block" : "row"}`}>
      {!isPlain && <span className={`label ${role === "field" ? "mono" : ""}`}>{label}</span>}
      <Shown part={part} />
    </div>
  );
}

/** One part. Nothing else on a page has `data-shown`: an answer is bound to what these elements hold. */
export function Shown({ part }: { readonly part: ShownPart }) {
  const { role, name, text } = part;
  const lines = text.split("\n");
  // Of one line, what is below it is the rest of it.
  const isNumbered = lines.length > 1;
  const digits = { "--digits": String(lines.length).length } as CSSProperties;
  return (
    <span
      className={`shown-text ${isNumbered ? "numbered" : ""}`}
      data-shown={name}
      {...(isNumbered && { style: digits })}
    >
      {isNumbered || role === "diff" ? numberLines(lines, role === "diff") : markEscapes(text)}
    </span>
  );
}

/** What `visibleText` wrote for characters that nobody would see. */
const ESCAPES = /((?:\\u(?:[0-9a-f]{4}|\{[0-9a-f]{5,6}\}))+)/;

function markEscapes(text: string): ReactNode {
  const pieces = text.split(ESCAPES);
  if (pieces.length === 1) return text;
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn anew as a whole
      <span key={index} className="escape">
        {piece}
      </span>
    ) : (
      piece
    ),
  );
}

const LINES = { "-": "old", "+": "new" } as const;
/** Of a text with more lines, those that cannot need a second row are drawn together. */
const MANY_LINES = 5_000;
const NEVER_BROKEN = /^[\u0020-\u007e]{0,10}$/;

/**
 * Each line with its number and its line end: without one, the rest of a line that was too long and a line of its own
 * would look the same.
 */
function numberLines(lines: readonly string[], isDiff: boolean): ReactNode {
  const runs: { kind: string; text: string; count: number; isShort: boolean }[] = [];
  lines.forEach((line, index) => {
    const kind = isDiff ? (LINES[line[0] as keyof typeof LINES] ?? "same") : "";
    const text = index < lines.length - 1 ? `${line}\n` : line;
    const isShort = lines.length > MANY_LINES && NEVER_BROKEN.test(line);
    const last = runs.at(-1);
    if (isShort && last?.isShort && last.kind === kind) {
      last.text += text;
      last.count++;
    } else runs.push({ kind, text, count: 1, isShort });
  });
  let from = 1;
  return runs.map(({ kind, text, count }, index) => {
    const number = from;
    from += count;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn anew as a whole
      <span key={index} className={`line ${kind}`} data-number={number}>
        {markEscapes(text)}
      </span>
    );
  });
}

/** What an element holds of a request, as it stands on the page at this moment. */
export function readShown(element: HTMLElement): { readonly name: string; readonly text: string }[] {
  return [...element.querySelectorAll<HTMLElement>("[data-shown]")].map((shown) => ({
    name: shown.dataset["shown"] ?? "",
    text: shown.textContent,
  }));
}
