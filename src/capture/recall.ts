import type { PromptReader } from "../agents/prompt-reader.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { type CallIdentity, callKey, factId } from "../event/ids.ts";
import type { DatedGuard } from "../privacy/forgotten-text.ts";

/** What must be known of a prompt while its turn runs. */
export interface KnownPrompt {
  /** The prompts (event ids) reported under this id. */
  readonly eventIds: readonly string[];
  readonly isPrivate: boolean;
  readonly slashCommand: HooklineEvent | undefined;
  /** The end of its turn, if it came before the slash command it ends. */
  readonly turnEnd?: TurnEnd | undefined;
}

/** What a slash command's end copies from its turn's end. No text: thousands of prompts are in memory. */
export type TurnEnd = Pick<NewEvent, (typeof TURN_END_KEYS)[number]>;

export const TURN_END_KEYS = [
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
  /** Calls that may belong to a private turn. */
  readonly calls: readonly CallIdentity[];
  /** Facts that must not come back if they were forgotten. */
  readonly factIds: readonly string[];
  readonly sessionIds: readonly string[];
}

export interface RecallResult {
  /** Unknown prompts are omitted. */
  readonly prompts: ReadonlyMap<string, KnownPrompt>;
  /** Those of the queried calls, by `callKey`, that belong to private turns. */
  readonly hiddenCalls: ReadonlySet<string>;
  /** Undefined until something was first forgotten. */
  readonly tombstones: Tombstones | undefined;
}

/** What must not come back from any source. */
export interface Tombstones {
  hasFact(id: string): boolean;
  /** The time up to which the session's events are forgotten. */
  session(sessionId: string): string | undefined;
  guards(): readonly DatedGuard[];
}

export const EMPTY_RECALL: RecallResult = {
  prompts: new Map(),
  hiddenCalls: new Set(),
  tombstones: undefined,
};

/** What must be known before these events can be accepted. */
export function toRecallQuery(
  events: readonly NewEvent[],
  options: {
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
    if (promptId != null && !options.isKnown(promptId)) promptIds.add(promptId);
    if (promptId != null && (isEndOfTurn(event) || isSlashCommandStart(event, promptId)))
      factIds.add(slashCommandEndId(promptId));
    if (event.eventType !== "turn.start" || event["machine"] !== true) continue;
    const toolUseId = options.reportedCall?.(String(event["prompt"] ?? ""));
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

export function isSlashCommandStart(event: NewEvent, promptId: string): boolean {
  if (event.eventType !== "skill.lifecycle" || event.phase !== "in_progress") return false;
  return event.id === factId("slash", promptId, "in_progress");
}

export function isEndOfTurn(event: NewEvent): boolean {
  return (event.eventType === "turn.end" || event.eventType === "turn.failed") && event.agentId == null;
}

/** A slash command's end is reported with the end of its turn. */
export function slashCommandEndId(promptId: string): string {
  return factId("slash", promptId, "completed");
}
