/**
 * A request as shown to a person before they answer: who asks, which tool, and every field of its input in
 * full. Every view renders exactly these parts in this order, and an answer carries a hash of what was
 * rendered.
 */
import { diffText } from "./diff-text.ts";
import { isNestedDeeper } from "./nesting.ts";
import { visibleEscapes, visibleLine, visibleText, visibleTrailingBlanks } from "./visible-text.ts";

/** The fields of a card that a view needs to show it. */
export interface RequestToShow {
  readonly kind: "permission" | "question" | "plan";
  readonly toolName: string;
  readonly input: unknown;
  readonly agentId: string | null;
  readonly agentType: string | null;
}

export interface ShownPart {
  /** Views must switch on this, never on the name: a field of the input may have any name. */
  readonly role: "tool" | "agent" | "description" | "diff" | "question" | "option" | "about" | "field";
  /** The field's own name, or the role for other parts. */
  readonly name: string;
  /** Visible text: rendered as is, never cut, extended or interpreted as markup. */
  readonly text: string;
}

/** Larger inputs are not shown here; they can only be answered in their terminal. */
export const MAX_SHOWN_BYTES = 256 * 1024;

export function showRequest(request: RequestToShow): ShownPart[] {
  const { kind, toolName, input, agentId, agentType } = request;
  const agentParts = agentId === null ? [] : [linePart("agent", `${agentType ?? "subagent"} ${agentId}`)];
  return [linePart("tool", toolName), ...agentParts, ...showInput(kind, toolName, input)];
}

/** Short field names do not count towards the length of a request. */
const MAX_UNCOUNTED_NAME_CHARS = 40;

/** The total length of the parts, for "12,345 characters, 300 lines". */
export function shownLength(parts: readonly ShownPart[]): {
  readonly characters: number;
  readonly lines: number;
} {
  return {
    // Long names count, too: a field's name can be as long as a text.
    characters: parts.reduce(
      (sum, { name, text }) => sum + text.length + (name.length > MAX_UNCOUNTED_NAME_CHARS ? name.length : 0),
      0,
    ),
    lines: parts.reduce((sum, { text }) => sum + text.split("\n").length, 0),
  };
}

/** Hashes rendered parts as `[name, text]` in screen order. */
export async function hashShown(parts: readonly Pick<ShownPart, "name" | "text">[]): Promise<string> {
  const rendered = JSON.stringify(parts.map(({ name, text }) => [name, text]));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rendered));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Fields = Readonly<Record<string, unknown>>;

function showInput(kind: RequestToShow["kind"], toolName: string, input: unknown): ShownPart[] {
  if (!isFields(input)) return input === undefined || input === null ? [] : [field("input", input)];
  if (kind === "question") return showQuestions(input);
  const { description, ...otherFields } = input;
  const about = description === undefined ? [] : [part("description", toText(description))];
  return [...about, ...showFields(toolName, otherFields)];
}

function showFields(toolName: string, input: Fields): ShownPart[] {
  if (toolName === "Edit" && isEdit(input)) {
    const { old_string, new_string, file_path, ...rest } = input;
    return [...fields({ file_path }), diffPart(old_string, new_string), ...fields(rest)];
  }
  if (toolName === "MultiEdit" && Array.isArray(input["edits"]) && input["edits"].every(isEdit)) {
    const { edits, file_path, ...rest } = input;
    const diffs = (edits as Edit[]).flatMap(({ old_string, new_string, ...more }) => [
      diffPart(old_string, new_string),
      ...fields(more),
    ]);
    // Fields come before the edits: a field after an edit would seem to belong to it.
    return [...fields({ file_path }), ...fields(rest), ...diffs];
  }
  return inReadingOrder(input).flatMap((name) => fields({ [name]: input[name] }));
}

/** Decisive fields come first, whatever order the agent wrote them in. */
const LEADING_FIELDS = ["command", "plan", "file_path", "notebook_path", "path", "url"];

function inReadingOrder(input: Fields): string[] {
  const first = LEADING_FIELDS.filter((name) => Object.hasOwn(input, name));
  return [...first, ...Object.keys(input).filter((name) => !first.includes(name))];
}

function showQuestions(input: Fields): ShownPart[] {
  const { questions, ...rest } = input;
  const parts = (Array.isArray(questions) ? questions : []).flatMap((entry: unknown) => {
    if (!isFields(entry)) return [part("question", toText(entry))];
    const { question, header, multiSelect, options, ...more } = entry;
    return [
      part("question", toText(question)),
      ...(Array.isArray(options) ? options.flatMap(showOption) : fields({ options })),
      ...fields(more),
      // A view offers single or multiple choice and would hide any other value.
      ...(typeof multiSelect === "boolean" ? [] : fields({ multiSelect })),
      ...fields({ header }),
    ];
  });
  return [...parts, ...(Array.isArray(questions) ? [] : fields({ questions })), ...fields(rest)];
}

function showOption(option: unknown): ShownPart[] {
  if (!isFields(option)) return [part("option", toText(option))];
  const { label, description, ...more } = option;
  const about = description === undefined ? [] : [part("about", toText(description))];
  return [part("option", toText(label)), ...about, ...fields(more)];
}

function fields(input: Fields): ShownPart[] {
  return Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [field(name, value)]));
}

interface Edit extends Fields {
  readonly old_string: string;
  readonly new_string: string;
}

function isEdit(value: unknown): value is Edit {
  return (
    isFields(value) && typeof value["old_string"] === "string" && typeof value["new_string"] === "string"
  );
}

function part(role: Exclude<ShownPart["role"], "field">, text: string): ShownPart {
  return { role, name: role, text: shownText(text) };
}

function linePart(role: "tool" | "agent", text: string): ShownPart {
  return { role, name: role, text: visibleLine(visibleParts(text)) };
}

/** The diff prefixes themselves end in a blank, so the sides are escaped first. */
function diffPart(before: string, after: string): ShownPart {
  const text = visibleText(diffText(visibleParts(before), visibleParts(after)));
  return { role: "diff", name: "diff", text };
}

/** A name is always one line, and an empty name is shown as `""` so that it is not overlooked. */
function field(name: string, value: unknown): ShownPart {
  const shownName = name === "" ? '""' : visibleLine(visibleParts(name));
  // `JSON.stringify` escapes on its own.
  const text =
    typeof value === "string" ? shownText(value) : visibleText(visibleTrailingBlanks(toText(value)));
  return { role: "field", name: shownName, text };
}

/** Deeper values are printed on one line: indented, kilobytes of brackets become megabytes of blanks. */
const MAX_INDENTED_LEVELS = 12;

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  const indent = isNestedDeeper(value, MAX_INDENTED_LEVELS) ? 0 : 2;
  return JSON.stringify(value, null, indent) ?? String(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shownText(text: string): string {
  return visibleText(visibleParts(text));
}

function visibleParts(text: string): string {
  return visibleTrailingBlanks(visibleEscapes(text));
}
