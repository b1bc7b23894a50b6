import { type SessionEvent, textOf, timeOf } from "./session-event.ts";

export interface Agent {
  readonly agentId: string;
  readonly label: string;
  readonly parentCall: string | null;
  readonly startMs: number;
  readonly endMs: number | null;
}

/** The subagents of a session, in the order of their beginning. */
export function readAgents(events: readonly SessionEvent[]): Agent[] {
  const agents = new Map<string, Agent>();
  for (const event of events) {
    const { agentId, eventType, phase } = event;
    if (typeof agentId !== "string") continue;
    const known = agents.get(agentId);
    const atMs = timeOf(event);
    const isLife = eventType === "subagent.lifecycle";
    const label = textOf(event["description"]) ?? textOf(event["agentType"]);
    agents.set(agentId, {
      agentId,
      label: (isLife ? label : null) ?? known?.label ?? label ?? agentId.slice(0, 8),
      parentCall: (isLife ? textOf(event["parentToolUseId"]) : null) ?? known?.parentCall ?? null,
      startMs: Math.min(known?.startMs ?? atMs, atMs),
      endMs: isLife && phase === "stopped" ? atMs : (known?.endMs ?? null),
    });
  }
  return [...agents.values()].sort((a, b) => a.startMs - b.startMs);
}
