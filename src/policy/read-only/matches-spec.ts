import type { Locations } from "../locations.ts";
import { literalWord, type ShellCommand, type ShellWord } from "../shell/shell-reading.ts";
import { hasNoOptionLikeNames, isOneWord, matchesKind, mayExpandToNothing } from "./check-words.ts";
import type { ParsedCommand, ProgramSpec, WordKind } from "./grammar.ts";
import { kindOfOption, readWords } from "./read-words.ts";

/** How an operand is judged, where a program has its own syntax for files. */
type JudgeOperand = (word: ShellWord, kind: WordKind, call: ParsedCommand) => boolean;

/** Whether a program's grammar accepts every word of a command. */
export function matchesSpec(
  spec: ProgramSpec,
  command: ShellCommand,
  locations: Locations,
  judgeOperand?: JudgeOperand,
): boolean {
  const words = readWords(spec, command);
  if (words === null) return false;
  const hasGlob = command.args.some((word) => word.isGlob && word.text.startsWith("-"));
  if (hasGlob && !hasNoOptionLikeNames(command, locations)) return false;
  const call: ParsedCommand = { ...words, command, locations };
  const remaining = call.operands.filter((word) => !mayExpandToNothing(word, command, locations));
  return (
    matchesOptions(spec, call, judgeOperand) &&
    (remaining.length === call.operands.length ||
      matchesOptions(spec, { ...call, operands: remaining }, judgeOperand))
  );
}

function matchesOptions(
  spec: ProgramSpec,
  call: ParsedCommand,
  judgeOperand: JudgeOperand | undefined,
): boolean {
  const { command, locations } = call;
  const isKnownValue = call.values.every(([name, word]) =>
    matchesKind(word, kindOfOption(spec, name) ?? "text", command, locations),
  );
  return isKnownValue && matchesOperands(spec, call, judgeOperand) && spec.check?.(call) !== false;
}

function matchesOperands(
  spec: ProgramSpec,
  call: ParsedCommand,
  judgeOperand: JudgeOperand | undefined,
): boolean {
  const operandSpec = typeof spec.operands === "function" ? spec.operands(call) : spec.operands;
  const { kind, first, min = 0, max = Number.POSITIVE_INFINITY } = operandSpec ?? { kind: "text", max: 0 };
  const { command, locations, operands } = call;
  if (operands.length < min || operands.length > max) return false;
  if (Number.isFinite(max) && !operands.every((word) => isOneWord(word, command, locations))) return false;
  const treeOptions = kind === "tree" ? (spec.tree?.(call) ?? {}) : {};
  const mayRead = (word: ShellWord): boolean => {
    if (treeOptions === "names") return matchesKind(word, "name", command, locations);
    return judgeOperand?.(word, kind, call) ?? matchesKind(word, kind, command, locations, treeOptions);
  };
  const files = first === undefined ? operands : operands.slice(1);
  if (
    first !== undefined &&
    operands[0] !== undefined &&
    !matchesKind(operands[0], first, command, locations)
  )
    return false;
  // Without a folder, it is the one where the command runs.
  return files.every(mayRead) && (kind !== "tree" || files.length > 0 || mayRead(literalWord(".")));
}
