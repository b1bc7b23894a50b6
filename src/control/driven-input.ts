import type { EnvelopeBody, SettledBy, TokenUsage } from "./envelope.ts";

/**
 * Inputs of a driven session: the agent's messages in our own vocabulary, and what people and the driver do.
 * `from-sdk.ts` produces the former; nothing else knows the SDK's messages.
 */
export type DrivenInput = AgentInput | CommandInput | DriverInput;

type Body<Type extends EnvelopeBody["type"]> = Extract<EnvelopeBody, { readonly type: Type }>;

export type AgentInput =
  | Body<"init">
  | Body<"text">
  | Body<"tool.start">
  | Body<"tool.end">
  | Body<"retry">
  | Body<"task">
  | { readonly type: "activity"; readonly busy: boolean }
  | { readonly type: "answering" }
  | { readonly type: "delta"; readonly text: string }
  | {
      readonly type: "delivery";
      readonly messageId: string;
      readonly state: "queued" | "started" | "completed" | "cancelled";
    }
  | { readonly type: "agent.mode"; readonly mode: string }
  | { readonly type: "agent.result"; readonly result: AgentResult };

/** A result as the agent reports it: session totals so far; `mainLoopUsage` is this turn's main loop. */
export interface AgentResult {
  readonly subtype: string;
  readonly isError: boolean;
  readonly terminalReason: string | null;
  readonly apiStatus: number | null;
  readonly message: string | null;
  readonly durationMs: number;
  readonly numTurns: number;
  readonly totals: Totals;
  readonly mainLoopUsage: TokenUsage;
  readonly denials: readonly { readonly toolUseId: string; readonly tool: string }[];
  readonly messageIds: readonly string[];
}

export interface Totals {
  readonly costUsd: number;
  readonly models: Readonly<Record<string, ModelTotals>>;
}

export type ModelTotals = TokenUsage & { readonly costUsd: number };

export type CommandInput =
  | { readonly type: "send"; readonly message: OutgoingMessage; readonly interrupt: boolean }
  | { readonly type: "stop" }
  | { readonly type: "close"; readonly why: string }
  | { readonly type: "mode"; readonly mode: string; readonly by: string }
  | { readonly type: "model"; readonly model: string }
  | { readonly type: "answer"; readonly requestId: string; readonly answer: Settlement };

export interface OutgoingMessage {
  readonly messageId: string;
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly data: string }[];
  /** The lost request that it asks the agent to repeat. */
  readonly asksAgain?: string | undefined;
}

export type DriverInput =
  | { readonly type: "registered"; readonly by: string }
  | { readonly type: "opened" }
  /** What the agent spent before this process; `inherited` by a fork, which did not spend it itself. */
  | { readonly type: "baseline"; readonly totals: Totals; readonly inherited: boolean }
  | Body<"decision">
  | Body<"rewind">
  | Body<"error">
  | { readonly type: "asked"; readonly request: DrivenRequest }
  /** The agent withdrew its request. */
  | { readonly type: "withdrawn"; readonly requestId: string }
  | { readonly type: "stuck" }
  /** The process is gone; `error` says why if that was unexpected. */
  | { readonly type: "exit"; readonly error: { readonly code: string; readonly message: string } | null };

export interface DrivenRequest {
  readonly kind: "permission" | "question" | "plan";
  /** Set where it differs from the call's id, which another request already uses. */
  readonly requestId?: string | undefined;
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly rule: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly sinceIso: string;
}

/** An answer that has been validated against its request. */
export interface Settlement {
  readonly outcome: "allow" | "allowAll" | "deny" | "answered";
  readonly by: SettledBy;
  readonly who: string | null;
  readonly rule: string | null;
  readonly answers: Readonly<Record<string, string>> | null;
  readonly reply: Reply;
  /** For allowAll. */
  readonly scope: "exact" | "tool" | null;
  /** For a plan: the mode to carry it out in; null: the mode before the plan. */
  readonly mode: string | null;
}

/** The reply sent to the agent. */
export type Reply =
  | { readonly behavior: "allow"; readonly updatedInput: Readonly<Record<string, unknown>> }
  | { readonly behavior: "deny"; readonly message: string; readonly interrupt: boolean };

/** What the driver must do after a step. */
export type Effect =
  | { readonly type: "push"; readonly message: OutgoingMessage }
  | { readonly type: "interrupt"; readonly dropQueued: boolean }
  | { readonly type: "agentMode"; readonly mode: "default" | "plan" }
  | { readonly type: "agentModel"; readonly model: string }
  | { readonly type: "reply"; readonly requestId: string; readonly reply: Reply }
  | { readonly type: "stopTask"; readonly taskId: string }
  | { readonly type: "end" }
  | { readonly type: "kill" };
