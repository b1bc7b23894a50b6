import { kindOfCall } from "../../agents/tool-call.ts";
import type { ToolKind } from "../../event/tool-kind.ts";
import { type CommandKeys, commandKeys } from "../compress/command-key.ts";
import { isKnownTestFact, isTestFact } from "../compress/read-tests.ts";
import { succeededIn } from "../compress/succeeded-fact.ts";
import type { MemoryItem } from "../memory-item.ts";

/**
 * Failures after which the same was not seen to work, one for each, the newest first. Items come newest first, and
 * have the commands that went well among them.
 */
export function openFailures(items: readonly MemoryItem[]): MemoryItem[] {
  const settled = new Set<string>();
  const open: MemoryItem[] = [];
  // What went well before the first failure settles nothing.
  for (const item of items.slice(0, items.findLastIndex(isFailure) + 1)) {
    if (!isFailure(item)) {
      for (const key of succeededKeys(item)) settled.add(key);
      continue;
    }
    const { any, all } = failureKeys(item);
    const isSettled =
      any.some((key) => settled.has(key) || isPartOf(key, settled)) ||
      (all.length > 0 && all.every((key) => settled.has(key)));
    if (!isSettled) open.push(item);
    for (const key of any) settled.add(key);
  }
  return open;
}

function hasSucceeded({ success, content }: MemoryItem): boolean {
  return success === true && content.type !== "failure";
}

/** A run of all tests that passed is one of each of them, too. */
function isPartOf(key: string, settled: ReadonlySet<string>): boolean {
  if (!key.startsWith(TEST)) return false;
  for (let end = key.lastIndexOf(" "); end > TEST.length; end = key.lastIndexOf(" ", end - 1))
    if (settled.has(key.slice(0, end))) return true;
  return false;
}

const RUN = "run ";
const TEST = "test ";

/** To look in vain is part of looking. */
function isFailure({ kind, content, success, toolName }: MemoryItem): boolean {
  if (kind !== "observation" || LOOKING.has(kindOfCall({ toolName }))) return false;
  if (content.type !== "failure" && !(content.type === "test" && success === false)) return false;
  return !LOOKING_COMMAND.test(commandKeys(commandOf(content) ?? "").all[0] ?? "");
}

const LOOKING: ReadonlySet<ToolKind> = new Set(["read", "search", "fetch"]);
const LOOKING_COMMAND =
  /^(?:ls|cat|head|tail|find|e?grep|rg|which|stat|file|wc|test|\[|cd|pwd|type)(?:\s|$)/u;

/** By which a later success is known to be of the same thing: one of `any`, or every one of `all`. */
function failureKeys(item: MemoryItem): { readonly any: readonly string[]; readonly all: readonly string[] } {
  const command = commandOf(item.content);
  if (command === null) return { any: fileKeys(item), all: [] };
  const { all, test } = keysOf(item, command);
  const isTest = test !== null && item.content.facts.some(isTestFact);
  return {
    any: [`${RUN}${all.join(" && ")}`, ...(isTest ? [`${TEST}${test}`] : [])],
    all: all.map((key) => `${RUN}${key}`),
  };
}

/** Of all that an item shows to have ended well, also in a line whose own end is hidden. */
function succeededKeys(item: MemoryItem): string[] {
  const { content, success } = item;
  if (content.type === "failure" || success === false) return [];
  if (hasSucceeded(item)) return successKeys(item);
  const commands = succeededIn(content.facts).map((text) => commandKeys(text));
  const passed = content.type === "test" && content.facts.some(isKnownTestFact) ? [testKey(item)] : [];
  const tests = [...commands.map(({ test }) => test), ...passed].filter((test) => test !== null);
  return [
    ...commands.flatMap(({ proven }) => proven.map((key) => `${RUN}${key}`)),
    ...tests.flatMap((test) => [`${RUN}${test}`, `${TEST}${test}`]),
  ];
}

function testKey(item: MemoryItem): string | null {
  const command = commandOf(item.content);
  return command === null ? null : keysOf(item, command).test;
}

/** Whether an item shows a command to have ended well, by its name in the title of a failure. Null: it ran none. */
export function showsSuccessOf(name: string, item: MemoryItem): boolean | null {
  if (commandOf(item.content) === null) return null;
  const { all, test } = commandKeys(name);
  const shown = new Set(succeededKeys(item));
  if (test !== null && (shown.has(`${TEST}${test}`) || isPartOf(`${TEST}${test}`, shown))) return true;
  return all.length > 0 && all.every((key) => shown.has(`${RUN}${key}`));
}

function successKeys(item: MemoryItem): string[] {
  const command = commandOf(item.content);
  if (command === null) return fileKeys(item);
  const { all, proven, test } = keysOf(item, command);
  const isTest = test !== null && item.content.type === "test";
  // Of a line that was cut, or whose lines were joined, only the whole is known.
  const isPart = /…$|#|<</.test(command);
  return [
    ...(isPart ? [] : proven.map((key) => `${RUN}${key}`)),
    ...(isPart || proven.length === all.length ? [`${RUN}${all.join(" && ")}`] : []),
    ...(isTest ? [`${RUN}${test}`, `${TEST}${test}`] : []),
  ];
}

/** Several digests are made of the same items. */
const known = new WeakMap<MemoryItem, CommandKeys>();

function keysOf(item: MemoryItem, command: string): CommandKeys {
  const keys = known.get(item) ?? commandKeys(command);
  known.set(item, keys);
  return keys;
}

function fileKeys({ toolName, content }: MemoryItem): string[] {
  const files = content.filesModified.length > 0 ? content.filesModified : content.filesRead;
  return files.map((file) => `${toolName} ${file}`);
}

/** The command that an item names. */
export function commandOf({ facts, title }: MemoryItem["content"]): string | null {
  const told = facts.map((fact) => /^command:\s*(.+)$/iu.exec(fact)?.[1]).find((one) => one !== undefined);
  return told ?? /`([^`]+)`/u.exec(title)?.[1] ?? null;
}
