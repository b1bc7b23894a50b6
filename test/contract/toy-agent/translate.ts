import type { HookDelivery, ProjectOf } from "../../../src/agents/hook-delivery.ts";
import { asObject, type Json, nonEmpty } from "../../../src/agents/read-json.ts";
import type { EventStamp, NewEvent } from "../../../src/event/event.ts";
import { callFactId, contentHash, deliveryId, factId } from "../../../src/event/ids.ts";
import { tools } from "./tools.ts";

export function translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[] {
  const fields = asObject(delivery.payload);
  const sessionId = nonEmpty(fields, "run") ?? "unknown";
  const eventName = nonEmpty(fields, "what") ?? "unknown";
  const stamp = {
    ...stampOf(fields, delivery.occurredAtIso, projectOf, "hook"),
    pid: delivery.pid ?? undefined,
  };
  const fact = factOf(fields, eventName, stamp);
  if (fact !== null) return [fact];
  const toEvents = (eventType: string, fields: Json): NewEvent[] => [
    { ...stamp, id: deliveryId({ ...delivery, sessionId, eventName }, eventType), eventType, ...fields },
  ];
  switch (eventName) {
    case "begin":
      return toEvents("session.lifecycle", { phase: "started", source: "startup" });
    case "end":
      return toEvents("session.lifecycle", { phase: "ended", reason: nonEmpty(fields, "why") });
    case "done":
      return toEvents("turn.end", { lastAssistantMessage: nonEmpty(fields, "text") });
    default:
      return toEvents("agent.event", { name: eventName, data: delivery.payload });
  }
}

/** A fact that hooks and transcripts both report, with the same id from both. */
export function factOf(fields: Json, what: string, stamp: EventStamp): NewEvent | null {
  const { provider, sessionId } = stamp;
  const toolUseId = nonEmpty(fields, "call");
  const text = nonEmpty(fields, "text");
  if (what === "ask" && text !== undefined) {
    const promptId = stamp.promptId ?? `${provider}-${sessionId}-${contentHash(text)}`;
    return { ...stamp, id: factId("prompt", promptId), eventType: "turn.start", promptId, prompt: text };
  }
  if ((what !== "do" && what !== "did") || toolUseId === undefined) return null;
  const isEnd = what === "did";
  const toolName = nonEmpty(fields, "tool") ?? "unknown";
  const payload = {
    toolName,
    toolKind: tools.kindOf(toolName),
    subject: tools.subjectOf(toolName, fields["with"]) ?? undefined,
    toolInput: fields["with"],
    ...(isEnd && { toolOutput: nonEmpty(fields, "gave"), success: fields["failed"] !== true }),
  };
  return {
    ...stamp,
    id: callFactId({ provider, sessionId, toolUseId }, isEnd ? "end" : "start"),
    eventType: isEnd ? "tool_observation" : "tool.start",
    toolUseId,
    payload,
  };
}

export function stampOf(
  fields: Json,
  occurredAtIso: string,
  projectOf: ProjectOf,
  origin: EventStamp["origin"],
): EventStamp {
  const cwd = nonEmpty(fields, "dir") ?? null;
  const sessionId = nonEmpty(fields, "run") ?? "unknown";
  const turn = nonEmpty(fields, "turn");
  const promptId = turn === undefined ? undefined : `toy-${sessionId}-${turn}`;
  return {
    v: 1,
    promptId,
    occurredAtIso,
    sessionId,
    provider: "toy",
    projectPath: projectOf(cwd),
    cwd,
    origin,
  };
}
