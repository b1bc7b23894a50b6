import type { HookAsk } from "../../agents/answer-format.ts";
import type { AgentId } from "../../agents/hook-delivery.ts";
import type { PolicyRequest } from "../../policy/request.ts";

/** A tool call as a hook of a terminal session tells it. */
export interface GuardedCall {
  /** As the agent calls it. */
  readonly hookEvent: string;
  readonly sessionId: string;
  /** Whose call it is. */
  readonly agent: AgentId;
  readonly toolUseId: string | null;
  readonly request: PolicyRequest & { readonly projectPath: string | null };
}

/** No folder that exists has a longer path. */
const LONGEST_FOLDER = 4_096;

/** Null for what is no such call: nothing can be said of it. */
export function readCall(
  ask: HookAsk | null,
  moment: "call" | "permission",
  projectOf: (cwd: string | null) => string | null,
): GuardedCall | null {
  if (ask?.moment !== moment) return null;
  const { event: hookEvent, sessionId, toolName, toolInput, toolUseId, mode, cwd, agentType } = ask;
  const form = ask.toolForm === null ? {} : { toolForm: ask.toolForm };
  if (toolName === null || cwd === null) return null;
  const projectPath = cwd.length > LONGEST_FOLDER ? null : projectOf(cwd);
  return {
    hookEvent,
    sessionId,
    agent: ask.provider,
    toolUseId,
    request: { toolName, ...form, toolInput, mode: mode ?? "default", cwd, projectPath, agentType },
  };
}
