import { contentHash, factId } from "../../../src/event/ids.ts";
import { type CallPayload, callPayload } from "./call-payloads.ts";
import { openRandom } from "./random.ts";
import type { StoryCall, StorySession, StoryTurn } from "./story.ts";

type Json = Record<string, unknown>;

/** The records Claude Code leaves of a session: hook payloads and transcript lines, each with its time. */
export type HistoryRecord =
  | { readonly type: "hook"; readonly t: string; readonly payload: Json }
  | { readonly type: "line"; readonly t: string; readonly path: string; readonly line: Json };

export const sessionIdOf = (sessionKey: string): string => factId("history", "session", sessionKey);
export const promptIdOf = (sessionKey: string, turn: string): string =>
  factId("history", "prompt", sessionKey, turn);
export const toolUseIdOf = (sessionKey: string, call: string): string =>
  `toolu_01${contentHash(`call ${sessionKey} ${call}`).slice(0, 22)}`;

/** The name of a turn or a call: its key, or else its index. */
export const turnName = (turn: StoryTurn, index: number): string => turn.key ?? `turn-${index}`;
export const callName = (call: StoryCall, turn: string, index: number): string =>
  call.key ?? `${turn}-call-${index}`;

const MODEL = "claude-opus-5-5";

export function sessionRecords(session: StorySession): HistoryRecord[] {
  const { key, project, branch } = session;
  const random = openRandom(`times ${key}`);
  const sessionId = sessionIdOf(key);
  const path = `/home/dev/.claude/projects/${project.path.replaceAll(/[/.]/g, "-")}/${sessionId}.jsonl`;
  const records: HistoryRecord[] = [];
  let nowMs = session.startMs;
  let promptId = "";
  let parentUuid: string | null = null;
  let lines = 0;

  const after = (ms: number): void => {
    nowMs += ms;
  };
  const hook = (event: string, fields: Json): void => {
    const inTurn = event === "SessionStart" ? {} : { prompt_id: promptId };
    const mode = event === "SessionStart" || event === "SessionEnd" ? {} : { permission_mode: "default" };
    const effort = /Tool|Stop/.test(event) ? { effort: { level: "medium" } } : {};
    const common = { session_id: sessionId, transcript_path: path, cwd: project.path, ...inTurn };
    const payload = { ...common, ...mode, ...effort, hook_event_name: event, ...fields };
    records.push({ type: "hook", t: new Date(nowMs).toISOString(), payload });
  };
  const line = (type: string, message: Json, fields: Json = {}): void => {
    const uuid = factId("history", "line", sessionId, String(lines++));
    const timestamp = new Date(nowMs).toISOString();
    const where = { cwd: project.path, sessionId, version: "2.1.325", gitBranch: branch };
    const told = {
      parentUuid,
      isSidechain: false,
      promptId: type === "user" ? promptId : undefined,
      type,
      message,
      uuid,
      timestamp,
      ...fields,
      userType: "external",
      entrypoint: "cli",
      ...where,
    };
    parentUuid = uuid;
    records.push({ type: "line", t: timestamp, path, line: told });
  };
  const say = (messageId: string, content: Json, apiBlockIndex: number, stopReason: string): void => {
    const usage = { input_tokens: 100, output_tokens: 20 };
    const message = { id: messageId, type: "message", role: "assistant", model: MODEL, content: [content] };
    line("assistant", { ...message, stop_reason: stopReason, stop_sequence: null, usage }, { apiBlockIndex });
  };

  const runMessage = (calls: readonly NamedCall[]): void => {
    const messageId = `msg_01${contentHash(`message ${calls[0]!.id}`).slice(0, 22)}`;
    const { words } = calls[0]!.call;
    after(3_000 + random.below(20_000));
    let block = 0;
    if (words !== undefined) say(messageId, { type: "text", text: words }, block++, "tool_use");
    for (const { id, call, payload } of calls) {
      after(120);
      say(messageId, { type: "tool_use", id, name: call.tool, input: payload.input }, block++, "tool_use");
    }
    for (const one of calls) {
      after(40);
      hook("PreToolUse", toolFields(one));
      const durationMs = one.call.tool === "Bash" ? 200 + random.below(40_000) : 3 + random.below(30);
      after(durationMs);
      const end = { ...toolFields(one), duration_ms: durationMs };
      const { error, response } = one.payload;
      if (error === undefined) hook("PostToolUse", { ...end, tool_response: response });
      else hook("PostToolUseFailure", { ...end, error, is_interrupt: false });
    }
    after(15);
    const batch = calls.map((call) => ({ ...toolFields(call), tool_response: call.payload.shown }));
    hook("PostToolBatch", { tool_calls: batch });
    for (const { id, payload } of calls) {
      const { error, response, shown } = payload;
      const result = { tool_use_id: id, type: "tool_result", content: shown, is_error: error !== undefined };
      const toolUseResult = error === undefined ? response : `Error: ${error}`;
      line("user", { role: "user", content: [result] }, { toolUseResult });
    }
  };

  hook("SessionStart", { source: "startup", model: MODEL });
  for (const [index, turn] of session.turns.entries()) {
    const name = turnName(turn, index);
    promptId = promptIdOf(key, name);
    after(index === 0 ? 4_000 : 60_000 + random.below(900_000));
    hook("UserPromptSubmit", { prompt: turn.prompt });
    const origin = { origin: { kind: "human" }, turnOrigin: "human", permissionMode: "default" };
    line("user", { role: "user", content: turn.prompt }, origin);
    for (const calls of messagesOf(turn, name, session)) runMessage(calls);
    after(5_000 + random.below(15_000));
    const messageId = `msg_01${contentHash(`end ${promptId}`).slice(0, 22)}`;
    say(messageId, { type: "text", text: turn.end }, 0, "end_turn");
    after(60);
    const told = { last_assistant_message: turn.end, background_tasks: [], session_crons: [] };
    hook("Stop", { stop_hook_active: false, ...told });
  }
  after(30_000 + random.below(300_000));
  hook("SessionEnd", { reason: "prompt_input_exit" });
  return records;
}

interface NamedCall {
  readonly id: string;
  readonly call: StoryCall;
  readonly payload: CallPayload;
}

function toolFields({ id, call, payload }: NamedCall): Json {
  return { tool_name: call.tool, tool_input: payload.input, tool_use_id: id };
}

/** Read-only calls are batched when there is no text between them. */
function messagesOf(turn: StoryTurn, name: string, session: StorySession): NamedCall[][] {
  const messages: NamedCall[][] = [];
  for (const [index, call] of turn.calls.entries()) {
    const id = toolUseIdOf(session.key, callName(call, name, index));
    const named = { id, call, payload: callPayload(call, session.project.path) };
    const last = messages.at(-1);
    const joins = call.words === undefined && READ_ONLY_TOOLS.has(call.tool);
    if (joins && last?.every((call) => READ_ONLY_TOOLS.has(call.call.tool))) last.push(named);
    else messages.push([named]);
  }
  return messages;
}

const READ_ONLY_TOOLS: ReadonlySet<string> = new Set(["Read", "Grep", "Glob"]);
