import { kindOfCall } from "../../agents/tool-call.ts";
import type { ToolKind } from "../../event/tool-kind.ts";
import { type CommandKeys, commandKeys } from "../compress/command-key.ts";
import { succeededIn } from "../compress/succeeded-fact.ts";
import { isKnownTestFact, isTestFact } from "../compress/test-run.ts";
import type { MemoryItem } from "../memory-item.ts";

/**
 * Failures without a later success of the same command, one for each, newest first. Items come newest first
 * and include the commands that succeeded.
 */
export function findOpenFailures(items: readonly MemoryItem[]): MemoryItem[] {
  const settled = new Set<string>();
  const open: MemoryItem[] = [];
  // Successes before the first failure resolve nothing.
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

/** A passing run of all tests includes each of them. */
function isPartOf(key: string, settled: ReadonlySet<string>): boolean {
  if (!key.startsWith(TEST)) return false;
  for (let end = key.lastIndexOf(" "); end > TEST.length; end = key.lastIndexOf(" ", end - 1))
    if (settled.has(key.slice(0, end))) return true;
  return false;
}

const RUN = "run ";
const TEST = "test ";

/** A lookup that finds nothing is not a failure. */
function isFailure({ kind, content, success, toolName }: MemoryItem): boolean {
  if (kind !== "observation" || INSPECTING.has(kindOfCall({ toolName }))) return false;
  if (content.type !== "failure" && !(content.type === "test" && success === false)) return false;
  return !INSPECTING_COMMAND.test(keysOf(content)?.all[0] ?? "");
}

const INSPECTING: ReadonlySet<ToolKind> = new Set(["read", "search", "fetch"]);
const INSPECTING_COMMAND =
  /^(?:ls|cat|head|tail|find|e?grep|rg|which|stat|file|wc|test|\[|cd|pwd|type)(?:\s|$)/u;

/** Keys that match a later success to it: one of `any`, or every one of `all`. */
function failureKeys(item: MemoryItem): { readonly any: readonly string[]; readonly all: readonly string[] } {
  const keys = keysOf(item.content);
  if (keys === null) return { any: fileKeys(item), all: [] };
  const { all, test } = keys;
  const isTest = test !== null && item.content.facts.some(isTestFact);
  return {
    any: [`${RUN}${all.join(" && ")}`, ...(isTest ? [`${TEST}${test}`] : [])],
    all: all.map((key) => `${RUN}${key}`),
  };
}

/** Keys of all commands an item shows to have succeeded, even in a line whose own status is hidden. */
const succeededKeys = once((item: MemoryItem): ReadonlySet<string> => new Set(findSucceeded(item)));

function findSucceeded(item: MemoryItem): string[] {
  const { content, success } = item;
  if (content.type === "failure" || success === false) return [];
  if (hasSucceeded(item)) return successKeys(item);
  const commands = succeededIn(content.facts).map((text) => commandKeys(text));
  const passed =
    content.type === "test" && content.facts.some(isKnownTestFact) ? [keysOf(content)?.test ?? null] : [];
  const tests = [...commands.map(({ test }) => test), ...passed].filter((test) => test !== null);
  return [
    ...commands.flatMap(({ proven }) => proven.map((key) => `${RUN}${key}`)),
    ...tests.flatMap((test) => [`${RUN}${test}`, `${TEST}${test}`]),
  ];
}

/**
 * Whether an item shows success of the command with this name in a failure's title; null: it ran no command.
 */
export function showsSuccessOf(name: string): (item: MemoryItem) => boolean | null {
  const { all, test } = commandKeys(name);
  return (item) => {
    if (commandOf(item.content) === null) return null;
    const shown = succeededKeys(item);
    if (test !== null && (shown.has(`${TEST}${test}`) || isPartOf(`${TEST}${test}`, shown))) return true;
    return all.length > 0 && all.every((key) => shown.has(`${RUN}${key}`));
  };
}

function successKeys(item: MemoryItem): string[] {
  const command = commandOf(item.content);
  const keys = keysOf(item.content);
  if (command === null || keys === null) return fileKeys(item);
  const { all, proven, test } = keys;
  const isTest = test !== null && item.content.type === "test";
  // Of a clipped line, or one whose lines were joined, only the whole is known.
  const isPart = /…$|#|<</.test(command);
  return [
    ...(isPart ? [] : proven.map((key) => `${RUN}${key}`)),
    ...(isPart || proven.length === all.length ? [`${RUN}${all.join(" && ")}`] : []),
    ...(isTest ? [`${RUN}${test}`, `${TEST}${test}`] : []),
  ];
}

function fileKeys({ toolName, content }: MemoryItem): string[] {
  const files = content.filesModified.length > 0 ? content.filesModified : content.filesRead;
  return files.map((file) => `${toolName} ${file}`);
}

export const commandOf = once(({ facts, title }: MemoryItem["content"]): string | null => {
  const told = facts.map((fact) => /^command:\s*(.+)$/iu.exec(fact)?.[1]).find((one) => one !== undefined);
  return told ?? /`([^`]+)`/u.exec(title)?.[1] ?? null;
});

const keysOf = once((content: MemoryItem["content"]): CommandKeys | null => {
  const command = commandOf(content);
  return command === null ? null : commandKeys(command);
});

/** Memoised: several digests share the same items, and each checks them for each of its open steps. */
function once<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}
