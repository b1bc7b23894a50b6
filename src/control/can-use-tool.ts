import { requestKindOf } from "../agents/tool-call.ts";
import type { RequestIds } from "./claim-request-id.ts";
import type { DrivenInput, Reply } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { Gate } from "./gate.ts";
import type { OpenReplies } from "./open-replies.ts";
import type { Options, PermissionResult } from "./sdk-door.ts";
import { toPermission } from "./session-options.ts";

export interface AskOptions {
  readonly requestIds: RequestIds;
  readonly replies: OpenReplies;
  readonly gate: Pick<Gate, "decided">;
  readonly state: () => Driven;
  readonly take: (input: DrivenInput) => void;
  /** Whether the agent's process has ended. */
  readonly isGone: () => boolean;
  readonly log: (direction: "input" | "output", data: unknown) => void;
  readonly nowIso: () => string;
}

type CanUseTool = NonNullable<Options["canUseTool"]>;

/** Waits for a person, without a limit, until they answer or the agent takes it back. */
export function createCanUseTool(options: AskOptions): CanUseTool {
  const { requestIds, replies, gate, state, take, isGone, log, nowIso } = options;
  return (tool, input, { toolUseID: toolUseId, signal, agentID, decisionReason }) => {
    const decided = gate.decided(toolUseId);
    const asked = decided?.verdict === "ask" ? decided : undefined;
    const id = requestIds.claim(toolUseId, (taken) => state().settled.has(taken));
    const deny = (message: string): void =>
      replies.reply(id, { behavior: "deny", message, interrupt: false });
    log("output", { type: "permission_request", toolUseId, tool, input });
    return new Promise<PermissionResult>((resolve) => {
      replies.add(id, (reply: Reply) => {
        log("input", { type: "permission_reply", toolUseId, ...reply });
        resolve(toPermission(reply, tool));
      });
      signal.addEventListener("abort", () => {
        // With the process gone its end settles it.
        if (!isGone()) take({ type: "withdrawn", requestId: id });
        deny(WITHDRAWN);
      });
      if (signal.aborted || state().mode === "dontAsk") {
        deny(signal.aborted ? WITHDRAWN : "Nobody is asked in this mode.");
        return;
      }
      take({
        type: "asked",
        request: {
          kind: requestKindOf({ toolName: tool }),
          toolUseId,
          requestId: id === toolUseId ? undefined : id,
          tool,
          input,
          reason: (asked === undefined ? decisionReason : asked.reason) ?? "Claude Code asks for it.",
          rule: asked?.rule ?? null,
          agentId: agentID ?? null,
          agentType: decided?.agentType ?? null,
          sinceIso: nowIso(),
        },
      });
    });
  };
}

const WITHDRAWN = "The request was withdrawn.";
