// One session told as Claude Code tells it: what its hooks say, and the lines of its transcript.

import { claude } from "../../src/agents/claude/claude.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { contentHash, factId } from "../../src/event/ids.ts";
import { seeded } from "../bench/coding-history.ts";

export interface Desk {
  /** Names the session among the others; its ids follow from it. */
  readonly key: string;
  readonly project: string;
  readonly branch: string;
  readonly model: string;
  /** The agent's process; null for one that nobody knows. */
  readonly pid: number | null;
  readonly title?: string;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Outcome {
  readonly seconds?: number;
  readonly output?: string;
  readonly error?: string;
  readonly response?: Fields;
  /** Asked of a person first, who took so long. */
  readonly askedSeconds?: number;
}

export interface Teller {
  readonly sessionId: string;
  readonly cwd: string;
  /** What every hook of it carries. */
  readonly base: Fields;
  rest(seconds: number): void;
  hook(name: string, fields?: Fields): void;
  prompt(text: string): void;
  say(text: string, outputTokens?: number): void;
  call(tool: string, input: Fields, outcome?: Outcome): void;
  /** A call that has begun and not ended. */
  begin(tool: string, input: Fields): string;
  edit(file: string, startLine: number, lines: readonly string[]): void;
  bash(command: string, output: string, outcome?: Outcome): void;
  /** Work of a subagent, all of it within this call; it is left at work when `isLeft`. */
  agent(type: string, description: string, work: (agent: Teller) => void, isLeft?: boolean): void;
  stop(lastMessage: string, fields?: Fields): void;
  end(reason?: string): void;
  line(fields: Fields): void;
  switchModel(to: string): void;
  /** All of it as it stands in the log, the last of it at this time. */
  events(endMs: number): HooklineEvent[];
}

/** What Claude Code writes beside a subagent's transcript. */
interface AgentMeta {
  readonly agentType: string;
  readonly description: string;
  readonly toolUseId: string;
}

type Told = { readonly atMs: number; readonly agentId?: string } & (
  | { readonly hook: Fields }
  | { readonly line: Fields }
);

export function createTeller(desk: Desk): Teller {
  const told: Told[] = [];
  const metas = new Map<string, AgentMeta>();
  const sessionId = factId("demo", desk.key);
  const cwd = `/home/dev/${desk.project}`;
  const state = {
    nowMs: 0,
    prompts: 0,
    calls: 0,
    messages: 0,
    agents: 0,
    context: 17_000,
    model: desk.model,
  };
  const random = seeded(Number.parseInt(contentHash(desk.key).slice(0, 8), 16));
  const base = { session_id: sessionId, cwd, permission_mode: "default" };

  const tellerOf = (agent?: { readonly id: string; readonly type: string }): Teller => {
    const about = agent && { agent_id: agent.id, agent_type: agent.type };
    const promptId = (): string => factId("demo", desk.key, "prompt", String(state.prompts));
    const hook: Teller["hook"] = (name, fields = {}) => {
      const inTurn = state.prompts > 0 && !name.startsWith("Session") && { prompt_id: promptId() };
      told.push({
        atMs: state.nowMs,
        hook: { ...base, ...inTurn, ...about, hook_event_name: name, ...fields },
      });
    };
    const line: Teller["line"] = (fields) => {
      const at = { atMs: state.nowMs, ...(agent && { agentId: agent.id }) };
      told.push({ ...at, line: { sessionId, cwd, gitBranch: desk.branch, version: "2.1.325", ...fields } });
    };
    const message = (content: Fields, outputTokens: number): void => {
      const id = `msg_${contentHash(`${desk.key} ${state.messages++}`).slice(0, 22)}`;
      const written = 400 + Math.floor(random() * 2_600);
      const usage = {
        input_tokens: 3 + Math.floor(random() * 9),
        output_tokens: outputTokens,
        cache_read_input_tokens: agent === undefined ? state.context : Math.round(state.context / 4),
        cache_creation_input_tokens: written,
      };
      if (agent === undefined) state.context += written + outputTokens;
      const model = agent === undefined ? state.model : "claude-haiku-5-5";
      line({
        type: "assistant",
        uuid: factId("demo", desk.key, "line", id),
        requestId: `req_${id}`,
        ...(agent && { isSidechain: true, agentId: agent.id }),
        message: { id, role: "assistant", model, stop_reason: "end_turn", content: [content], usage },
      });
    };
    const rest = (seconds: number): void => {
      state.nowMs += Math.round(seconds * 1_000);
    };
    const begin: Teller["begin"] = (tool, input) => {
      const id = `toolu_${contentHash(`${desk.key} call ${state.calls++}`).slice(0, 22)}`;
      rest(2 + random() * 9);
      message({ type: "tool_use", id, name: tool, input }, 90 + Math.floor(random() * 420));
      rest(0.1);
      hook("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: id });
      return id;
    };
    const call: Teller["call"] = (tool, input, outcome = {}) => {
      const id = begin(tool, input);
      const { askedSeconds, error, seconds = 0.1 + random() * 0.6 } = outcome;
      if (askedSeconds !== undefined) {
        hook("PermissionRequest", { tool_name: tool, tool_input: input });
        rest(askedSeconds);
      }
      rest(seconds);
      const ended = {
        tool_name: tool,
        tool_input: input,
        tool_use_id: id,
        duration_ms: Math.round(seconds * 1e3),
      };
      const stdout = { stdout: outcome.output ?? "", stderr: "", interrupted: false };
      if (error !== undefined) hook("PostToolUseFailure", { ...ended, error });
      else hook("PostToolUse", { ...ended, tool_response: outcome.response ?? stdout });
    };
    return {
      sessionId,
      cwd,
      base,
      rest,
      hook,
      line,
      begin,
      call,
      prompt(text) {
        state.prompts++;
        hook("UserPromptSubmit", { prompt: text });
        const uuid = factId("demo", desk.key, "asked", String(state.prompts));
        line({ type: "user", uuid, promptId: promptId(), message: { role: "user", content: text } });
        rest(1);
      },
      say(text, outputTokens = 60 + text.length) {
        rest(3 + random() * 8);
        message({ type: "text", text }, outputTokens);
      },
      edit(file, startLine, lines) {
        const kept = (sign: string) => lines.filter((one) => one[0] === " " || one[0] === sign);
        const [before, after] = [kept("-"), kept("+")].map((part) => part.map((one) => one.slice(1)));
        const input = {
          file_path: `${cwd}/${file}`,
          old_string: before!.join("\n"),
          new_string: after!.join("\n"),
        };
        const hunk = {
          oldStart: startLine,
          oldLines: before!.length,
          newStart: startLine,
          newLines: after!.length,
        };
        const structuredPatch = [{ ...hunk, lines }];
        call(
          "Edit",
          { ...input, replace_all: false },
          { response: { filePath: input.file_path, structuredPatch } },
        );
      },
      bash(command, output, outcome = {}) {
        call(
          "Bash",
          { command, description: command.split(" ").slice(0, 3).join(" ") },
          { output, ...outcome },
        );
      },
      agent(type, description, work, isLeft = false) {
        const input = { description, prompt: `${description}. Report what you find.`, subagent_type: type };
        const id = begin("Agent", input);
        const agentId = contentHash(`${desk.key} agent ${state.agents++}`).slice(0, 17);
        const response = { isAsync: true, status: "async_launched", agentId, description };
        metas.set(agentId, { agentType: type, description, toolUseId: id });
        const one = tellerOf({ id: agentId, type });
        rest(0.2);
        one.hook("SubagentStart");
        const asked = { role: "user", content: input.prompt };
        const uuid = factId("demo", desk.key, "agent", agentId);
        one.line({ type: "user", uuid, isSidechain: true, agentId, promptId: promptId(), message: asked });
        hook("PostToolUse", {
          tool_name: "Agent",
          tool_input: input,
          tool_use_id: id,
          tool_response: response,
        });
        work(one);
        if (!isLeft)
          one.hook("SubagentStop", { stop_hook_active: false, last_assistant_message: "Found it." });
      },
      stop(lastMessage, fields = {}) {
        this.say(lastMessage);
        rest(0.2);
        hook("Stop", { stop_hook_active: false, last_assistant_message: lastMessage, ...fields });
      },
      end(reason = "prompt_input_exit") {
        hook("SessionEnd", { reason });
      },
      switchModel(to) {
        const fields = { from_model: state.model, to_model: to, source: "command" };
        hook("PreModelSwitch", fields);
        hook("PostModelSwitch", fields);
        state.model = to;
      },
      events: (endMs) => toEvents(desk, told, metas, endMs - state.nowMs),
    };
  };

  const teller = tellerOf();
  teller.hook("SessionStart", { source: "startup", model: desk.model });
  if (desk.title !== undefined) teller.line({ type: "ai-title", aiTitle: desk.title });
  teller.rest(4);
  return teller;
}

function toEvents(
  desk: Desk,
  told: readonly Told[],
  metas: ReadonlyMap<string, AgentMeta>,
  startMs: number,
): HooklineEvent[] {
  const acceptor = createAcceptor({ mayRecord: () => true });
  const folder = `/home/dev/.claude/projects/-home-dev-${desk.project}/${factId("demo", desk.key)}`;
  const transcripts = new Map<string | undefined, ReturnType<typeof claude.transcripts.open>>();
  const transcriptOf = (agentId: string | undefined) => {
    const path = agentId === undefined ? `${folder}.jsonl` : `${folder}/subagents/agent-${agentId}.jsonl`;
    const open =
      transcripts.get(agentId) ??
      claude.transcripts.open({ path, agentId, meta: { ...metas.get(agentId ?? "") } }, (cwd) => cwd);
    transcripts.set(agentId, open);
    return open;
  };
  const env: Record<string, string> =
    desk.pid === null ? {} : { CLAUDE_PID: String(desk.pid), CLAUDE_CODE_ENTRYPOINT: "cli", TMUX_PANE: "%4" };
  const sorted = [...told].sort((a, b) => a.atMs - b.atMs);
  return sorted.flatMap((one, index) => {
    const atMs = startMs + one.atMs;
    const occurredAtIso = new Date(atMs).toISOString();
    if ("line" in one) {
      const events = transcriptOf(one.agentId).line({ ...one.line, timestamp: occurredAtIso });
      return acceptor.accept(events.filter(({ eventType }) => !HOOK_TOLD.has(eventType)).map(unfollowed));
    }
    const delivery = {
      payload: one.hook,
      env: one.hook["hook_event_name"] === "SessionStart" ? env : {},
      name: `${desk.pid ?? 0}-${index}-0`,
      timeNs: `${BigInt(Math.round(atMs)) * 1_000_000n}`,
      occurredAtIso,
      contentHash: () => contentHash(`${desk.key} ${index}`),
      pid: desk.pid,
    };
    return acceptor.accept(claude.translateHook(delivery, (cwd) => cwd).map(unfollowed));
  });
}

const HOOK_TOLD: ReadonlySet<string> = new Set(["turn.start", "tool.start"]);

/** There is no transcript to be followed. */
function unfollowed({ transcriptPath: _none, ...event }: HooklineEvent): HooklineEvent {
  return event as HooklineEvent;
}
