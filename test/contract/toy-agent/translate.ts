import type { HookDelivery, ProjectOf } from "../../../src/agents/hook-delivery.ts";
import { asObject, type Json, nonEmpty } from "../../../src/agents/read-json.ts";
import type { EventStamp, NewEvent } from "../../../src/event/event.ts";
import { callFactId, contentHash, deliveryId, factId } from "../../../src/event/ids.ts";
import { tools } from "./tools.ts";

export function translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[] {
  const told = asObject(delivery.payload);
  const sessionId = nonEmpty(told, "run") ?? "unknown";
  const eventName = nonEmpty(told, "what") ?? "unknown";
  const stamp = {
    ...stampOf(told, delivery.occurredAtIso, projectOf, "hook"),
    pid: delivery.pid ?? undefined,
  };
  const fact = factOf(told, eventName, stamp);
  if (fact !== null) return [fact];
  const by = (eventType: string, fields: Json): NewEvent[] => [
    { ...stamp, id: deliveryId({ ...delivery, sessionId, eventName }, eventType), eventType, ...fields },
  ];
  switch (eventName) {
    case "begin":
      return by("session.lifecycle", { phase: "started", source: "startup" });
    case "end":
      return by("session.lifecycle", { phase: "ended", reason: nonEmpty(told, "why") });
    case "done":
      return by("turn.end", { lastAssistantMessage: nonEmpty(told, "text") });
    default:
      return by("agent.event", { name: eventName, data: delivery.payload });
  }
}

/** What a hook and a transcript both tell, with an id that both give it. */
export function factOf(told: Json, what: string, stamp: EventStamp): NewEvent | null {
  const { provider, sessionId } = stamp;
  const toolUseId = nonEmpty(told, "call");
  const text = nonEmpty(told, "text");
  if (what === "ask" && text !== undefined) {
    const promptId = stamp.promptId ?? `${provider}-${sessionId}-${contentHash(text)}`;
    return { ...stamp, id: factId("prompt", promptId), eventType: "turn.start", promptId, prompt: text };
  }
  if ((what !== "do" && what !== "did") || toolUseId === undefined) return null;
  const isEnd = what === "did";
  const toolName = nonEmpty(told, "tool") ?? "unknown";
  const payload = {
    toolName,
    toolKind: tools.kindOf(toolName),
    subject: tools.subjectOf(toolName, told["with"]) ?? undefined,
    toolInput: told["with"],
    ...(isEnd && { toolOutput: nonEmpty(told, "gave"), success: told["failed"] !== true }),
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
  told: Json,
  occurredAtIso: string,
  projectOf: ProjectOf,
  origin: EventStamp["origin"],
): EventStamp {
  const cwd = nonEmpty(told, "dir") ?? null;
  const sessionId = nonEmpty(told, "run") ?? "unknown";
  const turn = nonEmpty(told, "turn");
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
