import type { AnswerFormat } from "../agents/answer-format.ts";
import type { OpenQuery, Options, Query } from "./agent-sdk.ts";
import { createCanUseTool } from "./can-use-tool.ts";
import type { RequestIds } from "./claim-request-id.ts";
import type { Effect, Reply } from "./driven-input.ts";
import { isOver } from "./driven-state.ts";
import { exitReason } from "./exit-reason.ts";
import { fromSdk } from "./from-sdk.ts";
import { createGate, GATE_TIMEOUT_MS, type JudgeCall } from "./gate.ts";
import { readBaseline } from "./read-baseline.ts";
import type { EffectParts } from "./run-effects.ts";
import { type SessionSetup, toSdkOptions } from "./session-options.ts";
import type { SessionRules } from "./session-rules.ts";
import { sdkModeOf } from "./step-agent.ts";
import { refuseConfigChange } from "./trust/refuse-config-change.ts";

/** What every agent is started with. */
export interface AgentParts {
  readonly openQuery: OpenQuery;
  readonly judge: JudgeCall;
  readonly nowIso: () => string;
  readonly requestIds: RequestIds;
  readonly gateTimeoutMs?: number;
  readonly answers: AnswerFormat;
}

export interface AgentSession extends EffectParts {
  readonly parts: AgentParts;
  readonly rules: SessionRules;
  readonly runEffect: (effect: Effect) => void;
}

/** Starts the agent; resolves when its process was requested. `exit` is dispatched at its end. */
export async function startAgent(session: AgentSession, setup: SessionSetup): Promise<void> {
  const { agent, state, dispatch, runEffect, parts } = session;
  const options = toSdkOptions(setup, state(), toCallbacks(session, setup));
  const query = await parts.openQuery(agent.input, options);
  agent.connect(query);
  const driven = state();
  if (isOver(driven)) runEffect({ type: "end" });
  // The mode may have changed during loading.
  const mode = sdkModeOf(driven.mode);
  if (mode !== options.permissionMode) runEffect({ type: "agentMode", mode });
  if (driven.model !== null && driven.model !== options.model)
    runEffect({ type: "agentModel", model: driven.model });
  void read(session, query);
  if (setup.resume === null) return;
  const totals = await readBaseline(query);
  if (totals !== null) dispatch({ type: "baseline", totals, inherited: setup.resume.fork });
}

function toCallbacks(session: AgentSession, setup: SessionSetup): Partial<Options> {
  const { agent, replies, rules, state, dispatch, log, parts } = session;
  const { judge, requestIds, nowIso, gateTimeoutMs: timeoutMs, answers } = parts;
  const { cwd, projectPath, workspace } = setup;
  const mode = (): string => state().mode;
  const gate = createGate({
    judge,
    rules,
    cwd,
    projectPath,
    workspace,
    mode,
    onDecision: dispatch,
    timeoutMs,
    answers,
  });
  const { hasExited } = agent;
  return {
    canUseTool: createCanUseTool({ requestIds, replies, gate, state, dispatch, hasExited, log, nowIso }),
    hooks: {
      PreToolUse: [{ onFailure: "block", timeout: gateSeconds(timeoutMs), hooks: [gate.preToolUse] }],
      ConfigChange: [
        refuseConfigChange((file) =>
          dispatch({ type: "error", code: "config_change_refused", message: refusedText(file) }),
        ),
      ],
    },
    spawnClaudeCodeProcess: agent.spawn,
  };
}

async function read({ agent, replies, dispatch, log }: AgentSession, query: Query): Promise<void> {
  let failure: unknown = null;
  try {
    for await (const message of query) {
      log("output", message);
      for (const input of fromSdk(message)) dispatch(input);
    }
  } catch (error) {
    failure = error;
  }
  // Kill what the process left running before reporting that it is closed.
  const killed = agent.killTree();
  if (killed !== null) await killed;
  dispatch({ type: "exit", error: exitReason(failure) });
  replies.replyToAll(ENDED_REPLY);
}

const ENDED_REPLY: Reply = { behavior: "deny", message: "The session has ended.", interrupt: true };

/** Longer than the gate's own timeout, which reports the reason. */
function gateSeconds(gateTimeoutMs = GATE_TIMEOUT_MS): number {
  return Math.ceil(gateTimeoutMs / 1_000) + 2;
}

function refusedText(file: string | null): string {
  return `${file ?? "A setting of the project"} changed and is not used until you approve it.`;
}
