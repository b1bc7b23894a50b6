import { setImmediate as nextTurn } from "node:timers/promises";
import { recordedForm } from "../agents/tool-call.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toTerminalVerdict } from "../policy/decide.ts";
import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { Policy } from "../policy/rule.ts";
import type { PolicyFor } from "./policy-files.ts";

export interface Replay {
  readonly sinceIso: string;
  readonly calls: number;
  readonly allowed: number;
  readonly asked: number;
  readonly denied: number;
  /** Allowed or asked about with a changed input. */
  readonly rewritten: number;
  /** Verdicts that differ from those of the rules in force; null when these were replayed. */
  readonly changed: number | null;
  /** Calls that were not simply allowed, or that differ. */
  readonly found: readonly ReplayedCall[];
}

export interface ReplayedCall {
  readonly atIso: string;
  readonly sessionId: string;
  readonly toolUseId: string | null;
  readonly toolName: string;
  /** As recorded. */
  readonly toolKind?: string;
  readonly toolInput: unknown;
  readonly verdict: Verdict["verdict"];
  readonly rule: string;
  readonly reason: string;
  readonly updatedInput?: Verdict["updatedInput"];
  /** The verdict by the rules in force, if it differs. */
  readonly now: Verdict["verdict"] | null;
}

export interface ReplayOptions {
  readonly sinceIso: string;
  readonly policyFor: PolicyFor;
  /** The rules in force, to compare with; null: they are the ones replayed. */
  readonly inForce: PolicyFor | null;
  /** Only calls that the guard of a terminal forwards. */
  readonly guardOnly: boolean;
  readonly judge: (policy: Policy, request: PolicyRequest) => Verdict | Promise<Verdict>;
}

/** Yield after this long: a daemon has other work to do. */
const YIELD_AFTER_MS = 8;

/** Judges recorded calls. Skips questions to the person, which always ask. */
export async function replayCalls(calls: readonly HooklineEvent[], options: ReplayOptions): Promise<Replay> {
  const { policyFor, inForce, guardOnly } = options;
  const counts = { allow: 0, ask: 0, deny: 0 };
  const found: ReplayedCall[] = [];
  let changed = 0;
  let rewritten = 0;
  const judge = async (policy: Policy, request: PolicyRequest): Promise<Verdict> => {
    const verdict = await options.judge(policy, request);
    if (!guardOnly) return verdict;
    return toTerminalVerdict(verdict) ?? { ...verdict, verdict: "allow" };
  };
  let yieldedAtMs = performance.now();
  for (const event of calls) {
    if (performance.now() - yieldedAtMs > YIELD_AFTER_MS) {
      await nextTurn();
      yieldedAtMs = performance.now();
    }
    const request = toRequest(event);
    if (request === null) continue;
    const verdict = await judge(await policyFor(event.projectPath), request);
    if (verdict.step === "person") continue;
    const now = inForce === null ? verdict : await judge(await inForce(event.projectPath), request);
    counts[verdict.verdict]++;
    const differs = now.verdict !== verdict.verdict;
    const isRewritten = verdict.updatedInput !== undefined && verdict.verdict !== "deny";
    if (differs) changed++;
    if (isRewritten) rewritten++;
    if (verdict.verdict === "allow" && !differs && !isRewritten) continue;
    found.push({
      atIso: event.occurredAtIso,
      sessionId: event.sessionId,
      toolUseId: event.toolUseId ?? null,
      toolName: request.toolName,
      ...(event.payload?.toolKind != null && { toolKind: event.payload.toolKind }),
      toolInput: request.toolInput,
      verdict: verdict.verdict,
      rule: verdict.rule,
      reason: verdict.reason,
      ...(isRewritten && { updatedInput: verdict.updatedInput }),
      now: differs ? now.verdict : null,
    });
  }
  return {
    sinceIso: options.sinceIso,
    calls: counts.allow + counts.ask + counts.deny,
    allowed: counts.allow,
    asked: counts.ask,
    denied: counts.deny,
    rewritten,
    changed: inForce === null ? null : changed,
    found,
  };
}

function toRequest(event: HooklineEvent): PolicyRequest | null {
  const toolName = event.payload?.toolName;
  if (toolName == null || event.cwd === null) return null;
  const { permissionMode, agentType } = event;
  return {
    toolName,
    ...recordedForm({ toolName, toolKind: event.payload?.toolKind }),
    toolInput: event.payload?.toolInput,
    mode: typeof permissionMode === "string" ? permissionMode : "default",
    cwd: event.cwd,
    projectPath: event.projectPath,
    agentType: typeof agentType === "string" ? agentType : null,
  };
}
