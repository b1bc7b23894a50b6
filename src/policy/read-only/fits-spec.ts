import type { Places } from "../places.ts";
import { literalWord, type ShellCommand, type ShellWord } from "../shell/shell-reading.ts";
import { fitsKind, hasPlainNames, isOneWord, mayVanish } from "./check-words.ts";
import type { Call, Kind, Spec } from "./grammar.ts";
import { kindOf, readWords } from "./read-words.ts";

/** How an operand is judged, where the program has its own words for files. */
type JudgeOperand = (word: ShellWord, kind: Kind, call: Call) => boolean;

/** Whether every word of a command is one that the grammar of its program knows. */
export function fitsSpec(
  spec: Spec,
  command: ShellCommand,
  places: Places,
  judgeOperand?: JudgeOperand,
): boolean {
  const words = readWords(spec, command);
  if (words === null) return false;
  const hasGlob = command.args.some((word) => word.isGlob && word.text.startsWith("-"));
  if (hasGlob && !hasPlainNames(command, places)) return false;
  const call: Call = { ...words, command, places };
  const kept = call.operands.filter((word) => !mayVanish(word, command, places));
  return (
    fitsCall(spec, call, judgeOperand) &&
    (kept.length === call.operands.length || fitsCall(spec, { ...call, operands: kept }, judgeOperand))
  );
}

function fitsCall(spec: Spec, call: Call, judgeOperand: JudgeOperand | undefined): boolean {
  const { command, places } = call;
  const isKnownValue = call.values.every(([name, word]) =>
    fitsKind(word, kindOf(spec, name) ?? "text", command, places),
  );
  return isKnownValue && fitsOperands(spec, call, judgeOperand) && spec.check?.(call) !== false;
}

function fitsOperands(spec: Spec, call: Call, judgeOperand: JudgeOperand | undefined): boolean {
  const given = typeof spec.operands === "function" ? spec.operands(call) : spec.operands;
  const { kind, first, min = 0, max = Number.POSITIVE_INFINITY } = given ?? { kind: "text", max: 0 };
  const { command, places, operands } = call;
  if (operands.length < min || operands.length > max) return false;
  if (Number.isFinite(max) && !operands.every((word) => isOneWord(word, command, places))) return false;
  const how = kind === "tree" ? (spec.tree?.(call) ?? {}) : {};
  const isOpen = (word: ShellWord): boolean => {
    if (how === "names") return fitsKind(word, "name", command, places);
    return judgeOperand?.(word, kind, call) ?? fitsKind(word, kind, command, places, how);
  };
  const files = first === undefined ? operands : operands.slice(1);
  if (first !== undefined && operands[0] !== undefined && !fitsKind(operands[0], first, command, places))
    return false;
  // Without a folder it is the one where the command runs.
  return files.every(isOpen) && (kind !== "tree" || files.length > 0 || isOpen(literalWord(".")));
}
