import { redactEvent } from "../capture/redact-event.ts";
import type { HooklineEvent } from "../event/event.ts";
import { withoutContent } from "../privacy/private-event.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";

/**
 * Redacts again what is read from the log: another program, or a version with weaker rules, may have written
 * the line. What capture already redacted stays as it is.
 */
export function redactAgain(event: HooklineEvent): HooklineEvent {
  const { eventType, prompt } = event;
  const isPrivate = eventType === "turn.start" && typeof prompt === "string" && isWhollyPrivate(prompt);
  return isPrivate ? withoutContent(event) : redactEvent(event);
}
