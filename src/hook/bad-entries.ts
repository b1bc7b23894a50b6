import { type JsonNode, memberOf } from "./json-tree.ts";
import { handlersOf, itemsOf, membersOf } from "./own-handlers.ts";

export interface BadEntry {
  /** The event and what is wrong with its entry. */
  readonly what: string;
  readonly start: number;
}

/** The required fields of each handler type. */
const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: ["command"],
  http: ["url"],
  mcp_tool: ["server", "tool"],
  prompt: ["prompt"],
  agent: ["prompt"],
};

/**
 * Entries under `hooks` that Claude Code rejects. One of them can make it ignore the entire file, our hooks
 * included. Unknown types are left alone: a newer Claude Code may know them.
 */
export function findBadEntries(root: JsonNode): BadEntry[] {
  const hooks = memberOf(root, "hooks")?.value;
  if (hooks === undefined) return [];
  if (hooks.type !== "object") return [{ what: `"hooks" is no object`, start: hooks.start }];
  return membersOf(hooks).flatMap(({ key, value }) => {
    if (value.type !== "array") return [{ what: `${key} is no list`, start: value.start }];
    return itemsOf(value).flatMap((group) => badGroup(key, group));
  });
}

function badGroup(event: string, group: JsonNode): BadEntry[] {
  if (group.type !== "object")
    return [{ what: `${event} has an entry that is no object`, start: group.start }];
  const matcher = memberOf(group, "matcher")?.value;
  if (matcher !== undefined && !isText(matcher))
    return [{ what: `${event} has a matcher that is no text`, start: matcher.start }];
  if (memberOf(group, "hooks")?.value.type !== "array")
    return [{ what: `${event} has an entry without a list "hooks"`, start: group.start }];
  return handlersOf(group).flatMap((handler) => {
    const why = badHandler(handler);
    return why === undefined ? [] : [{ what: `${event} has a handler ${why}`, start: handler.start }];
  });
}

function badHandler(handler: JsonNode): string | undefined {
  if (handler.type !== "object") return "that is no object";
  const type = memberOf(handler, "type")?.value;
  if (type?.type !== "scalar" || typeof type.value !== "string") return `without "type"`;
  const missing = (REQUIRED_FIELDS[type.value] ?? []).find((key) => !isText(memberOf(handler, key)?.value));
  if (missing !== undefined) return `of type ${type.value} without "${missing}"`;
  const timeout = memberOf(handler, "timeout")?.value;
  if (timeout === undefined) return undefined;
  const isSeconds = timeout.type === "scalar" && typeof timeout.value === "number" && timeout.value > 0;
  return isSeconds ? undefined : `whose "timeout" is no number of seconds`;
}

function isText(node: JsonNode | undefined): boolean {
  return node?.type === "scalar" && typeof node.value === "string";
}
