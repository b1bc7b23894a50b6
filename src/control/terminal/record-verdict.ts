import type { MayRecord } from "../../capture/recording-rules.ts";
import { controlVerdictEvent } from "../../event/control-events.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Verdict } from "../../policy/request.ts";
import type { GuardedCall } from "./guard-call.ts";

/** The effect of a verdict on the session. */
export type GuardOutcome = "deny" | "ask" | "rewrite" | "allow" | "unanswered";

export interface RecordVerdictOptions {
  readonly mayRecord: MayRecord;
  readonly record: (event: HooklineEvent) => void;
  readonly nowMs: () => number;
}

export type RecordVerdict = (
  call: GuardedCall,
  outcome: GuardOutcome,
  verdict: Pick<Verdict, "rule" | "reason">,
  requestId?: string | null,
) => void;

/** Calls are judged even where nothing may be recorded; then no verdict is stored. */
export function createVerdictRecorder(options: RecordVerdictOptions): RecordVerdict {
  let count = 0;
  return (call, outcome, { rule, reason }, requestId = null) => {
    const { request, sessionId, agent, hookEvent, toolUseId } = call;
    const { projectPath, cwd, toolName } = request;
    const occurredAtIso = new Date(options.nowMs()).toISOString();
    if (!options.mayRecord({ projectPath, cwd, occurredAtIso })) return;
    const callKey = `${hookEvent} ${toolUseId ?? requestId ?? `${occurredAtIso} ${++count}`}`;
    const key = outcome === "unanswered" ? `${callKey} ${outcome}` : callKey;
    const callFields = { hookEvent, toolName, toolUseId, agent, requestId };
    const verdict = { key, ...callFields, verdict: outcome, rule, reason };
    options.record(controlVerdictEvent({ sessionId, projectPath, cwd, occurredAtIso }, verdict));
  };
}
