import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import type { MayRecord } from "./recording-rules.ts";
import { redactEvent } from "./redact-event.ts";

/** What of a prompt must be known while its turn goes on. */
export interface PromptMemory {
  /** A prompt was told under this id. */
  readonly isAnnounced: boolean;
  readonly isPrivate: boolean;
  readonly slash: HooklineEvent | undefined;
}

export interface Acceptor {
  /** Makes of translated events what may stand in the log, in the same order. */
  accept(events: readonly NewEvent[]): HooklineEvent[];
}

export interface AcceptOptions {
  readonly mayRecord: MayRecord;
  /** What earlier runs knew of a prompt. */
  readonly recall: (promptId: string) => PromptMemory | undefined;
}

const NOTHING: PromptMemory = { isAnnounced: false, isPrivate: false, slash: undefined };
const MOST = 10_000;

export function createAcceptor(options: AcceptOptions): Acceptor {
  const prompts = new Map<string, PromptMemory>();
  /** Sessions in which a private prompt waits for its turn, whose id nobody will announce. */
  const waiting = new Set<string>();

  const memory = (promptId: string): PromptMemory =>
    prompts.get(promptId) ?? options.recall(promptId) ?? NOTHING;

  const remember = (promptId: string, known: PromptMemory): PromptMemory => {
    if (prompts.size >= MOST) prompts.clear();
    prompts.set(promptId, known);
    return known;
  };

  const acceptPrompt = (event: NewEvent): HooklineEvent[] => {
    const isPrivate = isWhollyPrivate(String(event["prompt"] ?? ""));
    const promptId = event.promptId ?? undefined;
    if (promptId !== undefined) {
      const known = memory(promptId);
      if (isPrivate && known.isAnnounced) waiting.add(event.sessionId);
      remember(promptId, { ...known, isAnnounced: true, isPrivate: known.isPrivate || isPrivate });
    }
    return [isPrivate ? withoutContent(event) : redactEvent(event)];
  };

  const acceptOne = (event: NewEvent): HooklineEvent[] => {
    if (!options.mayRecord(event)) return [];
    if (event.eventType === "turn.start") return acceptPrompt(event);
    const promptId = event.promptId ?? undefined;
    if (promptId === undefined) return [redactEvent(event)];
    let known = memory(promptId);
    if (!known.isAnnounced && waiting.has(event.sessionId)) known = { ...known, isPrivate: true };
    if (known.isPrivate) {
      remember(promptId, known);
      return [withoutContent(event)];
    }
    const isSlash = event.id === factId("slash", promptId, "in_progress");
    remember(promptId, isSlash ? { ...known, slash: redactEvent(event) } : known);
    return [redactEvent(event), ...endOfSlash(event, known)];
  };

  return { accept: (events) => events.flatMap(acceptOne) };
}

/** A skill that a person called by a slash command is done when its turn is. */
function endOfSlash(event: NewEvent, known: PromptMemory): HooklineEvent[] {
  const isEnd = event.eventType === "turn.end" || event.eventType === "turn.failed";
  if (!isEnd || known.slash === undefined || event.agentId != null) return [];
  const { v, sessionId, provider, projectPath, cwd, promptId, transcriptPath, origin, occurredAtIso } = event;
  const { skillName, triggerCommand, targetDocPath } = known.slash;
  return [
    {
      v,
      id: factId("slash", promptId!, "completed"),
      eventType: "skill.lifecycle",
      phase: "completed",
      occurredAtIso,
      sessionId,
      provider,
      projectPath,
      cwd,
      promptId,
      transcriptPath,
      origin,
      skillName,
      triggerCommand,
      turnSeq: null,
      targetDocPath: targetDocPath ?? null,
    },
  ];
}
