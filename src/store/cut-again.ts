import { redactEvent } from "../capture/redact-event.ts";
import type { HooklineEvent } from "../event/event.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";

/**
 * Cuts private parts and masks secrets once more in what is read from the log: another program may have written the
 * line, or a version whose rules knew less. What capture has cut stays as it is.
 */
export function cutAgain(event: HooklineEvent): HooklineEvent {
  const { eventType, prompt } = event;
  const isPrivate = eventType === "turn.start" && typeof prompt === "string" && isWhollyPrivate(prompt);
  return isPrivate ? withoutContent(event) : redactEvent(event);
}
