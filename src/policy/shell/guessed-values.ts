import type { ArithmeticExpression, WordPart } from "unbash";
import { matchesPart } from "../path-glob.ts";
import { giveUp, spend } from "../work.ts";

/** Longer values take too long to compute. */
const MAX_TEXT_LENGTH = 256;
const MAX_REPLACED_TEXT_LENGTH = 64;

type Operation = NonNullable<Extract<WordPart, { type: "ParameterExpansion" }>["operation"]>;

/**
 * The result of an operation such as `${x%.txt}` on a value; undefined where it is not computed. Shells differ in
 * details, so it never counts as certain and is only judged besides the unknown text. `read` returns an operand's text.
 */
export function applyOperation(
  text: string,
  operation: Operation,
  read: (operand: Extract<Operation, { type: "Remove" }>["operand"]) => string | undefined,
): string | undefined {
  if (text.length > MAX_TEXT_LENGTH) giveUp();
  switch (operation.type) {
    case "Remove": {
      const pattern = read(operation.operand);
      return pattern === undefined ? undefined : removeMatch(text, operation.operator, pattern);
    }
    case "Replace": {
      const pattern = read(operation.pattern);
      const replacement = read(operation.replacement);
      if (pattern === undefined || replacement === undefined) return undefined;
      return replaceMatches(text, operation.operator, pattern, replacement);
    }
    case "Slice": {
      const [offset, length] = [operation.offset, operation.length].map((word) => Number(word?.value ?? 0));
      if (!Number.isInteger(offset) || !Number.isInteger(length)) return undefined;
      const rest = text.slice(offset!);
      return operation.length === undefined ? rest : rest.slice(0, length!);
    }
    case "CaseModification": {
      const isUpper = operation.operator.startsWith("^");
      const change = (part: string): string => (isUpper ? part.toUpperCase() : part.toLowerCase());
      return operation.operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
    }
    case "Transform": {
      const flag = operation.operand.value;
      if (flag === "U") return text.toUpperCase();
      return flag === "L" ? text.toLowerCase() : text;
    }
    default:
      return undefined;
  }
}

/** `#` and `%` remove the shortest match at the start or end, doubled the longest. */
function removeMatch(text: string, operator: string, pattern: string): string {
  const atStart = operator.startsWith("#");
  const lengths = Array.from({ length: text.length + 1 }, (_, n) => n);
  if (operator.length === 2) lengths.reverse();
  spend(text.length * (4 + pattern.length));
  for (const length of lengths) {
    const [part, rest] = atStart
      ? [text.slice(0, length), text.slice(length)]
      : [text.slice(text.length - length), text.slice(0, text.length - length)];
    if (matchesPart(pattern, part)) return rest;
  }
  return text;
}

function replaceMatches(
  text: string,
  operator: string,
  pattern: string,
  replacement: string,
): string | undefined {
  if (pattern === "") return text;
  if (!/[*?[]/.test(pattern)) {
    if (operator === "//") return text.replaceAll(pattern, () => replacement);
    if (operator === "/#") return text.startsWith(pattern) ? replacement + text.slice(pattern.length) : text;
    if (operator === "/%")
      return text.endsWith(pattern) ? text.slice(0, -pattern.length) + replacement : text;
    return text.replace(pattern, () => replacement);
  }
  if (text.length > MAX_REPLACED_TEXT_LENGTH) giveUp();
  let result = "";
  for (let at = 0; at <= text.length; at++) {
    const end = longestMatch(text, at, pattern);
    if (end < 0) result += text[at] ?? "";
    else {
      result += replacement;
      if (operator !== "//") return result + text.slice(end);
      at = Math.max(end - 1, at);
    }
  }
  return result;
}

function longestMatch(text: string, from: number, pattern: string): number {
  for (let end = text.length; end > from; end--) if (matchesPart(pattern, text.slice(from, end))) return end;
  return -1;
}

/** The value of a sum of numbers, and of variables that `read` knows; undefined for any other. */
export function evaluateSum(
  node: ArithmeticExpression | undefined,
  read: (variable: string) => string | undefined,
): number | undefined {
  switch (node?.type) {
    case "ArithmeticGroup":
      return evaluateSum(node.expression, read);
    case "ArithmeticWord": {
      const name = node.value.trim().replace(/^\$\{?(\w+)\}?$/, "$1");
      const value = /^[A-Za-z_]/.test(name) ? (read(name) ?? "") : name;
      return numberOf(value);
    }
    case "ArithmeticUnary": {
      const value = evaluateSum(node.operand, read);
      if (value === undefined || !/^[-+]$/.test(node.operator)) return undefined;
      return node.operator === "-" ? -value : value;
    }
    case "ArithmeticBinary": {
      const left = evaluateSum(node.left, read);
      const right = evaluateSum(node.right, read);
      return left === undefined || right === undefined ? undefined : calculate(left, node.operator, right);
    }
    default:
      return undefined;
  }
}

function numberOf(text: string): number | undefined {
  if (/^0[0-7]{1,15}$/.test(text)) return Number.parseInt(text, 8);
  const [, base = "", digits = ""] = /^(\d{1,2})#([\da-z]{1,15})$/i.exec(text) ?? [];
  if (base !== "" && Number(base) >= 2 && Number(base) <= 36) {
    const value = Number.parseInt(digits, Number(base));
    return Number.isNaN(value) ? undefined : value;
  }
  return /^(?:\d{1,15}|0x[\da-f]{1,12})$/i.test(text) ? Number(text) : undefined;
}

function calculate(left: number, operator: string, right: number): number | undefined {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? undefined : Math.trunc(left / right);
    case "%":
      return right === 0 ? undefined : left % right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case "<<":
      return left << right;
    case "**":
      return left ** right;
    default:
      return undefined;
  }
}
