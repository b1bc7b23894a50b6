import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import type { AgentId } from "../../agents/hook-delivery.ts";
import { labelOf } from "../../agents/known-words.ts";
import { forTerminal, TOO_LONG_RULE } from "../../policy/decide.ts";
import type { Verdict, World } from "../../policy/request.ts";
import { readCall } from "./guard-call.ts";
import { type CallJudgeOptions, createCallJudge } from "./guard-judge.ts";
import { isAskLost } from "./guard-lost-ask.ts";
import { createVerdictNote, type GuardOutcome, type VerdictNoteOptions } from "./guard-note.ts";
import { denial, leave, question, refusal, rewriting, wordsOf } from "./guard-output.ts";

/** The policy in sessions that somebody runs in a terminal. It never says allow before a call: the agent's own mode decides. */
export interface Guard {
  /** What is said before a call; null: nothing. */
  tool(ask: HookAsk | null, signal?: AbortSignal): Promise<HookReply | null>;
  /** What is said to a request for leave by rule; null: the person decides. `requestId` is the request's own event. */
  permission(ask: HookAsk | null, requestId?: string | null): Promise<HookReply | null>;
  /** Why the person is asked, where a rule says so. */
  explain(ask: HookAsk | null): Promise<{ readonly rule: string; readonly reason: string } | null>;
}

export interface GuardOptions extends CallJudgeOptions, VerdictNoteOptions {
  readonly world: World;
  /** Whether the session is driven from here: its own gate decides. */
  readonly isDriven: (sessionId: string) => boolean;
  /** What is configured now. */
  readonly guard: () => { readonly on: boolean; readonly failClosed: boolean };
  readonly projectOf: (cwd: string | null) => string | null;
  /** Told when no verdict could be had. */
  readonly onTrouble: (message: string, cause: unknown) => void;
}

export function createGuard(options: GuardOptions): Guard {
  const { judge, rewriterOf } = createCallJudge(options);
  const note = createVerdictNote(options);

  const beforeCall = async (ask: HookAsk | null, signal?: AbortSignal): Promise<HookReply | null> => {
    const call = readCall(ask, "call", options.projectOf);
    if (call === null) throw new Error("the payload names no tool call");
    if (options.isDriven(call.sessionId)) return null;
    const verdict = await judge(call);
    const told = toldOf(verdict);
    const noteGone = (): void =>
      note(call, "unanswered", { rule: "builtin/unanswered", reason: goneBefore(told, verdict) });
    if (signal?.aborted) {
      noteGone();
      return null;
    }
    // After a stall it shows only when the answer cannot be delivered.
    signal?.addEventListener("abort", noteGone, { once: true });
    switch (told) {
      case null:
        return null;
      case "rewrite":
        note(call, told, await rewriterOf(call));
        return rewriting(verdict);
      case "deny":
        note(call, told, verdict);
        return denial(wordsOf(verdict));
      case "ask": {
        const isLost = isAskLost(call.request, options.world);
        note(call, isLost ? "deny" : told, verdict);
        return isLost
          ? denial(`${wordsOf(verdict)} ${notAskedIn(call.request.mode, ask!.provider)}`)
          : question(verdict);
      }
      default:
        return told satisfies never;
    }
  };

  const byRule = async (ask: HookAsk | null, requestId: string | null): Promise<HookReply | null> => {
    const call = readCall(ask, "permission", options.projectOf);
    if (call === null || !options.guard().on || options.isDriven(call.sessionId)) return null;
    const verdict = await judge(call);
    if (toldOf(verdict) === "deny") {
      note(call, "deny", verdict, requestId);
      return refusal(verdict);
    }
    if (verdict.verdict !== "allow" || verdict.step !== "allow") return null;
    note(call, "allow", verdict, requestId);
    return leave(verdict);
  };

  return {
    async tool(ask, signal) {
      try {
        return await beforeCall(ask, signal);
      } catch (error) {
        options.onTrouble("the guard could not judge a tool call", error);
        return options.guard().failClosed ? denial(CANNOT_JUDGE) : null;
      }
    },
    async permission(ask, requestId = null) {
      try {
        return await byRule(ask, requestId);
      } catch (error) {
        options.onTrouble("the guard could not judge a request", error);
        return null;
      }
    },
    async explain(ask) {
      try {
        const call = readCall(ask, "permission", options.projectOf);
        const verdict = call === null ? null : await judge(call);
        return verdict !== null && (toldOf(verdict) === "ask" || isTooLong(verdict)) ? verdict : null;
      } catch {
        return null;
      }
    },
  };
}

/** Tools that ask a person anyway need no word of ours; what the policy merely does not know is the mode's matter. */
function toldOf(judged: Verdict): Exclude<GuardOutcome, "allow" | "unanswered"> | null {
  const verdict = forTerminal(judged);
  if (verdict === null) return null;
  const isOurs = verdict.step !== "person" && verdict.step !== "rest";
  // A person could not judge it in a dialog either: the agent is told to split it.
  if (isTooLong(verdict)) return "deny";
  if (isOurs && verdict.verdict !== "allow") return verdict.verdict;
  return verdict.updatedInput === undefined ? null : "rewrite";
}

function isTooLong({ rule }: Verdict): boolean {
  return rule === TOO_LONG_RULE;
}

const CANNOT_JUDGE =
  "Hookline could not judge this call, so it is denied (guard.failClosed). What went wrong is in its daemon.log.";

function goneBefore(told: GuardOutcome | null, { rule }: Verdict): string {
  const verdict = told === null ? "nothing against it" : `${told} (${rule})`;
  return `The hook gave up before it was answered. The verdict would have been: ${verdict}.`;
}

function notAskedIn(mode: string, provider: AgentId): string {
  return `A person must be asked, and in ${mode} mode ${labelOf(provider)} does not ask about this file: switch to another mode (shift+tab) to be asked.`;
}
