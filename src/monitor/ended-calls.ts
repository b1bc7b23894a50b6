import { isDeniedCall } from "../agents/denied-call.ts";
import { type HooklineEvent, ORIGINS } from "../event/event.ts";
import type { SessionView } from "./session-view.ts";

/** Certainty of the source times three, plus the result. A more certain source overrides. */
const RESULTS = [true, false, null] as const;
const FAILED = RESULTS.indexOf(false);
/** It never ran, whatever else is reported: neither success nor failure. */
const REFUSED = 60 + RESULTS.indexOf(null);

/** Records the end of a call, and counts it if it failed. */
export function recordCallEnd(view: SessionView, toolUseId: string, event: HooklineEvent): void {
  const ended = isDeniedCall(event) ? REFUSED : toCode(event);
  const known = view.endedCalls.get(toolUseId);
  if (known !== undefined && certainty(ended) <= certainty(known)) return;
  view.endedCalls.set(toolUseId, ended);
  view.failedCalls += (isFailed(ended) ? 1 : 0) - (known !== undefined && isFailed(known) ? 1 : 0);
}

function toCode({ origin, payload }: HooklineEvent): number {
  // A batch only suggests that a call without its own end failed.
  const sure = origin === "batch" ? 0 : 1 + ORIGINS.indexOf(origin);
  return 3 * sure + RESULTS.indexOf(payload?.success ?? null);
}

function certainty(ended: number): number {
  return Math.floor(ended / 3);
}

function isFailed(ended: number): boolean {
  return ended % 3 === FAILED;
}
