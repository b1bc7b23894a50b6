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
  const resolved = new Set<string>();
  const open: MemoryItem[] = [];
  // Successes before the first failure resolve nothing.
  for (const item of items.slice(0, items.findLastIndex(isFailure) + 1)) {
    if (!isFailure(item)) {
      for (const key of succeededKeys(item)) resolved.add(key);
      continue;
    }
    const { any, all } = failureKeys(item);
    const isResolved =
      any.some((key) => resolved.has(key) || isPartOf(key, resolved)) ||
      (all.length > 0 && all.every((key) => resolved.has(key)));
    if (!isResolved) open.push(item);
    for (const key of any) resolved.add(key);
  }
  return open;
}

function hasSucceeded({ success, content }: MemoryItem): boolean {
  return success === true && content.type !== "failure";
}

/** A passing run of all tests includes each of them. */
function isPartOf(key: string, resolved: ReadonlySet<string>): boolean {
  if (!key.startsWith(TEST_PREFIX)) return false;
  for (let end = key.lastIndexOf(" "); end > TEST_PREFIX.length; end = key.lastIndexOf(" ", end - 1))
    if (resolved.has(key.slice(0, end))) return true;
  return false;
}

const RUN_PREFIX = "run ";
const TEST_PREFIX = "test ";

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
    any: [`${RUN_PREFIX}${all.join(" && ")}`, ...(isTest ? [`${TEST_PREFIX}${test}`] : [])],
    all: all.map((key) => `${RUN_PREFIX}${key}`),
  };
}

/** Keys of all commands an item shows to have succeeded, even in a line whose own status is hidden. */
const succeededKeys = memoise((item: MemoryItem): ReadonlySet<string> => new Set(findSucceeded(item)));

function findSucceeded(item: MemoryItem): string[] {
  const { content, success } = item;
  if (content.type === "failure" || success === false) return [];
  if (hasSucceeded(item)) return successKeys(item);
  const commands = succeededIn(content.facts).map((text) => commandKeys(text));
  const passed =
    content.type === "test" && content.facts.some(isKnownTestFact) ? [keysOf(content)?.test ?? null] : [];
  const tests = [...commands.map(({ test }) => test), ...passed].filter((test) => test !== null);
  return [
    ...commands.flatMap(({ proven }) => proven.map((key) => `${RUN_PREFIX}${key}`)),
    ...tests.flatMap((test) => [`${RUN_PREFIX}${test}`, `${TEST_PREFIX}${test}`]),
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
    if (test !== null && (shown.has(`${TEST_PREFIX}${test}`) || isPartOf(`${TEST_PREFIX}${test}`, shown)))
      return true;
    return all.length > 0 && all.every((key) => shown.has(`${RUN_PREFIX}${key}`));
  };
}

function successKeys(item: MemoryItem): string[] {
  const command = commandOf(item.content);
  const keys = keysOf(item.content);
  if (command === null || keys === null) return fileKeys(item);
  const { all, proven, test } = keys;
  const isTest = test !== null && item.content.type === "test";
  // Of a clipped line, or one whose lines were joined, only the whole is known.
  const isIncomplete = /…$|#|<</.test(command);
  return [
    ...(isIncomplete ? [] : proven.map((key) => `${RUN_PREFIX}${key}`)),
    ...(isIncomplete || proven.length === all.length ? [`${RUN_PREFIX}${all.join(" && ")}`] : []),
    ...(isTest ? [`${RUN_PREFIX}${test}`, `${TEST_PREFIX}${test}`] : []),
  ];
}

function fileKeys({ toolName, content }: MemoryItem): string[] {
  const files = content.filesModified.length > 0 ? content.filesModified : content.filesRead;
  return files.map((file) => `${toolName} ${file}`);
}

export const commandOf = memoise(({ facts, title }: MemoryItem["content"]): string | null => {
  const commandFact = facts
    .map((fact) => /^command:\s*(.+)$/iu.exec(fact)?.[1])
    .find((command) => command !== undefined);
  return commandFact ?? /`([^`]+)`/u.exec(title)?.[1] ?? null;
});

const keysOf = memoise((content: MemoryItem["content"]): CommandKeys | null => {
  const command = commandOf(content);
  return command === null ? null : commandKeys(command);
});

/** Memoised: several digests share the same items, and each checks them for each of its open steps. */
function memoise<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const found = cache.get(key) ?? { value: compute(key) };
    cache.set(key, found);
    return found.value;
  };
}
