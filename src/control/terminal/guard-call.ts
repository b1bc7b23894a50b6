import { asObject, nonEmpty } from "../../agents/read-json.ts";
import type { PolicyRequest } from "../../policy/request.ts";

/** A tool call as a hook of a terminal session tells it. */
export interface GuardedCall {
  readonly hookEvent: "PreToolUse" | "PermissionRequest";
  readonly sessionId: string;
  readonly toolUseId: string | null;
  readonly request: PolicyRequest & { readonly projectPath: string | null };
}

/** No folder that exists has a longer path. */
const LONGEST_FOLDER = 4_096;

/** Null for what is no such call: nothing can be said of it. */
export function readCall(
  payload: unknown,
  hookEvent: GuardedCall["hookEvent"],
  projectOf: (cwd: string | null) => string | null,
): GuardedCall | null {
  const told = asObject(payload);
  const sessionId = nonEmpty(told, "session_id");
  const toolName = nonEmpty(told, "tool_name");
  const cwd = nonEmpty(told, "cwd");
  const isMeant = told["hook_event_name"] === hookEvent;
  if (!isMeant || sessionId === undefined || toolName === undefined || cwd === undefined) return null;
  return {
    hookEvent,
    sessionId,
    toolUseId: nonEmpty(told, "tool_use_id") ?? null,
    request: {
      toolName,
      toolInput: told["tool_input"],
      mode: nonEmpty(told, "permission_mode") ?? "default",
      cwd,
      projectPath: cwd.length > LONGEST_FOLDER ? null : projectOf(cwd),
      agentType: nonEmpty(told, "agent_type") ?? null,
    },
  };
}
