import { type SessionEvent, textOf, timeOf } from "./session-event.ts";

export interface Subagent {
  readonly agentId: string;
  readonly label: string;
  readonly parentCall: string | null;
  readonly startMs: number;
  readonly endMs: number | null;
}

/** The subagents of a session, in order of their start. */
export function readSubagents(events: readonly SessionEvent[]): Subagent[] {
  const agents = new Map<string, Subagent>();
  const named = new Map<string, string>();
  for (const event of events) {
    const { agentId, eventType, phase } = event;
    if (typeof agentId !== "string") continue;
    const known = agents.get(agentId);
    const atMs = timeOf(event);
    const isLife = eventType === "subagent.lifecycle";
    // Its task distinguishes it from others of its type, even at its end.
    const asked = isLife ? textOf(event["description"]) : null;
    if (asked !== null) named.set(agentId, asked);
    else if (!named.has(agentId)) {
      const type = textOf(event["agentType"]);
      if (type !== null) named.set(agentId, type);
    }
    agents.set(agentId, {
      agentId,
      label: named.get(agentId) ?? agentId.slice(0, 8),
      parentCall: (isLife ? textOf(event["parentToolUseId"]) : null) ?? known?.parentCall ?? null,
      startMs: Math.min(known?.startMs ?? atMs, atMs),
      endMs: isLife && phase === "stopped" ? atMs : (known?.endMs ?? null),
    });
  }
  return [...agents.values()].sort((a, b) => a.startMs - b.startMs);
}
