import type { Statement, Word, WordPart } from "unbash";
import { isSetOnce } from "./set-once.ts";
import { wordsOf } from "./simple-command.ts";

/** The status of a statement, or of the first command of its pipe, as printed in the output. */
export interface PrintedStatus {
  readonly of: "statement" | "first";
  readonly status: "zero" | "nonzero";
}

/**
 * Handles `npm test; echo "exit $?"`, also via a variable (`code=$?`) and for the first command of a pipe
 * (`${PIPESTATUS[0]}`).
 */
export function printedStatus(
  statements: readonly Statement[],
  at: number,
  { line, output }: { readonly line: string; readonly output: string },
): PrintedStatus | null {
  const next = statements[at + 1]?.command;
  if (next?.type !== "Command" || statements[at]?.background) return null;
  const saved = statusVariable(next);
  if (saved !== null) {
    for (const { command } of statements.slice(at + 2)) {
      const told = statusPrintedBy(command, [`$${saved}`, `\${${saved}}`], output);
      if (told !== null) return isSetOnce(line, saved) ? { of: "statement", status: told } : null;
    }
    return null;
  }
  const whole = statusPrintedBy(next, ["$?"], output);
  if (whole !== null) return { of: "statement", status: whole };
  const first = statusPrintedBy(next, FIRST_OF_PIPE, output);
  return first === null ? null : { of: "first", status: first };
}

const FIRST_OF_PIPE = ["PIPESTATUS[0]", "PIPESTATUS", "pipestatus[1]"].flatMap((name) => [
  `$${name}`,
  `\${${name}}`,
]);

/** The variable name in `code=$?`. */
function statusVariable(command: Extract<Statement["command"], { readonly type: "Command" }>): string | null {
  const [assigned] = command.prefix;
  const isLone = wordsOf(command).length === 0 && command.prefix.length === 1;
  if (!isLone || assigned?.type !== "Assignment" || assigned.value.type !== "Word") return null;
  return assigned.value.text === "$?" ? assigned.name : null;
}

const MAX_OUTPUT = 20_000;

function statusPrintedBy(
  command: Statement["command"],
  carriers: readonly string[],
  output: string,
): "zero" | "nonzero" | null {
  if (command.type !== "Command" || wordsOf(command)[0] !== "echo" || command.redirects.length > 0)
    return null;
  const args = command.args
    .filter((word) => word.type === "Word")
    .filter(({ text }) => !/^-[neE]+$/.test(text));
  if (!args.some(({ text }) => carriers.some((carrier) => text.includes(carrier)))) return null;
  const pattern = args.map((word) => patternOf(word, carriers)).join(" ");
  const found = [...output.slice(-MAX_OUTPUT).matchAll(new RegExp(`^${pattern}[ \\t]*$`, "gm"))].at(-1)?.[1];
  if (found === undefined) return null;
  return Number(found) === 0 ? "zero" : "nonzero";
}

function patternOf(word: Word, carriers: readonly string[]): string {
  const parts = word.parts ?? [];
  if (parts.length === 0) return literal(word.value);
  return parts.map((part) => patternOfPart(part, carriers)).join("");
}

function patternOfPart(part: WordPart, carriers: readonly string[]): string {
  if (part.type === "DoubleQuoted") return part.parts.map((each) => patternOfPart(each, carriers)).join("");
  if (part.type === "Literal" || part.type === "SingleQuoted") return literal(part.value);
  return carriers.includes(part.text) ? "(\\d{1,3})" : "[^\\n]{0,200}";
}

/** Matches the last printed line: `echo -e "\n"` starts a new one. */
function literal(text: string): string {
  return text.replaceAll("\\n", "\n").replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
