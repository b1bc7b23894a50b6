import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { endOfSlashId, OF_TURN, type TurnEnd } from "./recall.ts";

export function toTurnEnd(event: NewEvent): TurnEnd {
  return Object.fromEntries(OF_TURN.map((key) => [key, event[key]])) as TurnEnd;
}

/** A skill that a person called by a slash command is done when its turn is. */
export function endOfSlash(end: TurnEnd, slash: HooklineEvent): HooklineEvent {
  const { v, sessionId, provider, projectPath, cwd, promptId, transcriptPath, origin, occurredAtIso } = end;
  const { skillName, triggerCommand, targetDocPath } = slash;
  return {
    v,
    id: endOfSlashId(promptId!),
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
  };
}
