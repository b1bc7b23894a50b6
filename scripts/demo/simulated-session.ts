// One session as Claude Code reports it: its hook payloads, and the lines of its transcript.

import type { HooklineEvent } from "../../src/event/event.ts";
import { factId } from "../../src/event/ids.ts";
import { type Agent, baseOf, createAgentReporter, type Outcome } from "./agent-reporter.ts";
import { createSessionScript, type Fields, type SessionScript, type SessionSetup } from "./session-script.ts";
import { toEvents } from "./to-events.ts";

export interface SimulatedSession {
  readonly sessionId: string;
  readonly cwd: string;
  /** Fields that every hook of the session carries. */
  readonly base: Fields;
  wait(seconds: number): void;
  hook(name: string, fields?: Fields): void;
  prompt(text: string): void;
  say(text: string, outputTokens?: number): void;
  call(tool: string, input: Fields, outcome?: Outcome): void;
  /** A call that has started and not ended. */
  startCall(tool: string, input: Fields): string;
  edit(file: string, startLine: number, lines: readonly string[]): void;
  bash(command: string, output: string, outcome?: Outcome): void;
  /** Runs a subagent's work within this call; with `isLeft` the subagent is left running. */
  agent(type: string, description: string, work: (agent: SimulatedSession) => void, isLeft?: boolean): void;
  stop(lastMessage: string, fields?: Fields): void;
  end(reason?: string): void;
  line(fields: Fields): void;
  switchModel(to: string): void;
  /** All events as logged, the last one at this time. */
  events(endMs: number): HooklineEvent[];
}

export function createSimulatedSession(desk: SessionSetup): SimulatedSession {
  const teller = simulatedSessionOf(createSessionScript(desk));
  teller.hook("SessionStart", { source: "startup", model: desk.model });
  if (desk.title !== undefined) teller.line({ type: "ai-title", aiTitle: desk.title });
  teller.wait(4);
  return teller;
}

function simulatedSessionOf(script: SessionScript, agent?: Agent): SimulatedSession {
  const { setup, sessionId, cwd, random, wait } = script;
  const { hook, line, message, startCall, call } = createAgentReporter(script, agent);
  return {
    sessionId,
    cwd,
    base: baseOf(script),
    wait,
    hook,
    line,
    startCall,
    call,
    prompt(text) {
      const number = script.nextPrompt();
      hook("UserPromptSubmit", { prompt: text });
      const uuid = factId("demo", setup.key, "asked", number);
      line({ type: "user", uuid, promptId: script.promptId(), message: { role: "user", content: text } });
      wait(1);
    },
    say(text, outputTokens = 60 + text.length) {
      wait(3 + random() * 8);
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
      const id = startCall("Agent", input);
      const one = startAgent(script, { id, type, description, prompt: input.prompt });
      const launched = { isAsync: true, status: "async_launched", agentId: one.agentId, description };
      const called = { tool_name: "Agent", tool_input: input, tool_use_id: id };
      hook("PostToolUse", { ...called, tool_response: launched });
      work(one.teller);
      const ended = { stop_hook_active: false, last_assistant_message: "Found it." };
      if (!isLeft) one.teller.hook("SubagentStop", ended);
    },
    stop(lastMessage, fields = {}) {
      this.say(lastMessage);
      wait(0.2);
      hook("Stop", { stop_hook_active: false, last_assistant_message: lastMessage, ...fields });
    },
    end: (reason = "prompt_input_exit") => hook("SessionEnd", { reason }),
    switchModel(to) {
      const fields = { from_model: script.model(), to_model: to, source: "command" };
      hook("PreModelSwitch", fields);
      hook("PostModelSwitch", fields);
      script.switchModel(to);
    },
    events: (endMs) => toEvents(setup, script.records, script.metas, endMs - script.nowMs()),
  };
}

/** Starts a subagent through the call that launches it. */
function startAgent(
  script: SessionScript,
  call: { readonly id: string; readonly type: string; readonly description: string; readonly prompt: string },
): { readonly agentId: string; readonly teller: SimulatedSession } {
  const agentId = script.nextAgentId();
  script.metas.set(agentId, { agentType: call.type, description: call.description, toolUseId: call.id });
  const teller = simulatedSessionOf(script, { id: agentId, type: call.type });
  script.wait(0.2);
  teller.hook("SubagentStart");
  const message = { role: "user", content: call.prompt };
  const uuid = factId("demo", script.setup.key, "agent", agentId);
  teller.line({ type: "user", uuid, isSidechain: true, agentId, promptId: script.promptId(), message });
  return { agentId, teller };
}

/** Builds an edit from the lines of its diff. */
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
