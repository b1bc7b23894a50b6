import type { AgentId } from "./hook-delivery.ts";
import type { ToolForm } from "./tool-table.ts";

/**
 * How to parse an agent's blocking hooks and answer them. An agent without one is only watched. Stages return
 * a `HookReply`; each agent defines its own wire format.
 */
export interface AnswerFormat {
  /** The agent's names for the events that can be answered. */
  readonly events: HookMoments;
  /** Parses a payload; null if it names neither its event nor its session. */
  read(payload: unknown): HookAsk | null;
  /** Builds the JSON that the hook of that event prints. */
  write(event: string, reply: HookReply): object;
  /** The inverse of `write`. */
  parse(output: unknown): HookReply;
}

export interface HookMoments {
  /** A session starts or resumes. */
  readonly start: string;
  /** A prompt is about to be sent. */
  readonly prompt: string;
  /** A tool is about to be called. */
  readonly call: string;
  /** The user is asked for permission. */
  readonly permission: string;
}

export interface HookAsk {
  /** The agent that sent the hook. */
  readonly provider: AgentId;
  /** The agent's own event name. */
  readonly event: string;
  /** Null for an event that only rules can answer. */
  readonly moment: keyof HookMoments | null;
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly promptId: string | null;
  readonly prompt: string | null;
  readonly toolName: string | null;
  /** From the agent's own tool table; null if no tool is named. */
  readonly toolForm: ToolForm | null;
  readonly toolInput: unknown;
  /** The one file that the input names. */
  readonly file: string | null;
  readonly toolUseId: string | null;
  readonly mode: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  /** The agent's last message, when it is about to stop. */
  readonly answer: string | null;
  /** How a session started, why it ended, or what triggered a compaction. */
  readonly source: string | null;
  /** The text of a notification. */
  readonly message: string | null;
  readonly transcriptPath: string | null;
  /** The turn continues only because a hook kept it from ending before. */
  readonly isStopHookActive: boolean;
  /** The whole payload, unchanged. */
  readonly payload: unknown;
}

type Input = Readonly<Record<string, unknown>>;

export interface HookReply {
  /** Whether the call may run. Without it, the agent's own permission mode decides. */
  readonly call?: { readonly verdict: "allow" | "ask" | "deny"; readonly reason: string };
  /** The call runs with this input instead of its own. */
  readonly updatedInput?: Input;
  readonly permission?: PermissionReply;
  /** The prompt is not sent, or the turn does not end. */
  readonly block?: { readonly reason: string; readonly hidesPrompt?: boolean };
  /** For the model. */
  readonly context?: string;
  /** For the person. */
  readonly notice?: string;
}

export type PermissionReply =
  | {
      readonly behavior: "allow";
      readonly updatedInput?: Input;
      /** Similar calls are allowed without asking for the rest of the session. */
      readonly allowRule?: { readonly toolName: string; readonly ruleContent?: string };
      /** The session continues in this mode. */
      readonly mode?: string;
    }
  | {
      readonly behavior: "deny";
      readonly message: string;
      /** Also ends the turn. */
      readonly interrupt?: boolean;
    };

/** Merges two replies to one hook: a block overrides everything else, and context for the model is joined. */
export function mergeReplies(first: HookReply | null, second: HookReply | null): HookReply | null {
  if (first === null || second === null) return first ?? second;
  if (first.block !== undefined) return first;
  if (second.block !== undefined) return second;
  const contexts = [first, second].flatMap(({ context }) => context ?? []);
  return { ...first, ...second, ...(contexts.length > 0 && { context: contexts.join("\n\n") }) };
}
