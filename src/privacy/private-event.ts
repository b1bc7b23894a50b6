import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { LEADING } from "../event/line.ts";

/** What stays of an event whose prompt is wholly private: that it was, when and where, but nothing of what. */
export function withoutContent(event: HooklineEvent): HooklineEvent {
  const bare = Object.fromEntries(Object.entries(event).filter(([key]) => KEPT.has(key))) as HooklineEvent;
  bare["private"] = true;
  if (event.payload !== undefined) {
    const { toolName, toolKind, durationMs, success } = event.payload;
    bare.payload = {
      toolName,
      ...(toolKind !== undefined && { toolKind }),
      toolInput: null,
      durationMs,
      success,
    };
  }
  // Why a session ended is one of a few words; why a call was denied may tell what it was.
  if (event.eventType === "session.lifecycle" && event["reason"] !== undefined)
    bare["reason"] = event["reason"];
  // A skill's row needs its name; its arguments are content.
  if (event.eventType === "skill.lifecycle") bare["skillName"] = event["skillName"];
  // Which request was held and what ended that, so that nobody is asked for what is answered; not what was said.
  if (event.eventType === "control.card" && isPlainObject(event["card"])) {
    const { cardId, by, blocking } = event["card"];
    bare["card"] = { cardId, ...(by !== undefined && { by }), ...(blocking !== undefined && { blocking }) };
  }
  return bare;
}

const KEPT = new Set([
  ...LEADING,
  "mergedFrom",
  "machine",
  "batchKey",
  "batchIndex",
  "source",
  "trigger",
  "toolName",
  "toolKind",
  "permissionId",
  "permissionMode",
  "agentType",
  "effort",
  "pid",
  "model",
  "messageId",
  "usage",
  "stopReason",
  "notificationType",
  "name",
]);
