import { factId } from "../../src/event/ids.ts";
import type { Fields, SessionScript } from "./session-script.ts";

export interface Outcome {
  readonly seconds?: number;
  readonly output?: string;
  readonly error?: string;
  readonly response?: Fields;
  /** Asked of a person first, who took so long. */
  readonly askedSeconds?: number;
}

export interface Agent {
  readonly id: string;
  readonly type: string;
}

/** How one agent of a session, or the session itself, reports what it does. */
export interface Voice {
  hook(name: string, fields?: Fields): void;
  line(fields: Fields): void;
  /** One message of the model, with what it used. */
  message(content: Fields, outputTokens: number): void;
  /** A call that has begun and not ended. */
  begin(tool: string, input: Fields): string;
  call(tool: string, input: Fields, outcome?: Outcome): void;
}

export function createVoice(script: SessionScript, agent: Agent | undefined): Voice {
  const { desk, sessionId, cwd, random, rest } = script;
  const base = baseOf(script);
  const about = agent && { agent_id: agent.id, agent_type: agent.type };

  const hook: Voice["hook"] = (name, fields = {}) => {
    const promptId = script.promptId();
    const inTurn = promptId !== null && !name.startsWith("Session") && { prompt_id: promptId };
    script.addHook({ ...base, ...inTurn, ...about, hook_event_name: name, ...fields });
  };
  const line: Voice["line"] = (fields) =>
    script.addLine({ sessionId, cwd, gitBranch: desk.branch, version: "2.1.325", ...fields }, agent?.id);
  const message: Voice["message"] = (content, outputTokens) => {
    const id = script.nextMessageId();
    const usage = useTokens(script, outputTokens, agent);
    const model = agent === undefined ? script.model() : "claude-haiku-5-5";
    line({
      type: "assistant",
      uuid: factId("demo", desk.key, "line", id),
      requestId: `req_${id}`,
      ...(agent && { isSidechain: true, agentId: agent.id }),
      message: { id, role: "assistant", model, stop_reason: "end_turn", content: [content], usage },
    });
  };
  const begin: Voice["begin"] = (tool, input) => {
    const id = script.nextCallId();
    rest(2 + random() * 9);
    message({ type: "tool_use", id, name: tool, input }, 90 + Math.floor(random() * 420));
    rest(0.1);
    hook("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: id });
    return id;
  };
  const call: Voice["call"] = (tool, input, outcome = {}) => {
    const id = begin(tool, input);
    const { askedSeconds, error, seconds = 0.1 + random() * 0.6 } = outcome;
    const asked = { tool_name: tool, tool_input: input };
    if (askedSeconds !== undefined) {
      hook("PermissionRequest", asked);
      rest(askedSeconds);
    }
    rest(seconds);
    const ended = { ...asked, tool_use_id: id, duration_ms: Math.round(seconds * 1e3) };
    const stdout = { stdout: outcome.output ?? "", stderr: "", interrupted: false };
    if (error !== undefined) hook("PostToolUseFailure", { ...ended, error });
    else hook("PostToolUse", { ...ended, tool_response: outcome.response ?? stdout });
  };
  return { hook, line, message, begin, call };
}

/** What every hook of the session carries. */
export function baseOf({ sessionId, cwd }: SessionScript): Fields {
  return { session_id: sessionId, cwd, permission_mode: "default" };
}

/** A subagent reads less, and what it says is not part of the session's own conversation. */
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
