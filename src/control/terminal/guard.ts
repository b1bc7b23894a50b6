import { agentLabel } from "../../agents/agent-profiles.ts";
import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import type { AgentId } from "../../agents/hook-delivery.ts";
import { TOO_LONG_RULE, toTerminalVerdict } from "../../policy/decide.ts";
import type { Verdict, World } from "../../policy/request.ts";
import { readGuardedCall } from "./guard-call.ts";
import { type CallJudgeOptions, createCallJudge } from "./guard-judge.ts";
import { isAskLost } from "./guard-lost-ask.ts";
import {
  allowPermissionReply,
  askReply,
  denyPermissionReply,
  denyReply,
  rewriteReply,
  verdictText,
} from "./guard-replies.ts";
import { createVerdictRecorder, type GuardOutcome, type RecordVerdictOptions } from "./record-verdict.ts";

/** The policy in terminal sessions. It never allows a call beforehand: the agent's own mode decides. */
export interface Guard {
  /** The reply before a call; null: none. */
  answerCall(ask: HookAsk | null, signal?: AbortSignal): Promise<HookReply | null>;
  /** The reply to a permission request by rule; null: the person decides. `requestId` is its own event. */
  answerPermission(ask: HookAsk | null, requestId?: string | null): Promise<HookReply | null>;
  /** Why the person is asked, if a rule requires it. */
  explain(ask: HookAsk | null): Promise<{ readonly rule: string; readonly reason: string } | null>;
}

export interface GuardOptions extends CallJudgeOptions, RecordVerdictOptions {
  readonly world: World;
  /** Whether the session is driven by us: its own gate decides. */
  readonly isDriven: (sessionId: string) => boolean;
  /** The current configuration. */
  readonly guard: () => { readonly on: boolean; readonly failClosed: boolean };
  readonly projectOf: (cwd: string | null) => string | null;
  /** Called when no verdict could be reached. */
  readonly onError: (message: string, cause: unknown) => void;
}

export function createGuard(options: GuardOptions): Guard {
  const { judge, findRewriteRule } = createCallJudge(options);
  const record = createVerdictRecorder(options);

  const replyToCall = async (ask: HookAsk | null, signal?: AbortSignal): Promise<HookReply | null> => {
    const call = readGuardedCall(ask, "call", options.projectOf);
    if (call === null) throw new Error("the payload names no tool call");
    if (options.isDriven(call.sessionId)) return null;
    const verdict = await judge(call);
    const outcome = terminalOutcome(verdict);
    const recordUnanswered = (): void =>
      record(call, "unanswered", { rule: "builtin/unanswered", reason: unansweredText(outcome, verdict) });
    if (signal?.aborted) {
      recordUnanswered();
      return null;
    }
    // After a stall, a gone hook only shows when the reply cannot be delivered.
    signal?.addEventListener("abort", recordUnanswered, { once: true });
    switch (outcome) {
      case null:
        return null;
      case "rewrite":
        record(call, outcome, await findRewriteRule(call));
        return rewriteReply(verdict);
      case "deny":
        record(call, outcome, verdict);
        return denyReply(verdictText(verdict));
      case "ask": {
        const isLost = isAskLost(call.request, options.world);
        record(call, isLost ? "deny" : outcome, verdict);
        return isLost
          ? denyReply(`${verdictText(verdict)} ${notAskedText(call.request.mode, ask!.provider)}`)
          : askReply(verdict);
      }
      default:
        return outcome satisfies never;
    }
  };

  const replyByRule = async (ask: HookAsk | null, requestId: string | null): Promise<HookReply | null> => {
    const call = readGuardedCall(ask, "permission", options.projectOf);
    if (call === null || !options.guard().on || options.isDriven(call.sessionId)) return null;
    const verdict = await judge(call);
    if (terminalOutcome(verdict) === "deny") {
      record(call, "deny", verdict, requestId);
      return denyPermissionReply(verdict);
    }
    if (verdict.verdict !== "allow" || verdict.step !== "allow") return null;
    record(call, "allow", verdict, requestId);
    return allowPermissionReply(verdict);
  };

  return {
    async answerCall(ask, signal) {
      try {
        return await replyToCall(ask, signal);
      } catch (error) {
        options.onError("the guard could not judge a tool call", error);
        return options.guard().failClosed ? denyReply(CANNOT_JUDGE) : null;
      }
    },
    async answerPermission(ask, requestId = null) {
      try {
        return await replyByRule(ask, requestId);
      } catch (error) {
        options.onError("the guard could not judge a request", error);
        return null;
      }
    },
    async explain(ask) {
      try {
        const call = readGuardedCall(ask, "permission", options.projectOf);
        const verdict = call === null ? null : await judge(call);
        return verdict !== null && (terminalOutcome(verdict) === "ask" || isTooLong(verdict))
          ? verdict
          : null;
      } catch {
        return null;
      }
    },
  };
}

/** Tools that ask a person anyway need no reply; what no rule covers is left to the agent's mode. */
function terminalOutcome(policyVerdict: Verdict): Exclude<GuardOutcome, "allow" | "unanswered"> | null {
  const verdict = toTerminalVerdict(policyVerdict);
  if (verdict === null) return null;
  const isRuleVerdict = verdict.step !== "person" && verdict.step !== "rest";
  // A person could not judge it in a dialog either: the agent is asked to split it.
  if (isTooLong(verdict)) return "deny";
  if (isRuleVerdict && verdict.verdict !== "allow") return verdict.verdict;
  return verdict.updatedInput === undefined ? null : "rewrite";
}

function isTooLong({ rule }: Verdict): boolean {
  return rule === TOO_LONG_RULE;
}

const CANNOT_JUDGE =
  "Hookline could not check this call, so it is denied (guard.failClosed). See daemon.log for the error.";

function unansweredText(outcome: GuardOutcome | null, { rule }: Verdict): string {
  const verdict = outcome === null ? "no objection" : `${outcome} (${rule})`;
  return `The hook timed out before the answer. The verdict would have been: ${verdict}.`;
}

function notAskedText(mode: string, provider: AgentId): string {
  return `This needs your approval, but ${agentLabel(provider)} does not ask about this file in ${mode} mode. Switch modes (shift+tab) to be asked.`;
}
