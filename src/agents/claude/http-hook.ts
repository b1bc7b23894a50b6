import type { Json } from "../read-json.ts";

/**
 * Converts a body received over HTTP to the fields of Claude Code's hooks. Others send `tool_output`,
 * `tool_error`, `started_at` and `ended_at`, and no call id; their extra fields are retained.
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

/** Treats `post-tool-use` and `PostToolUse` alike. */
function toEventName(event: string): string {
  return event.replace(/(?:^|[-_])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
