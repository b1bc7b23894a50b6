import { forEachChild, type SyntaxNode, type Word, type WordPart } from "unbash";
import { type ExpansionContext, expandWord } from "./expand-word.ts";
import { isOwnVariable } from "./plain-variables.ts";

/**
 * Whether a node evaluates text: arithmetic, subscripts and indirect names run commands inside a string. Only numbers
 * are plain, and variables known to hold nothing else. What shells other than bash would run counts as well. Inner
 * scripts (`$(…)`) are not checked here; they are read separately.
 */
export function evaluatesText(node: SyntaxNode, context: ExpansionContext): boolean {
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return false;
    case "Literal":
      return ZSH_EXPANSION.test(node.text);
    case "ExtendedGlob": // zsh reads `*(e:code:)` as code to run
    case "FileDescriptorVariable":
    case "Unknown":
      return true;
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      if (node.expression === undefined) return true;
      break;
    case "ArithmeticWord":
      return !isNumber(node.value, node.parts, context);
    case "ArithmeticBinary":
      if (ASSIGNMENT_OPERATOR.test(node.operator) && !isAssignable(node.left)) return true;
      if (node.operator === "=") return evaluatesText(node.right, context);
      break;
    case "ArithmeticUnary":
      if (/^(?:\+\+|--)$/.test(node.operator) && !isAssignable(node.operand)) return true;
      break;
    case "ParameterExpansion":
      if (!isPlainExpansion(node, context)) return true;
      break;
    case "Assignment":
      if (node.index !== undefined && !isPlainIndex(node.index, context)) return true;
      break;
    case "ArrayValue":
      if (node.elements.some((element) => element.text.startsWith("["))) return true;
      break;
    case "TestUnary":
      if (node.operator === "-t" ? !isInteger(node.operand, context) : !PLAIN_TEST.test(node.operator))
        return true;
      break;
    case "TestBinary":
      if (
        !PLAIN_COMPARISON.test(node.operator) &&
        !(isInteger(node.left, context) && isInteger(node.right, context))
      )
        return true;
      break;
    case "Word":
      if (node.parts === undefined && ZSH_EXPANSION.test(node.text)) return true;
      if (hasSubscript(node.parts ?? [])) return true;
      break;
    case "HereDoc":
      if (node.delimiter?.quoted !== true && ZSH_EXPANSION.test(node.body.text)) return true;
      break;
    case "DoubleQuoted":
    case "LocaleString":
    case "HereDocBody":
      if (hasSubscript(node.parts ?? [])) return true;
      break;
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= evaluatesText(child, context);
  });
  return found;
}

/** The variables that arithmetic in a node assigns numbers to. */
export function numericAssignments(node: SyntaxNode): readonly string[] {
  const names: string[] = [];
  const visit = (child: SyntaxNode): void => {
    if (
      child.type === "ArithmeticBinary" &&
      ASSIGNMENT_OPERATOR.test(child.operator) &&
      child.left.type === "ArithmeticWord"
    )
      names.push(child.left.value);
    forEachChild(child, visit);
  };
  visit(node);
  return names;
}

/** `$~x` and the like, which zsh expands. */
const ZSH_EXPANSION = /\$[~=^+]/;
const ASSIGNMENT_OPERATOR = /^(?:[-+*/%&|^]|<<|>>)?=$/;
const NUMBER = /^(?:\d{1,18}|0[xX][\da-fA-F]{1,16}|\d{1,2}#\w{1,18})$/;
const INTEGER = /^-?\d{1,18}$/;
/** Counters of the shell itself. */
const NUMERIC_VARIABLE =
  /^(?:[#?$!]|RANDOM|SRANDOM|UID|EUID|PPID|BASHPID|SECONDS|EPOCHSECONDS|LINENO|SHLVL)$/;
const PLAIN_TEST = /^-[abcdefghknoprsuwxzGLNOS]$/;
const PLAIN_COMPARISON = /^(?:=|==|!=|=~|<|>|-nt|-ot|-ef)$/;

function isAssignable(node: SyntaxNode): boolean {
  return node.type === "ArithmeticWord" && node.parts === undefined && isOwnVariable(node.value);
}

function isNumber(value: string, parts: readonly WordPart[] | undefined, context: ExpansionContext): boolean {
  const text = value.trim();
  if (parts === undefined) return NUMBER.test(text) || holdsNumber(text, context);
  return parts.every((part) => {
    if (part.type === "Literal") return /^\d*$/.test(part.value.trim());
    if (part.type === "SimpleExpansion") return holdsNumber(part.text.slice(1), context);
    if (part.type === "ArithmeticExpansion") return !evaluatesText(part, context);
    if (part.type !== "ParameterExpansion" || !isPlainExpansion(part, context)) return false;
    return part.prefix === "#" || (part.operation === undefined && holdsNumber(part.parameter, context));
  });
}

/** Whether every possible value of a variable is a plain number. */
function holdsNumber(name: string, context: ExpansionContext): boolean {
  if (NUMERIC_VARIABLE.test(name)) return true;
  const values = context.values.get(name);
  if (values === undefined || !context.assigned.has(name) || !isOwnVariable(name)) return false;
  return values.every((value) => INTEGER.test(value.text));
}

function isInteger(word: Word, context: ExpansionContext): boolean {
  return expandWord(word, context).every((choice) => choice.every(({ text }) => INTEGER.test(text)));
}

type Expansion = Extract<WordPart, { type: "ParameterExpansion" }>;

function isPlainExpansion(
  { text, parameter, prefix, index, operation }: Expansion,
  context: ExpansionContext,
): boolean {
  if (!/^(?:\w+|[@*#?$!-])$/.test(parameter)) return false;
  const isList = index !== undefined && /^[@*]$/.test(index.text);
  if (index !== undefined && !isList && !isPlainIndex(index, context)) return false;
  // Inside double quotes shells differ in what a quote means here.
  if (operation !== undefined && /['"`\\]/.test(text)) return false;
  if (prefix === "!") return operation?.type === "Names" || (isList && operation === undefined);
  switch (operation?.type) {
    case "Default":
      return !operation.operator.endsWith("=");
    case "Slice":
      return [operation.offset, operation.length].every(
        (word) => word === undefined || INTEGER.test(word.text.trim()) || isInteger(word, context),
      );
    case "Transform":
      return /^[QULuaK]$/.test(operation.operand.value);
    default:
      return true;
  }
}

function isPlainIndex(index: Word, context: ExpansionContext): boolean {
  return isInteger(index, context) || (index.parts === undefined && holdsNumber(index.text, context));
}

/** `$x[y]`, `$x:h`, `$#x`: a subscript, a part of a path and a length in zsh, text in bash. */
function hasSubscript(parts: readonly WordPart[]): boolean {
  return parts.some((part, at) => {
    const next = parts[at + 1];
    return (
      part.type === "SimpleExpansion" &&
      next !== undefined &&
      "text" in next &&
      (part.text === "$#" ? /^\w/ : /^(?:\[|:[a-zA-Z])/).test(next.text)
    );
  });
}
