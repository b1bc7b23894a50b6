import type { MemoryItem } from "../memory-item.ts";

/** Failures after which the same was not seen to work, one for each, the newest first. Items come newest first. */
export function openFailures(items: readonly MemoryItem[]): MemoryItem[] {
  const settled = new Set<string>();
  const open: MemoryItem[] = [];
  for (const item of items) {
    const keys = keysOf(item);
    if (isFailure(item)) {
      if (!keys.some((key) => settled.has(key))) open.push(item);
    } else if (item.success !== true) continue;
    for (const key of keys) settled.add(key);
  }
  return open;
}

/** To look in vain is part of looking. */
function isFailure({ kind, content, success, toolName }: MemoryItem): boolean {
  if (kind !== "observation" || LOOKING_TOOLS.has(toolName ?? "")) return false;
  if (content.type !== "failure" && !(content.type === "test" && success === false)) return false;
  return !LOOKING_COMMAND.test(commandOf(content) ?? "");
}

const LOOKING_TOOLS = new Set(["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "NotebookRead"]);
const LOOKING_COMMAND =
  /^(?:ls|cat|head|tail|find|e?grep|rg|which|stat|file|wc|test|\[|cd|pwd|type)(?:\s|$)/u;

/** By which a later success is known to be of the same thing: the command, or the tool and the file. */
function keysOf({ toolName, content }: MemoryItem): string[] {
  const command = commandOf(content);
  if (command !== null) return [`run ${command}`];
  const files = content.filesModified.length > 0 ? content.filesModified : content.filesRead;
  return files.map((file) => `${toolName} ${file}`);
}

/** The command that an item names, as it would be typed anew: without the way there and what shortens its output. */
export function commandOf({ facts, title }: MemoryItem["content"]): string | null {
  const told = facts.map((fact) => /^command:\s*(.+)$/iu.exec(fact)?.[1]).find((one) => one !== undefined);
  const command = told ?? /`([^`]+)`/u.exec(title)?.[1];
  if (command === undefined) return null;
  return command
    .slice(0, 300)
    .replace(/^(?:cd\s+(?:"[^"]*"|'[^']*'|[^\s;&]+)\s*(?:&&|;)\s*)+/u, "")
    .replace(/(?:\s+2>&1|\s*\|\s*(?:tail|head)(?:\s+-n)?\s+-?\d+|\s+2>\/dev\/null)+\s*$/u, "")
    .replace(/\s+/gu, " ")
    .trim();
}
