import { asObject, text } from "../../agents/read-json.ts";
import { cleanText, clipLine } from "./clean-text.ts";
import type { Call } from "./read-call.ts";

/** The lines a change removed and added, in order, without the unchanged ones around them. */
export interface ChangedLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Changed and surrounding lines, as far as the change shows them. */
  readonly around: readonly string[];
  /** Whether the lists are complete. */
  readonly isWhole: boolean;
}

const MAX_LINES = 60;
const MAX_HUNKS = 20;
const MAX_AROUND_LINES = 400;

/** From the patch if there is one, else from the replacement in the tool's input. */
export function changedLines(call: Call): ChangedLines {
  if (call.patch.length > 0) return fromPatch(call.patch);
  const edits = Array.isArray(call.input["edits"]) ? call.input["edits"].slice(0, MAX_HUNKS) : [call.input];
  const removed: string[] = [];
  const added: string[] = [];
  const around: string[] = [];
  for (const edit of edits.map(asObject)) {
    const oldLines = linesOf(cleanText(text(edit, "old_string") ?? text(edit, "oldString"), 4_000));
    const newLines = linesOf(
      cleanText(text(edit, "new_string") ?? text(edit, "newString") ?? text(edit, "new_source"), 4_000),
    );
    const before = new Set(oldLines);
    const after = new Set(newLines);
    removed.push(...oldLines.filter((line) => !after.has(line)));
    added.push(...newLines.filter((line) => !before.has(line)));
    around.push(...(newLines.length > 0 ? newLines : oldLines));
  }
  const isWhole = call.input["$blob"] === undefined && removed.length + added.length <= MAX_LINES;
  return { removed: removed.slice(0, MAX_LINES), added: added.slice(0, MAX_LINES), around, isWhole };
}

function fromPatch(hunks: readonly unknown[]): ChangedLines {
  const removed: string[] = [];
  const added: string[] = [];
  const around: string[] = [];
  for (const hunk of hunks.slice(0, MAX_HUNKS)) {
    const lines = asObject(hunk)["lines"];
    if (!Array.isArray(lines)) continue;
    for (const line of lines) {
      if (around.length > MAX_AROUND_LINES) return { removed, added, around, isWhole: false };
      if (typeof line !== "string") continue;
      const content = cleanText(line.slice(1, 500)).trimEnd();
      around.push(content);
      if (content.trim() === "") continue;
      if (line[0] === "-") removed.push(content);
      else if (line[0] === "+") added.push(content);
    }
  }
  return { removed, added, around, isWhole: hunks.length <= MAX_HUNKS };
}

function linesOf(content: string): string[] {
  return content
    .split("\n")
    .slice(0, 500)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "");
}

/** Renders a few changed lines as facts: one replaced line as a pair, more as removed and added lines. */
export function changeFacts({ removed, added, isWhole }: Omit<ChangedLines, "around">): string[] {
  const facts: string[] = [];
  if (removed.length === 1 && added.length === 1) {
    facts.push(`Changed: ${clipLine(removed[0]!, 110)} → ${clipLine(added[0]!, 110)}`);
    return facts;
  }
  const shownRemoved = [...removed].filter(isInformative).slice(0, added.length > 0 ? 2 : 4);
  facts.push(
    ...[...added]
      .filter(isInformative)
      .slice(0, removed.length > 0 ? 3 : 4)
      .map((line) => `Added: ${clipLine(line, 200)}`),
  );
  facts.push(...shownRemoved.map((line) => `Removed: ${clipLine(line, 200)}`));
  if (isWhole && removed.length + added.length > 2) {
    facts.push(`${added.length} lines added, ${removed.length} removed`);
  }
  return facts;
}

/** Brackets and other block ends carry no information. */
export function isInformative(line: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(line.slice(0, 400));
}

const MAX_NAMES = 12;

/** Names of functions, classes and the like that the lines define, in order and without duplicates. */
export function definedNames(lines: readonly string[]): string[] {
  const names = new Set<string>();
  for (const line of lines) {
    if (names.size >= MAX_NAMES) break;
    const start = line.slice(0, 240);
    const name = (DEFINITION.exec(start) ?? CONSTANT.exec(start) ?? METHOD.exec(start))?.[1];
    if (name !== undefined && name.length > 1 && !KEYWORD_NAMES.has(name)) names.add(name);
  }
  return [...names];
}

const MODIFIERS =
  "(?:export |default |declare |public |private |protected |static |abstract |async |pub |pub\\(crate\\) |unsafe |final |override ){0,5}";
const KEYWORDS =
  "function\\*? |class |interface |type |enum |def |fn |func (?:\\([^)]{0,60}\\) )?|struct |trait |impl |module |fun ";
const DEFINITION = new RegExp(`^\\s{0,40}${MODIFIERS}(?:${KEYWORDS})([A-Za-z_$][\\w$]{1,60})`);
/** Top level only: a constant within a block is an implementation detail. */
const CONSTANT = new RegExp(`^${MODIFIERS}(?:const |let |var |static )([A-Za-z_$][\\w$]{1,60})`);
const METHOD =
  /^\s{1,16}(?:(?:public|private|protected|static|async|override) ){0,3}([A-Za-z_$][\w$]{1,60})\([^()]{0,160}\)[^;=]{0,60}\{$/;
const KEYWORD_NAMES: ReadonlySet<string> = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "return",
  "function",
  "with",
  "else",
]);
