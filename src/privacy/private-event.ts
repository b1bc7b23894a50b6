import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { LEADING_KEYS } from "../event/line.ts";

/**
 * What remains of an event whose prompt is wholly private: that it happened, when and where; no content.
 */
export function withoutContent(event: HooklineEvent): HooklineEvent {
  const bare = Object.fromEntries(
    Object.entries(event).filter(([key]) => RETAINED_KEYS.has(key)),
  ) as HooklineEvent;
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
  // A session's end has one of a few fixed reasons; the reason for a denied call may reveal what it was.
  if (event.eventType === "session.lifecycle" && event["reason"] !== undefined)
    bare["reason"] = event["reason"];
  // A skill's row needs its name; its arguments are content.
  if (event.eventType === "skill.lifecycle") bare["skillName"] = event["skillName"];
  // Which request was held and what settled it, so that an answered request is not offered again; no
  // content.
  if (event.eventType === "control.card" && isPlainObject(event["card"])) {
    const { cardId, by, blocking } = event["card"];
    bare["card"] = { cardId, ...(by !== undefined && { by }), ...(blocking !== undefined && { blocking }) };
  }
  return bare;
}

const RETAINED_KEYS = new Set([
  ...LEADING_KEYS,
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
