import { isDeniedCall } from "../agents/denied-call.ts";
import { type HooklineEvent, ORIGINS } from "../event/event.ts";
import type { SessionView } from "./session-view.ts";

/**
 * The code of an ended call is 3 × the certainty of its source + an index into RESULTS. A more certain
 * source overrides.
 */
const RESULTS = [true, false, null] as const;
const FAILED = RESULTS.indexOf(false);
/** A refused call never ran, whatever else is reported: it neither succeeded nor failed. */
const REFUSED = 60 + RESULTS.indexOf(null);

/** Records the end of a call, and counts it if it failed. */
export function recordCallEnd(view: SessionView, toolUseId: string, event: HooklineEvent): void {
  const code = isDeniedCall(event) ? REFUSED : toCode(event);
  const knownCode = view.endedCalls.get(toolUseId);
  if (knownCode !== undefined && certainty(code) <= certainty(knownCode)) return;
  view.endedCalls.set(toolUseId, code);
  view.failedCalls += (isFailed(code) ? 1 : 0) - (knownCode !== undefined && isFailed(knownCode) ? 1 : 0);
}

function toCode({ origin, payload }: HooklineEvent): number {
  // A batch only suggests that a call without its own end failed.
  const sourceCertainty = origin === "batch" ? 0 : 1 + ORIGINS.indexOf(origin);
  return 3 * sourceCertainty + RESULTS.indexOf(payload?.success ?? null);
}

function certainty(code: number): number {
  return Math.floor(code / 3);
}

function isFailed(code: number): boolean {
  return code % 3 === FAILED;
}
