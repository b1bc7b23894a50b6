import { factId } from "../../src/event/ids.ts";
import type { Fields, SessionScript } from "./session-script.ts";

export interface Outcome {
  readonly seconds?: number;
  readonly output?: string;
  readonly error?: string;
  readonly response?: Fields;
  /** How long the user took to approve it first. */
  readonly askedSeconds?: number;
}

export interface Agent {
  readonly id: string;
  readonly type: string;
}

/** Reports what an agent of a session, or the session itself, does. */
export interface AgentReporter {
  hook(name: string, fields?: Fields): void;
  line(fields: Fields): void;
  /** One message of the model, with its token usage. */
  message(content: Fields, outputTokens: number): void;
  /** A call that has started and not ended. */
  startCall(tool: string, input: Fields): string;
  call(tool: string, input: Fields, outcome?: Outcome): void;
}

export function createAgentReporter(script: SessionScript, agent: Agent | undefined): AgentReporter {
  const { setup, sessionId, cwd, random, wait } = script;
  const base = baseOf(script);
  const about = agent && { agent_id: agent.id, agent_type: agent.type };

  const hook: AgentReporter["hook"] = (name, fields = {}) => {
    const promptId = script.promptId();
    const inTurn = promptId !== null && !name.startsWith("Session") && { prompt_id: promptId };
    script.addHook({ ...base, ...inTurn, ...about, hook_event_name: name, ...fields });
  };
  const line: AgentReporter["line"] = (fields) =>
    script.addLine({ sessionId, cwd, gitBranch: setup.branch, version: "2.1.325", ...fields }, agent?.id);
  const message: AgentReporter["message"] = (content, outputTokens) => {
    const id = script.nextMessageId();
    const usage = useTokens(script, outputTokens, agent);
    const model = agent === undefined ? script.model() : "claude-haiku-5-5";
    line({
      type: "assistant",
      uuid: factId("demo", setup.key, "line", id),
      requestId: `req_${id}`,
      ...(agent && { isSidechain: true, agentId: agent.id }),
      message: { id, role: "assistant", model, stop_reason: "end_turn", content: [content], usage },
    });
  };
  const startCall: AgentReporter["startCall"] = (tool, input) => {
    const id = script.nextCallId();
    wait(2 + random() * 9);
    message({ type: "tool_use", id, name: tool, input }, 90 + Math.floor(random() * 420));
    wait(0.1);
    hook("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: id });
    return id;
  };
  const call: AgentReporter["call"] = (tool, input, outcome = {}) => {
    const id = startCall(tool, input);
    const { askedSeconds, error, seconds = 0.1 + random() * 0.6 } = outcome;
    const asked = { tool_name: tool, tool_input: input };
    if (askedSeconds !== undefined) {
      hook("PermissionRequest", asked);
      wait(askedSeconds);
    }
    wait(seconds);
    const ended = { ...asked, tool_use_id: id, duration_ms: Math.round(seconds * 1e3) };
    const stdout = { stdout: outcome.output ?? "", stderr: "", interrupted: false };
    if (error !== undefined) hook("PostToolUseFailure", { ...ended, error });
    else hook("PostToolUse", { ...ended, tool_response: outcome.response ?? stdout });
  };
  return { hook, line, message, startCall, call };
}

/** Fields that every hook of the session carries. */
export function baseOf({ sessionId, cwd }: SessionScript): Fields {
  return { session_id: sessionId, cwd, permission_mode: "default" };
}

/** A subagent reads less, and its messages are not part of the session's own conversation. */
function useTokens(script: SessionScript, outputTokens: number, agent: Agent | undefined): Fields {
  const written = 400 + Math.floor(script.random() * 2_600);
  const context = script.context();
  const usage = {
    input_tokens: 3 + Math.floor(script.random() * 9),
    output_tokens: outputTokens,
    cache_read_input_tokens: agent === undefined ? context : Math.round(context / 4),
    cache_creation_input_tokens: written,
  };
  if (agent === undefined) script.grow(written + outputTokens);
  return usage;
}
