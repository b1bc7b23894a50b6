import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent, Origin } from "../event/event.ts";
import { normalizeEvent } from "../event/merge.ts";
import { isToolKind } from "../event/tool-kind.ts";
import { withoutContent } from "./private-event.ts";

/** What remains of a forgotten event: that it happened, when and where. In normal form. */
export function forgetContent(event: HooklineEvent): HooklineEvent {
  const { transcriptPath: _path, mergedFrom, ...bare } = withoutContent(event) as HooklineEvent;
  // A private prompt hides its turn. A forgotten one does not: the rest of the turn is not forgotten.
  if (event.eventType === "turn.start" && event["private"] !== true) delete bare["private"];
  bare["forgotten"] = true;
  const from = Object.entries(mergedFrom ?? {}).filter(([path]) => hasValue(bare, path));
  if (from.length > 0) bare["mergedFrom"] = Object.fromEntries(from) as Record<string, Origin>;
  return normalizeEvent(bare as HooklineEvent);
}

/** One forgotten report makes the whole fact forgotten, whatever its other sources and their order. */
export function stripIfForgotten(event: HooklineEvent): HooklineEvent {
  return event["forgotten"] === true ? forgetContent(event) : event;
}

/**
 * The part of an event that is searched for forgotten text: its text and paths. Identifiers and names of
 * kinds are left out, because a forgotten word may be among them.
 */
export function contentOf(event: HooklineEvent): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event)) if (!STRUCTURAL_KEYS.has(key)) content[key] = value;
  const { payload } = event;
  if (isPlainObject(payload)) {
    const { toolName, toolKind } = payload;
    const isBuiltIn = typeof toolName === "string" && BUILT_IN.test(toolName);
    content["payload"] = {
      ...payload,
      ...(isBuiltIn && { toolName: null }),
      ...(isToolKind(toolKind) && { toolKind: null }),
    };
  }
  return content;
}

const STRUCTURAL_KEYS: ReadonlySet<string> = new Set([
  "v",
  "id",
  "eventType",
  "phase",
  "occurredAtIso",
  "sessionId",
  "provider",
  "agentId",
  "promptId",
  "toolUseId",
  "transcriptPath",
  "origin",
  "mergedFrom",
  "batchKey",
  "batchIndex",
  "toolKind",
  "messageId",
  "permissionId",
  "permissionMode",
  "effort",
  "model",
  "requestedModel",
  "stopReason",
  "usage",
  "agentType",
  "notificationType",
  "source",
  "trigger",
  "madeBy",
  "itemId",
]);

/** `Bash`, `Read`; MCP tool names are chosen by people. */
const BUILT_IN = /^[A-Z][A-Za-z]+$/;

function hasValue(event: HooklineEvent, path: string): boolean {
  let value: unknown = event;
  for (const key of path.split(".")) value = isPlainObject(value) ? value[key] : undefined;
  return value !== null && value !== undefined;
}
