import type { ReactNode } from "react";
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
  return SUBJECTS[toolName] === name;
}

const SUBJECTS: Readonly<Record<string, string>> = {
  Bash: "command",
  PowerShell: "command",
  ExitPlanMode: "plan",
};

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
  return (
    <span className="shown-text" data-shown={name}>
      {role === "diff" ? colourLines(text) : markEscapes(text)}
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

/** Lines of one kind that follow each other are one element, with their line ends. */
function colourLines(text: string): ReactNode {
  const runs: { kind: string; text: string }[] = [];
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    const kind = LINES[line[0] as keyof typeof LINES] ?? "same";
    const whole = index < lines.length - 1 ? `${line}\n` : line;
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += whole;
    else runs.push({ kind, text: whole });
  });
  return runs.map((run, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn anew as a whole
    <span key={index} className={`lines ${run.kind}`}>
      {markEscapes(run.text)}
    </span>
  ));
}

/** What an element holds of a request, as it stands on the page at this moment. */
export function readShown(element: HTMLElement): { readonly name: string; readonly text: string }[] {
  return [...element.querySelectorAll<HTMLElement>("[data-shown]")].map((shown) => ({
    name: shown.dataset["shown"] ?? "",
    text: shown.textContent,
  }));
}
