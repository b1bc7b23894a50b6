import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { slashCommandEndId, TURN_END_KEYS, type TurnEnd } from "./recall.ts";

export function toTurnEnd(event: NewEvent): TurnEnd {
  return Object.fromEntries(TURN_END_KEYS.map((key) => [key, event[key]])) as TurnEnd;
}

/** A skill that the user invoked by a slash command ends with its turn. */
export function slashCommandEnd(end: TurnEnd, start: HooklineEvent): HooklineEvent {
  const { v, sessionId, provider, projectPath, cwd, promptId, transcriptPath, origin, occurredAtIso } = end;
  const { skillName, triggerCommand, targetDocPath } = start;
  return {
    v,
    id: slashCommandEndId(promptId!),
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
