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
  const labels = new Map<string, string>();
  for (const event of events) {
    const { agentId, eventType, phase } = event;
    if (typeof agentId !== "string") continue;
    const known = agents.get(agentId);
    const atMs = timeOf(event);
    const isLifecycle = eventType === "subagent.lifecycle";
    // Prefer the task as label: it distinguishes subagents of the same type.
    const description = isLifecycle ? textOf(event["description"]) : null;
    if (description !== null) labels.set(agentId, description);
    else if (!labels.has(agentId)) {
      const type = textOf(event["agentType"]);
      if (type !== null) labels.set(agentId, type);
    }
    agents.set(agentId, {
      agentId,
      label: labels.get(agentId) ?? agentId.slice(0, 8),
      parentCall: (isLifecycle ? textOf(event["parentToolUseId"]) : null) ?? known?.parentCall ?? null,
      startMs: Math.min(known?.startMs ?? atMs, atMs),
      endMs: isLifecycle && phase === "stopped" ? atMs : (known?.endMs ?? null),
    });
  }
  return [...agents.values()].sort((a, b) => a.startMs - b.startMs);
}
