import type { AgentId } from "./hook-delivery.ts";
import type { ToolForm } from "./tool-table.ts";

/**
 * How an agent is answered at a hook that waits, and what it asked there. An agent without one is only watched.
 * Stages say what they mean as a `HookReply`; the words are the agent's.
 */
export interface AnswerFormat {
  /** What the agent calls the moments at which it can be answered. */
  readonly events: HookMoments;
  /** What a payload asks; null when it names neither its event nor its session. */
  read(payload: unknown): HookAsk | null;
  /** What the hook of that event prints, as JSON. */
  write(event: string, reply: HookReply): object;
  /** What such a print says; the other way round. */
  parse(output: unknown): HookReply;
}

export interface HookMoments {
  /** A session begins or is taken up again. */
  readonly start: string;
  /** A prompt is about to be sent. */
  readonly prompt: string;
  /** A tool is about to be called. */
  readonly call: string;
  /** A person is asked for leave. */
  readonly permission: string;
}

export interface HookAsk {
  /** The agent that asks. */
  readonly provider: AgentId;
  /** As the agent calls it. */
  readonly event: string;
  /** Null for one at which nothing but what rules say can be answered. */
  readonly moment: keyof HookMoments | null;
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly promptId: string | null;
  readonly prompt: string | null;
  readonly toolName: string | null;
  /** What the tool works like, by the agent's own table; null where no tool is named. */
  readonly toolForm: ToolForm | null;
  readonly toolInput: unknown;
  /** The one file that the input names. */
  readonly file: string | null;
  readonly toolUseId: string | null;
  readonly mode: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  /** The agent's last words, where it is about to stop. */
  readonly answer: string | null;
  /** How a session began, why it ended, who had it compacted. */
  readonly source: string | null;
  /** What a notification says. */
  readonly message: string | null;
  readonly transcriptPath: string | null;
  /** The turn goes on only because a hook did not let it end before. */
  readonly isHeldUp: boolean;
  /** All of it, as it came. */
  readonly payload: unknown;
}

type Input = Readonly<Record<string, unknown>>;

export interface HookReply {
  /** Whether the call may run. Without it the agent's own mode decides. */
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
      /** Calls like this one are not asked about again in this session. */
      readonly allowRule?: { readonly toolName: string; readonly ruleContent?: string };
      /** The session goes on in this mode. */
      readonly mode?: string;
    }
  | {
      readonly behavior: "deny";
      readonly message: string;
      /** The turn ends, too. */
      readonly interrupt?: boolean;
    };

/** Two replies to one hook made one: what blocks stands alone, what is said to the model is joined. */
export function joinReplies(first: HookReply | null, second: HookReply | null): HookReply | null {
  if (first === null || second === null) return first ?? second;
  if (first.block !== undefined) return first;
  if (second.block !== undefined) return second;
  const contexts = [first, second].flatMap(({ context }) => context ?? []);
  return { ...first, ...second, ...(contexts.length > 0 && { context: contexts.join("\n\n") }) };
}
