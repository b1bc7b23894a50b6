import type { AnswerFormat } from "../agents/answer-format.ts";
import type { PolicyRequest, Verdict } from "../policy/request.ts";
import type { HookCallback } from "./agent-sdk.ts";
import type { EnvelopeBody } from "./envelope.ts";
import type { SessionRules } from "./session-rules.ts";

/** Judges by the policy and the rules currently in force. */
export type JudgeCall = (request: PolicyRequest) => Verdict | Promise<Verdict>;

export interface GateOptions {
  readonly judge: JudgeCall;
  readonly rules: SessionRules;
  readonly cwd: string;
  readonly workspace: readonly string[];
  readonly projectPath: string | null;
  /** Our mode, at the time of the call. */
  readonly mode: () => string;
  readonly onDecision: (decision: Extract<EnvelopeBody, { readonly type: "decision" }>) => void;
  readonly timeoutMs?: number;
  /** Format of the answers to the SDK. */
  readonly answers: AnswerFormat;
}

export interface ToolCall {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly agentType: string | null;
}

export interface Gate {
  decide(call: ToolCall): Promise<Verdict>;
  /** The decision on a call, for the request that may follow. */
  verdictOf(toolUseId: string): (Verdict & { readonly agentType: string | null }) | undefined;
  /** Passed to the SDK: sees every call, including those that never reach `canUseTool`. */
  readonly preToolUse: HookCallback;
}

export const GATE_TIMEOUT_MS = 5_000;
const MAX_VERDICTS = 500;

/** Decides every tool call of a driven session before it runs. Any error blocks the call, in every mode. */
export function createGate(options: GateOptions): Gate {
  const {
    judge,
    rules,
    cwd,
    workspace,
    projectPath,
    mode,
    onDecision,
    answers,
    timeoutMs = GATE_TIMEOUT_MS,
  } = options;
  const verdicts = new Map<string, Verdict & { readonly agentType: string | null }>();

  async function verdictOn({ tool, input, agentType }: ToolCall): Promise<Verdict> {
    const currentMode = mode();
    const request = {
      toolName: tool,
      toolInput: input,
      mode: currentMode,
      cwd,
      workspace,
      projectPath,
      agentType,
    };
    const verdict = await withTimeout(timeoutMs, async () => judge(request));
    if (verdict.verdict !== "ask") return verdict;
    const rule = verdict.step === "rest" ? rules.find(tool, input) : null;
    if (rule !== null) return { ...verdict, verdict: "allow", step: "allow", rule, reason: ALLOWED_REASON };
    return currentMode === "dontAsk"
      ? { ...verdict, verdict: "deny", reason: `${verdict.reason} ${NOT_ASKED_REASON}` }
      : verdict;
  }

  async function decide(call: ToolCall): Promise<Verdict> {
    const verdict = await verdictOn(call).catch(blocked);
    if (verdicts.size >= MAX_VERDICTS) verdicts.delete(verdicts.keys().next().value!);
    verdicts.set(call.toolUseId, { ...verdict, agentType: call.agentType });
    const { toolUseId, tool } = call;
    const { verdict: outcome, rule, reason } = verdict;
    onDecision({ type: "decision", toolUseId, tool, verdict: outcome, rule, reason });
    return verdict;
  }

  return {
    decide,
    verdictOf: (toolUseId) => verdicts.get(toolUseId),
    async preToolUse(input) {
      if (input.hook_event_name !== "PreToolUse") return {};
      const { tool_name: tool, tool_input, tool_use_id: toolUseId, agent_type: agentType = null } = input;
      const { verdict, reason, updatedInput } = await decide({
        toolUseId,
        tool,
        input: tool_input,
        agentType,
      });
      const isChanged = updatedInput !== undefined && verdict !== "deny";
      return answers.write(answers.events.call, {
        call: { verdict, reason },
        ...(isChanged && { updatedInput: { ...updatedInput } }),
      });
    },
  };
}

const ALLOWED_REASON = "Allowed for this session by you.";
const NOT_ASKED_REASON = "This mode never asks, so the call is denied.";

function blocked(error: unknown): Verdict {
  const why = error instanceof Error ? error.message : String(error);
  return {
    verdict: "deny",
    step: "deny",
    rule: "builtin/gate-failed",
    reason: `Blocked: this call could not be checked (${why}).`,
  };
}

async function withTimeout<Value>(ms: number, action: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no verdict within ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([action(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
