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

function toCall(key: string, pair: Pair, around: PairingContext): Call {
  const { start, end } = pair;
  const told = (end ?? start)!;
  const payload = fieldsOf(told["payload"]);
  const before = fieldsOf(start?.["payload"]);
  const toolName = textOf(payload["toolName"]) ?? before["toolName"];
  const endMs = end === undefined ? null : timeOf(end);
  const durationMs = numberOf(payload["durationMs"]) ?? 0;
  const startMs = Math.min(
    start === undefined ? timeOf(told) - durationMs : timeOf(start),
    endMs ?? Number.POSITIVE_INFINITY,
  );
  const promptId = told.promptId ?? start?.promptId ?? null;
  const cutMs = around.turnEnds.get(promptId ?? "") ?? (around.isLive ? null : around.lastMs);
  const isOver = end === undefined && cutMs !== null && cutMs >= startMs;
  return {
    key,
    toolName: textOf(toolName) ?? "?",
    kind: kindOfCall({ toolName: textOf(toolName), toolKind: payload["toolKind"] ?? before["toolKind"] }),
    subject: textOf(payload["subject"]) ?? textOf(before["subject"]),
    input: payload["toolInput"] ?? before["toolInput"] ?? null,
    output: textOf(payload["toolOutput"]),
    error: textOf(payload["errorMessage"]),
    patch: payload["structuredPatch"] ?? null,
    metadata: fieldsOf(payload["metadata"] ?? before["metadata"]),
    status: statusOf(pair, payload, isOver),
    startMs,
    endMs: endMs ?? (isOver ? cutMs : null),
    agentId: told.agentId ?? start?.agentId ?? null,
    promptId,
    asked: pair.asked ?? false,
  };
}

function statusOf({ end, denied }: Pair, payload: Fields, isOver: boolean): CallStatus {
  if (denied || (end !== undefined && isDeniedCall(end))) return "denied";
  if (end === undefined) return isOver ? "unfinished" : "running";
  if (end["interrupted"] === true) return "interrupted";
  return payload["success"] === false ? "failed" : "ok";
}
