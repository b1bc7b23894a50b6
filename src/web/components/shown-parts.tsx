import type { CSSProperties, ReactNode } from "react";
import { kindOfCall } from "../../agents/tool-call.ts";
import type { ShownPart } from "../../shown/show-request.ts";
import { useStrings } from "../i18n/strings.ts";
import "./shown-parts.css";

/**
 * The parts of a request. Each is an element with `data-shown` whose text is exactly the part's: highlights
 * are elements around its own characters, and labels are outside.
 */
export function ShownParts({
  parts,
  toolName,
}: {
  readonly parts: readonly ShownPart[];
  readonly toolName: string;
}) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
    <LabelledPart key={index} part={part} isUnlabelled={isSubject(part, toolName)} />
  ));
}

/** The tool's subject needs no label. */
function isSubject({ role, name }: ShownPart, toolName: string): boolean {
  if (role !== "field") return role !== "agent" && role !== "description";
  const kind = kindOfCall({ toolName });
  return (kind === "shell" && name === "command") || (kind === "plan" && name === "plan");
}

const BLOCK_CHARS = 72;
const BLOCK_FIELDS = new Set(["command", "plan", "content", "prompt", "new_source"]);

function LabelledPart({ part, isUnlabelled }: { readonly part: ShownPart; readonly isUnlabelled: boolean }) {
  const { card } = useStrings();
  const { role, name, text } = part;
  const isBlock =
    role === "diff" ||
    (role === "field" && (BLOCK_FIELDS.has(name) || text.length > BLOCK_CHARS || text.includes("\n")));
  const label = role === "agent" ? card.subagent : role === "description" ? card.agentSays : name;
  return (
    <div className={`shown-part is-${role} ${isBlock ? "block" : "row"}`}>
      {!isUnlabelled && <span className={`label ${role === "field" ? "mono" : ""}`}>{label}</span>}
      <Shown part={part} />
    </div>
  );
}

/** One part. Nothing else on a page has `data-shown`: an answer is bound to the content of these elements. */
export function Shown({ part }: { readonly part: ShownPart }) {
  const { role, name, text } = part;
  const lines = text.split("\n");
  // With only one line, any further row is its continuation.
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

/** Escapes written by `visibleText` for invisible characters. */
const ESCAPES = /((?:\\u(?:[0-9a-f]{4}|\{[0-9a-f]{5,6}\}))+)/;

function markEscapes(text: string): ReactNode {
  const pieces = text.split(ESCAPES);
  if (pieces.length === 1) return text;
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is always rendered as a whole
      <span key={index} className="escape">
        {piece}
      </span>
    ) : (
      piece
    ),
  );
}

const LINE_KINDS = { "-": "old", "+": "new" } as const;
/** Above this many lines, adjacent lines that cannot wrap share an element. */
const MAX_SEPARATE_LINES = 5_000;
const NEVER_WRAPS = /^[\u0020-\u007e]{0,10}$/;

/**
 * Numbers each line; otherwise the rest of a wrapped line and a separate line would
 * look the same.
 */
function numberLines(lines: readonly string[], isDiff: boolean): ReactNode {
  const runs: { kind: string; text: string; count: number; isShort: boolean }[] = [];
  lines.forEach((line, index) => {
    const kind = isDiff ? (LINE_KINDS[line[0] as keyof typeof LINE_KINDS] ?? "same") : "";
    const text = index < lines.length - 1 ? `${line}\n` : line;
    const isShort = lines.length > MAX_SEPARATE_LINES && NEVER_WRAPS.test(line);
    const last = runs.at(-1);
    if (isShort && last?.isShort && last.kind === kind) {
      last.text += text;
      last.count++;
    } else runs.push({ kind, text, count: 1, isShort });
  });
  let next = 1;
  return runs.map(({ kind, text, count }, index) => {
    const number = next;
    next += count;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is always rendered as a whole
      <span key={index} className={`line ${kind}`} data-number={number}>
        {markEscapes(text)}
      </span>
    );
  });
}

/** The content of a request's element, as it is on the page now. */
export function readShown(element: HTMLElement): { readonly name: string; readonly text: string }[] {
  return [...element.querySelectorAll<HTMLElement>("[data-shown]")].map((shown) => ({
    name: shown.dataset["shown"] ?? "",
    text: shown.textContent,
  }));
}
