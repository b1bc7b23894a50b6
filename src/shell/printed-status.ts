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
      const printed = statusPrintedBy(command, [`$${saved}`, `\${${saved}}`], output);
      if (printed !== null) return isSetOnce(line, saved) ? { of: "statement", status: printed } : null;
    }
    return null;
  }
  const direct = statusPrintedBy(next, ["$?"], output);
  if (direct !== null) return { of: "statement", status: direct };
  const first = statusPrintedBy(next, FIRST_PIPE_STATUS, output);
  return first === null ? null : { of: "first", status: first };
}

const FIRST_PIPE_STATUS = ["PIPESTATUS[0]", "PIPESTATUS", "pipestatus[1]"].flatMap((name) => [
  `$${name}`,
  `\${${name}}`,
]);

/** The variable name in `code=$?`. */
function statusVariable(command: Extract<Statement["command"], { readonly type: "Command" }>): string | null {
  const [assigned] = command.prefix;
  const isOnlyAssignment = wordsOf(command).length === 0 && command.prefix.length === 1;
  if (!isOnlyAssignment || assigned?.type !== "Assignment" || assigned.value.type !== "Word") return null;
  return assigned.value.text === "$?" ? assigned.name : null;
}

const MAX_OUTPUT_CHARS = 20_000;

function statusPrintedBy(
  command: Statement["command"],
  variables: readonly string[],
  output: string,
): "zero" | "nonzero" | null {
  if (command.type !== "Command" || wordsOf(command)[0] !== "echo" || command.redirects.length > 0)
    return null;
  const args = command.args
    .filter((word) => word.type === "Word")
    .filter(({ text }) => !/^-[neE]+$/.test(text));
  if (!args.some(({ text }) => variables.some((variable) => text.includes(variable)))) return null;
  const pattern = args.map((word) => patternOf(word, variables)).join(" ");
  const digits = [...output.slice(-MAX_OUTPUT_CHARS).matchAll(new RegExp(`^${pattern}[ \\t]*$`, "gm"))].at(
    -1,
  )?.[1];
  if (digits === undefined) return null;
  return Number(digits) === 0 ? "zero" : "nonzero";
}

function patternOf(word: Word, variables: readonly string[]): string {
  const parts = word.parts ?? [];
  if (parts.length === 0) return literal(word.value);
  return parts.map((part) => patternOfPart(part, variables)).join("");
}

function patternOfPart(part: WordPart, variables: readonly string[]): string {
  if (part.type === "DoubleQuoted")
    return part.parts.map((inner) => patternOfPart(inner, variables)).join("");
  if (part.type === "Literal" || part.type === "SingleQuoted") return literal(part.value);
  return variables.includes(part.text) ? "(\\d{1,3})" : "[^\\n]{0,200}";
}

/** Matches the last printed line: `echo -e "\n"` starts a new one. */
function literal(text: string): string {
  return text.replaceAll("\\n", "\n").replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
