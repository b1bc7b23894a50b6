import { isDeniedCall } from "../../agents/denied-call.ts";
import { kindOfCall } from "../../agents/tool-call.ts";
import type { Call, CallStatus } from "../conversation/entry.ts";
import { type Fields, fieldsOf, numberOf, type SessionEvent, textOf, timeOf } from "./session-event.ts";

interface Pair {
  start?: SessionEvent;
  end?: SessionEvent;
  asked?: boolean;
  denied?: boolean;
}

/** Starts and ends are paired by the call's id; either may be missing, and may come first. */
export function pairCalls(events: readonly SessionEvent[], isLive: boolean): Call[] {
  const pairs = new Map<string, Pair>();
  const pairOf = (key: string): Pair => {
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const pair: Pair = {};
    pairs.set(key, pair);
    return pair;
  };
  const turnEnds = new Map<string, number>();
  let lastMs = 0;
  for (const event of events) {
    const atMs = timeOf(event);
    lastMs = Math.max(lastMs, atMs);
    const { eventType, phase, toolUseId, promptId } = event;
    if (eventType === "tool.start") pairOf(toolUseId ?? event.id).start ??= event;
    else if (eventType === "tool_observation") pairOf(toolUseId ?? event.id).end = event;
    else if (eventType === "permission" && typeof toolUseId === "string")
      Object.assign(pairOf(toolUseId), phase === "denied" ? { denied: true } : { asked: true });
    else if (
      eventType === "control.envelope" &&
      phase === "permission.request" &&
      typeof toolUseId === "string"
    )
      pairOf(toolUseId).asked = true;
    else if ((eventType === "turn.end" || eventType === "turn.failed") && typeof promptId === "string")
      turnEnds.set(promptId, atMs);
    else if (eventType === "session.lifecycle" && phase === "ended") turnEnds.set("", atMs);
  }
  return [...pairs]
    .filter(([, { start, end }]) => start !== undefined || end !== undefined)
    .map(([key, pair]) => toCall(key, pair, { isLive, lastMs, turnEnds }))
    .sort((a, b) => a.startMs - b.startMs);
}

interface PairingContext {
  readonly isLive: boolean;
  readonly lastMs: number;
  readonly turnEnds: ReadonlyMap<string, number>;
}

function toCall(key: string, pair: Pair, context: PairingContext): Call {
  const { start, end } = pair;
  const latest = (end ?? start)!;
  const payload = fieldsOf(latest["payload"]);
  const startPayload = fieldsOf(start?.["payload"]);
  const toolName = textOf(payload["toolName"]) ?? startPayload["toolName"];
  const endMs = end === undefined ? null : timeOf(end);
  const durationMs = numberOf(payload["durationMs"]) ?? 0;
  const startMs = Math.min(
    start === undefined ? timeOf(latest) - durationMs : timeOf(start),
    endMs ?? Number.POSITIVE_INFINITY,
  );
  const promptId = latest.promptId ?? start?.promptId ?? null;
  const cutoffMs = context.turnEnds.get(promptId ?? "") ?? (context.isLive ? null : context.lastMs);
  const isUnfinished = end === undefined && cutoffMs !== null && cutoffMs >= startMs;
  return {
    key,
    toolName: textOf(toolName) ?? "?",
    kind: kindOfCall({
      toolName: textOf(toolName),
      toolKind: payload["toolKind"] ?? startPayload["toolKind"],
    }),
    subject: textOf(payload["subject"]) ?? textOf(startPayload["subject"]),
    input: payload["toolInput"] ?? startPayload["toolInput"] ?? null,
    output: textOf(payload["toolOutput"]),
    error: textOf(payload["errorMessage"]),
    patch: payload["structuredPatch"] ?? null,
    metadata: fieldsOf(payload["metadata"] ?? startPayload["metadata"]),
    status: statusOf(pair, payload, isUnfinished),
    startMs,
    endMs: endMs ?? (isUnfinished ? cutoffMs : null),
    agentId: latest.agentId ?? start?.agentId ?? null,
    promptId,
    asked: pair.asked ?? false,
  };
}

function statusOf({ end, denied }: Pair, payload: Fields, isUnfinished: boolean): CallStatus {
  if (denied || (end !== undefined && isDeniedCall(end))) return "denied";
  if (end === undefined) return isUnfinished ? "unfinished" : "running";
  if (end["interrupted"] === true) return "interrupted";
  return payload["success"] === false ? "failed" : "ok";
}
