import type { Json } from "../read-json.ts";

/**
 * What came over HTTP, in the words of Claude Code's own hooks. Others say `tool_output`, `tool_error`, `started_at` and `ended_at`,
 * and give a call no id; what they say more is kept.
 */
export function readHttpHook(event: string, body: Json, newId: () => string): Json {
  const { tool_output: output, tool_error: error, started_at: started, ended_at: ended, ...rest } = body;
  const name = toEventName(event);
  if (name !== "PostToolUse") return { ...body, hook_event_name: name };
  const durationMs = Date.parse(String(ended)) - Date.parse(String(started));
  const isFailed = typeof error === "string" && error !== "";
  return {
    ...rest,
    hook_event_name: isFailed ? "PostToolUseFailure" : name,
    tool_use_id: rest["tool_use_id"] ?? newId(),
    ...(output !== undefined && rest["tool_response"] === undefined && { tool_response: output }),
    ...(isFailed && { error }),
    ...(durationMs >= 0 && rest["duration_ms"] === undefined && { duration_ms: durationMs }),
  };
}

/** `post-tool-use` and `PostToolUse` are one. */
function toEventName(event: string): string {
  return event.replace(/(?:^|[-_])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
