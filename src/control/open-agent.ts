import type { AnswerFormat } from "../agents/answer-format.ts";
import { createCanUseTool } from "./can-use-tool.ts";
import type { EffectParts } from "./carry-out.ts";
import type { RequestIds } from "./claim-request-id.ts";
import type { Effect, Reply } from "./driven-input.ts";
import { isOver } from "./driven-state.ts";
import { fromSdk } from "./from-sdk.ts";
import { createGate, GATE_TIMEOUT_MS, type Judge } from "./gate.ts";
import { readBaseline } from "./read-baseline.ts";
import type { OpenQuery, Options, Query } from "./sdk-door.ts";
import { type SessionSetup, toOptions } from "./session-options.ts";
import type { SessionRules } from "./session-rules.ts";
import { sdkModeOf } from "./step-agent.ts";
import { refuseConfigChange } from "./trust/refuse-config-change.ts";
import { whyEnded } from "./why-ended.ts";

/** What every agent is started with. */
export interface AgentParts {
  readonly openQuery: OpenQuery;
  readonly judge: Judge;
  readonly nowIso: () => string;
  readonly requestIds: RequestIds;
  readonly gateTimeoutMs?: number;
  readonly answers: AnswerFormat;
}

export interface AgentSession extends EffectParts {
  readonly parts: AgentParts;
  readonly rules: SessionRules;
  readonly carryOut: (effect: Effect) => void;
}

/** Starts the agent; resolves when its process was asked for. `exit` is taken when it is gone. */
export async function openAgent(session: AgentSession, setup: SessionSetup): Promise<void> {
  const { agent, state, take, carryOut, parts } = session;
  const options = toOptions(setup, state(), toCallbacks(session, setup));
  const query = await parts.openQuery(agent.input, options);
  agent.connect(query);
  const driven = state();
  if (isOver(driven)) carryOut({ type: "end" });
  // Changed while it loaded.
  const mode = sdkModeOf(driven.mode);
  if (mode !== options.permissionMode) carryOut({ type: "agentMode", mode });
  if (driven.model !== null && driven.model !== options.model)
    carryOut({ type: "agentModel", model: driven.model });
  void read(session, query);
  if (setup.resume === null) return;
  const totals = await readBaseline(query);
  if (totals !== null) take({ type: "baseline", totals, inherited: setup.resume.fork });
}

function toCallbacks(session: AgentSession, setup: SessionSetup): Partial<Options> {
  const { agent, replies, rules, state, take, log, parts } = session;
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
    onDecision: take,
    timeoutMs,
    answers,
  });
  const { isGone } = agent;
  return {
    canUseTool: createCanUseTool({ requestIds, replies, gate, state, take, isGone, log, nowIso }),
    hooks: {
      PreToolUse: [{ onFailure: "block", timeout: gateSeconds(timeoutMs), hooks: [gate.preToolUse] }],
      ConfigChange: [
        refuseConfigChange((file) =>
          take({ type: "error", code: "config_change_refused", message: refusedText(file) }),
        ),
      ],
    },
    spawnClaudeCodeProcess: agent.spawn,
  };
}

async function read({ agent, replies, take, log }: AgentSession, from: Query): Promise<void> {
  let failure: unknown = null;
  try {
    for await (const message of from) {
      log("output", message);
      for (const happened of fromSdk(message)) take(happened);
    }
  } catch (error) {
    failure = error;
  }
  // What the process left running ends with it, before anybody hears that it is closed.
  const killed = agent.killTree();
  if (killed !== null) await killed;
  take({ type: "exit", error: whyEnded(failure) });
  replies.replyToAll(GONE);
}

const GONE: Reply = { behavior: "deny", message: "The session has ended.", interrupt: true };

/** Longer than the gate's own limit, which says why. */
function gateSeconds(gateTimeoutMs = GATE_TIMEOUT_MS): number {
  return Math.ceil(gateTimeoutMs / 1_000) + 2;
}

function refusedText(file: string | null): string {
  return `${file ?? "A setting of the project"} changed and is not used: it was not approved like this.`;
}
