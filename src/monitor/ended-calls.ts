import { isRefused } from "../agents/refused-call.ts";
import { type HooklineEvent, ORIGINS } from "../event/event.ts";
import type { SessionView } from "./session-view.ts";

/** How sure the teller of an end is, times three, plus whether the call succeeded. A surer teller puts another right. */
const RESULTS = [true, false, null] as const;
const FAILED = RESULTS.indexOf(false);
/** It did not run, whatever else is told of it: that is neither success nor failure. */
const REFUSED = 60 + RESULTS.indexOf(null);

/** Notes the end of a call, and counts it when it failed. */
export function noteEnd(view: SessionView, toolUseId: string, event: HooklineEvent): void {
  const ended = isRefused(event) ? REFUSED : toCode(event);
  const known = view.endedCalls.get(toolUseId);
  if (known !== undefined && sureness(ended) <= sureness(known)) return;
  view.endedCalls.set(toolUseId, ended);
  view.failedCalls += (isFailed(ended) ? 1 : 0) - (known !== undefined && isFailed(known) ? 1 : 0);
}

function toCode({ origin, payload }: HooklineEvent): number {
  // A batch only suspects that a call without its own end failed.
  const sure = origin === "batch" ? 0 : 1 + ORIGINS.indexOf(origin);
  return 3 * sure + RESULTS.indexOf(payload?.success ?? null);
}

function sureness(ended: number): number {
  return Math.floor(ended / 3);
}

function isFailed(ended: number): boolean {
  return ended % 3 === FAILED;
}
