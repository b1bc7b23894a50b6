import { requestKindOf } from "../agents/tool-call.ts";
import type { Options, PermissionResult } from "./agent-sdk.ts";
import type { RequestIds } from "./claim-request-id.ts";
import type { DrivenInput, Reply } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { Gate } from "./gate.ts";
import type { PendingReplies } from "./pending-replies.ts";
import { toPermissionResult } from "./session-options.ts";

export interface CanUseToolOptions {
  readonly requestIds: RequestIds;
  readonly replies: PendingReplies;
  readonly gate: Pick<Gate, "verdictOf">;
  readonly state: () => Driven;
  readonly dispatch: (input: DrivenInput) => void;
  readonly hasExited: () => boolean;
  readonly log: (direction: "input" | "output", data: unknown) => void;
  readonly nowIso: () => string;
}

type CanUseTool = NonNullable<Options["canUseTool"]>;

/** Waits without a time limit until a person answers or the agent withdraws the request. */
export function createCanUseTool(options: CanUseToolOptions): CanUseTool {
  const { requestIds, replies, gate, state, dispatch, hasExited, log, nowIso } = options;
  return (tool, input, { toolUseID: toolUseId, signal, agentID, decisionReason }) => {
    const decided = gate.verdictOf(toolUseId);
    const askVerdict = decided?.verdict === "ask" ? decided : undefined;
    const id = requestIds.claim(toolUseId, (taken) => state().settled.has(taken));
    const deny = (message: string): void =>
      replies.reply(id, { behavior: "deny", message, interrupt: false });
    log("output", { type: "permission_request", toolUseId, tool, input });
    return new Promise<PermissionResult>((resolve) => {
      replies.add(id, (reply: Reply) => {
        log("input", { type: "permission_reply", toolUseId, ...reply });
        resolve(toPermissionResult(reply, tool));
      });
      signal.addEventListener("abort", () => {
        // If the process has exited, its exit settles the request.
        if (!hasExited()) dispatch({ type: "withdrawn", requestId: id });
        deny(WITHDRAWN);
      });
      if (signal.aborted || state().mode === "dontAsk") {
        deny(signal.aborted ? WITHDRAWN : "This mode never asks, so the call is denied.");
        return;
      }
      dispatch({
        type: "asked",
        request: {
          kind: requestKindOf({ toolName: tool }),
          toolUseId,
          requestId: id === toolUseId ? undefined : id,
          tool,
          input,
          reason:
            (askVerdict === undefined ? decisionReason : askVerdict.reason) ?? "Claude Code asks for this.",
          rule: askVerdict?.rule ?? null,
          agentId: agentID ?? null,
          agentType: decided?.agentType ?? null,
          sinceIso: nowIso(),
        },
      });
    });
  };
}

const WITHDRAWN = "The request was withdrawn.";
