import type { DrivenSession } from "./control-contract.ts";
import type { TokenUsage } from "./envelope.ts";
import type { ManagerState } from "./manager-events.ts";

/** One conversation of `ClaudeManager`, under the id that its caller chose. */
export interface Conversation {
  /** Id of the driven session, which is also Claude's id. */
  claudeSessionId: string;
  readonly startTime: number;
  state: ManagerState;
  partialText: string;
  /** Resolvers of messages that were sent but not answered yet, by message id. */
  readonly waiting: Map<string, () => void>;
  abortController: AbortController;
  detach: () => void;
}

/** The callers' view of a conversation. */
export interface ManagedSession {
  readonly claudeSessionId: string;
  /** Its `abort` stops the turn, like `stop`. */
  readonly abortController: AbortController;
  readonly state: { readonly type: string };
  readonly partialText: string;
  readonly startTime: number;
  readonly pendingTools: ReadonlyMap<string, string>;
  readonly usage: TokenUsage | null;
}

export interface PendingRequest {
  readonly sessionId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export function createConversation(claudeSessionId: string): Conversation {
  return {
    claudeSessionId,
    startTime: Date.now(),
    state: "idle",
    partialText: "",
    waiting: new Map(),
    abortController: new AbortController(),
    detach: () => undefined,
  };
}

export function toManagedSession(
  { claudeSessionId, startTime, partialText, abortController }: Conversation,
  driven: DrivenSession | undefined,
): ManagedSession {
  return {
    claudeSessionId,
    abortController,
    state: { type: driven?.state ?? "closed" },
    partialText,
    startTime,
    pendingTools: new Map(driven?.tools.map(({ toolUseId, tool }) => [toolUseId, tool])),
    usage: driven?.usage ?? null,
  };
}

export function resolveMessage({ waiting }: Conversation, messageId: string): void {
  waiting.get(messageId)?.();
  waiting.delete(messageId);
}
