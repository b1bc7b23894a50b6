import type { NewEvent } from "../event/event.ts";
import { callKey } from "../event/ids.ts";

const MAX_CALLS = 10_000;

/** Trims a batch's report of calls already reported by their own hook: only the text the model saw is new. */
export function createBatchTrimmer(): (event: NewEvent) => NewEvent {
  const reportedCalls = new Set<string>();
  return (event) => {
    if (event.eventType !== "tool_observation" || event.toolUseId == null || event.payload === undefined)
      return event;
    const key = callKey({ ...event, toolUseId: event.toolUseId });
    if (event.origin === "hook") {
      if (reportedCalls.size >= MAX_CALLS) reportedCalls.clear();
      reportedCalls.add(key);
      return event;
    }
    if (event.origin !== "batch" || !reportedCalls.delete(key)) return event;
    const { toolName, toolOutput, success } = event.payload;
    return { ...event, payload: { toolName, toolInput: undefined, toolOutput, success } };
  };
}
