import type { HooklineEvent } from "../event/event.ts";
import type { Facts } from "../store/facts.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { checkInjection, type InjectionRules } from "./inject/injection-rules.ts";
import { fromItemRow } from "./resolve-item.ts";
import { toolFeedback } from "./tool-feedback.ts";

export interface FeedbackOptions {
  readonly rows: MemoryRows;
  readonly sessionEvents: Facts["sessionEvents"];
  readonly rules: () => InjectionRules;
  readonly nowMs: () => number;
}

const MAX_AGE_DAYS = 14;
const MAX_ITEMS = 500;
const MAX_EVENTS = 300;

/** A note for the agent about a call just stored; null when there is none, or injection is off. */
export async function findToolFeedback(
  options: FeedbackOptions,
  event: HooklineEvent,
): Promise<string | null> {
  if (event.eventType !== "tool_observation" || event["private"] === true) return null;
  const { rows, sessionEvents, nowMs } = options;
  const { sessionId } = event;
  const project = event.projectPath ?? (await rows.sessionRow(sessionId))?.project ?? null;
  const target = { kind: "prompt", project, sessionId } as const;
  if (project !== null && checkInjection(options.rules(), target).type === "no") return null;
  const before = Number.MAX_SAFE_INTEGER;
  const stored = await sessionEvents({ sessionId, after: 0, before, limit: MAX_EVENTS });
  const sinceIso = new Date(nowMs() - MAX_AGE_DAYS * 86_400_000).toISOString();
  const query = { project, kinds: ["observation"], sinceIso, limit: MAX_ITEMS };
  const items = project === null ? [] : (await rows.recentItems(query)).map(fromItemRow);
  return toolFeedback({ event, session: stored.map((row) => row.event), items });
}
