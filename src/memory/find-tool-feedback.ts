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

const DAYS = 14;
const ITEMS = 500;
const EVENTS = 300;

/** A note for the agent about a call just stored; null when there is none, or injection is off. */
export async function findToolFeedback(
  options: FeedbackOptions,
  event: HooklineEvent,
): Promise<string | null> {
  if (event.eventType !== "tool_observation" || event["private"] === true) return null;
  const { rows, sessionEvents, nowMs } = options;
  const { sessionId } = event;
  const project = event.projectPath ?? (await rows.sessionRow(sessionId))?.project ?? null;
  const asker = { kind: "prompt", project, sessionId } as const;
  if (project !== null && checkInjection(options.rules(), asker).type === "no") return null;
  const before = Number.MAX_SAFE_INTEGER;
  const told = await sessionEvents({ sessionId, after: 0, before, limit: EVENTS });
  const sinceIso = new Date(nowMs() - DAYS * 86_400_000).toISOString();
  const query = { project, kinds: ["observation"], sinceIso, limit: ITEMS };
  const items = project === null ? [] : (await rows.recentItems(query)).map(fromItemRow);
  return toolFeedback({ event, session: told.map((row) => row.event), items });
}
