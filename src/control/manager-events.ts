import type { DrivenState, Envelope, TokenUsage } from "./envelope.ts";
import { requestIdOf } from "./request-id.ts";

/** Events that `ClaudeManager` emits, under the names of its public API. */
export type ManagerEvent =
  | {
      readonly type: "init";
      readonly session_id: string;
      readonly model: string | null;
      readonly tools: readonly string[];
    }
  | {
      readonly type: "stateUpdate";
      readonly state: { readonly type: BusyState };
      readonly partialText: string;
    }
  | { readonly type: "text"; readonly content: string }
  | { readonly type: "textComplete"; readonly text: string }
  | { readonly type: "toolInfo"; readonly toolName: string; readonly input: unknown }
  | {
      readonly type: "toolComplete";
      readonly toolName: string;
      readonly success: boolean;
      readonly result: string | undefined;
      readonly error: string | undefined;
    }
  | PendingEvent
  | { readonly type: "state"; readonly state: ManagerState }
  | {
      readonly type: "result";
      /** `end_turn`, or why the turn did not complete. */
      readonly subtype: string;
      readonly duration_ms: number;
      readonly total_cost_usd: number;
      readonly num_turns: number;
      readonly usage: TokenUsage;
    }
  | { readonly type: "error"; readonly error: string };

export type PendingEvent =
  | { readonly type: "askQuestion"; readonly questions: readonly unknown[]; readonly toolUseId: string }
  | {
      readonly type: "permission_request";
      readonly toolName: string;
      readonly toolInput: unknown;
      readonly toolUseId: string;
    };

export type ManagerState = "working" | "idle" | "permission";
export type BusyState = "thinking" | "responding" | "tool";

/** Translates one envelope to manager events. `partialText` is the answer's text so far. */
export function toManagerEvents(envelope: Envelope, partialText: string): readonly ManagerEvent[] {
  switch (envelope.type) {
    case "init":
      return [
        { type: "init", session_id: envelope.claudeSessionId, model: envelope.model, tools: envelope.tools },
      ];
    case "state": {
      const type = BUSY_STATES[envelope.state];
      return type === undefined ? [] : [{ type: "stateUpdate", state: { type }, partialText }];
    }
    case "text.delta":
      return [{ type: "text", content: envelope.text }];
    case "text":
      return envelope.parent === null ? [{ type: "textComplete", text: envelope.text }] : [];
    case "tool.start":
      return [{ type: "toolInfo", toolName: envelope.tool, input: envelope.input }];
    case "tool.end":
      return [toComplete(envelope)];
    case "permission.request":
    case "question.request":
      return [toPendingEvent(envelope)];
    case "result":
      return [toResult(envelope)];
    case "error":
      return [{ type: "error", error: envelope.message }];
    default:
      return [];
  }
}

/** The three legacy states; anything before or after a turn is idle. */
export function toManagerState(state: DrivenState): ManagerState {
  if (state === "awaiting_permission" || state === "awaiting_answer") return "permission";
  return state === "idle" || state === "closed" ? "idle" : "working";
}

const BUSY_STATES: Readonly<Partial<Record<DrivenState, BusyState>>> = {
  thinking: "thinking",
  retrying: "thinking",
  responding: "responding",
  tool: "tool",
};

type Of<Type extends Envelope["type"]> = Extract<Envelope, { readonly type: Type }>;

function toPendingEvent(request: Of<"permission.request"> | Of<"question.request">): PendingEvent {
  const toolUseId = requestIdOf(request);
  if (request.type === "question.request")
    return { type: "askQuestion", questions: request.questions, toolUseId };
  return { type: "permission_request", toolName: request.tool, toolInput: request.input, toolUseId };
}

function toComplete({ tool, ok, output }: Of<"tool.end">): ManagerEvent {
  const outputFields = ok ? { result: output, error: undefined } : { result: undefined, error: output };
  return { type: "toolComplete", toolName: tool ?? "", success: ok, ...outputFields };
}

function toResult({ outcome, durationMs, totalCostUsd, numTurns, usage }: Of<"result">): ManagerEvent {
  return {
    type: "result",
    subtype: outcome === "completed" ? "end_turn" : outcome,
    duration_ms: durationMs,
    total_cost_usd: totalCostUsd,
    num_turns: numTurns,
    usage,
  };
}
