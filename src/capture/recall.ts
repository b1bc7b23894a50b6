import type { PromptReader } from "../agents/prompt-reader.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { type CallIdentity, callKey, factId } from "../event/ids.ts";
import type { DatedGuard } from "../privacy/forgotten-text.ts";

/** What of a prompt must be known while its turn goes on. */
export interface PromptMemory {
  /** The prompts (their event ids) that were told under this id. */
  readonly told: readonly string[];
  readonly isPrivate: boolean;
  readonly slash: HooklineEvent | undefined;
  /** The end of its turn, when that came before the slash command it ends. */
  readonly end?: TurnEnd | undefined;
}

/** What the end of a slash command takes from the end of its turn. No text: prompts are remembered by the thousand. */
export type TurnEnd = Pick<NewEvent, (typeof OF_TURN)[number]>;

export const OF_TURN = [
  "v",
  "sessionId",
  "provider",
  "projectPath",
  "cwd",
  "promptId",
  "transcriptPath",
  "origin",
  "occurredAtIso",
] as const;

export interface RecallQuery {
  readonly promptIds: readonly string[];
  /** Calls of which it must be known whether they are of a private turn. */
  readonly calls: readonly CallIdentity[];
  /** What must not come back if it was forgotten. */
  readonly factIds: readonly string[];
  readonly sessionIds: readonly string[];
}

export interface Recalled {
  /** Prompts that nobody told of are left out. */
  readonly prompts: ReadonlyMap<string, PromptMemory>;
  /** Of the calls that were asked about, by `callKey`, those of private turns. */
  readonly hiddenCalls: ReadonlySet<string>;
  /** Undefined while nothing ever was forgotten. */
  readonly tombstones: Tombstones | undefined;
}

/** What must not come back, by whatever way. */
export interface Tombstones {
  hasFact(id: string): boolean;
  /** Until when what it told is forgotten. */
  session(sessionId: string): string | undefined;
  guards(): readonly DatedGuard[];
}

export const NOTHING_RECALLED: Recalled = {
  prompts: new Map(),
  hiddenCalls: new Set(),
  tombstones: undefined,
};
/** What has to be known before these events can be accepted. */
export function recallQuery(
  events: readonly NewEvent[],
  own: {
    readonly isKnown: (promptId: string) => boolean;
    readonly reportedCall: PromptReader["reportedCall"] | undefined;
  },
): RecallQuery {
  const promptIds = new Set<string>();
  const calls = new Map<string, CallIdentity>();
  const factIds = new Set<string>();
  const sessionIds = new Set<string>();
  for (const event of events) {
    const { promptId, provider, sessionId } = event;
    sessionIds.add(sessionId);
    factIds.add(event.id);
    if (promptId != null && !own.isKnown(promptId)) promptIds.add(promptId);
    if (promptId != null && (isEndOfTurn(event) || isSlash(event, promptId)))
      factIds.add(endOfSlashId(promptId));
    if (event.eventType !== "turn.start" || event["machine"] !== true) continue;
    const toolUseId = own.reportedCall?.(String(event["prompt"] ?? ""));
    if (toolUseId === undefined) continue;
    const call = { provider, sessionId, toolUseId };
    calls.set(callKey(call), call);
  }
  return {
    promptIds: [...promptIds],
    calls: [...calls.values()],
    factIds: [...factIds],
    sessionIds: [...sessionIds],
  };
}

export function isSlash(event: NewEvent, promptId: string): boolean {
  if (event.eventType !== "skill.lifecycle" || event.phase !== "in_progress") return false;
  return event.id === factId("slash", promptId, "in_progress");
}

export function isEndOfTurn(event: NewEvent): boolean {
  return (event.eventType === "turn.end" || event.eventType === "turn.failed") && event.agentId == null;
}

/** The end of a slash command is told with the end of its turn. */
export function endOfSlashId(promptId: string): string {
  return factId("slash", promptId, "completed");
}
