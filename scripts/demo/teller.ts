// One session told as Claude Code tells it: what its hooks say, and the lines of its transcript.

import type { HooklineEvent } from "../../src/event/event.ts";
import { factId } from "../../src/event/ids.ts";
import { createSessionScript, type Desk, type Fields, type SessionScript } from "./session-script.ts";
import { toEvents } from "./to-events.ts";
import { type Agent, baseOf, createVoice, type Outcome } from "./voice.ts";

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

export function createTeller(desk: Desk): Teller {
  const teller = tellerOf(createSessionScript(desk));
  teller.hook("SessionStart", { source: "startup", model: desk.model });
  if (desk.title !== undefined) teller.line({ type: "ai-title", aiTitle: desk.title });
  teller.rest(4);
  return teller;
}

function tellerOf(script: SessionScript, agent?: Agent): Teller {
  const { desk, sessionId, cwd, random, rest } = script;
  const { hook, line, message, begin, call } = createVoice(script, agent);
  return {
    sessionId,
    cwd,
    base: baseOf(script),
    rest,
    hook,
    line,
    begin,
    call,
    prompt(text) {
      const number = script.nextPrompt();
      hook("UserPromptSubmit", { prompt: text });
      const uuid = factId("demo", desk.key, "asked", number);
      line({ type: "user", uuid, promptId: script.promptId(), message: { role: "user", content: text } });
      rest(1);
    },
    say(text, outputTokens = 60 + text.length) {
      rest(3 + random() * 8);
      message({ type: "text", text }, outputTokens);
    },
    edit(file, startLine, lines) {
      const { input, response } = editOf(`${cwd}/${file}`, startLine, lines);
      call("Edit", input, { response });
    },
    bash(command, output, outcome = {}) {
      const description = command.split(" ").slice(0, 3).join(" ");
      call("Bash", { command, description }, { output, ...outcome });
    },
    agent(type, description, work, isLeft = false) {
      const input = { description, prompt: `${description}. Report what you find.`, subagent_type: type };
      const id = begin("Agent", input);
      const one = beginAgent(script, { id, type, description, prompt: input.prompt });
      const launched = { isAsync: true, status: "async_launched", agentId: one.agentId, description };
      const called = { tool_name: "Agent", tool_input: input, tool_use_id: id };
      hook("PostToolUse", { ...called, tool_response: launched });
      work(one.teller);
      const ended = { stop_hook_active: false, last_assistant_message: "Found it." };
      if (!isLeft) one.teller.hook("SubagentStop", ended);
    },
    stop(lastMessage, fields = {}) {
      this.say(lastMessage);
      rest(0.2);
      hook("Stop", { stop_hook_active: false, last_assistant_message: lastMessage, ...fields });
    },
    end: (reason = "prompt_input_exit") => hook("SessionEnd", { reason }),
    switchModel(to) {
      const fields = { from_model: script.model(), to_model: to, source: "command" };
      hook("PreModelSwitch", fields);
      hook("PostModelSwitch", fields);
      script.switchModel(to);
    },
    events: (endMs) => toEvents(desk, script.told, script.metas, endMs - script.nowMs()),
  };
}

/** The start of a subagent, by the call that launches it. */
function beginAgent(
  script: SessionScript,
  call: { readonly id: string; readonly type: string; readonly description: string; readonly prompt: string },
): { readonly agentId: string; readonly teller: Teller } {
  const agentId = script.nextAgentId();
  script.metas.set(agentId, { agentType: call.type, description: call.description, toolUseId: call.id });
  const teller = tellerOf(script, { id: agentId, type: call.type });
  script.rest(0.2);
  teller.hook("SubagentStart");
  const message = { role: "user", content: call.prompt };
  const uuid = factId("demo", script.desk.key, "agent", agentId);
  teller.line({ type: "user", uuid, isSidechain: true, agentId, promptId: script.promptId(), message });
  return { agentId, teller };
}

/** An edit from the lines of its diff. */
function editOf(
  filePath: string,
  startLine: number,
  lines: readonly string[],
): { readonly input: Fields; readonly response: Fields } {
  const kept = (sign: string): string[] =>
    lines.filter((one) => one[0] === " " || one[0] === sign).map((one) => one.slice(1));
  const [before, after] = [kept("-"), kept("+")];
  const hunk = {
    oldStart: startLine,
    oldLines: before.length,
    newStart: startLine,
    newLines: after.length,
    lines,
  };
  return {
    input: {
      file_path: filePath,
      old_string: before.join("\n"),
      new_string: after.join("\n"),
      replace_all: false,
    },
    response: { filePath, structuredPatch: [hunk] },
  };
}
