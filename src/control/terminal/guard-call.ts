import type { HookAsk } from "../../agents/answer-format.ts";
import type { AgentId } from "../../agents/hook-delivery.ts";
import type { PolicyRequest } from "../../policy/request.ts";

/** A tool call as reported by a hook of a terminal session. */
export interface GuardedCall {
  /** The agent's name for the event. */
  readonly hookEvent: string;
  readonly sessionId: string;
  /** The agent that makes the call. */
  readonly agent: AgentId;
  readonly toolUseId: string | null;
  readonly request: PolicyRequest & { readonly projectPath: string | null };
}

/** No existing folder has a longer path. */
const MAX_FOLDER_CHARS = 4_096;

/** Null for a payload that is not such a call. */
export function readGuardedCall(
  ask: HookAsk | null,
  moment: "call" | "permission",
  projectOf: (cwd: string | null) => string | null,
): GuardedCall | null {
  if (ask?.moment !== moment) return null;
  const { event: hookEvent, sessionId, toolName, toolInput, toolUseId, mode, cwd, agentType } = ask;
  const form = ask.toolForm === null ? {} : { toolForm: ask.toolForm };
  if (toolName === null || cwd === null) return null;
  const projectPath = cwd.length > MAX_FOLDER_CHARS ? null : projectOf(cwd);
  return {
    hookEvent,
    sessionId,
    agent: ask.provider,
    toolUseId,
    request: { toolName, ...form, toolInput, mode: mode ?? "default", cwd, projectPath, agentType },
  };
}
