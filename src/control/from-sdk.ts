import { asObject, boolean, type Json, list, nonEmpty, number, text } from "../agents/read-json.ts";
import type { AgentInput, AgentResult, ModelTotals, Totals } from "./driven-input.ts";
import type { TokenUsage } from "./envelope.ts";

/** Longer tool output is cut in an envelope; the tool's own event has all of it. */
const MAX_OUTPUT_CHARS = 10_000;

/** Translates one SDK message; empty for those we don't need. Total: an unknown shape is not an error. */
export function fromSdk(message: unknown): readonly AgentInput[] {
  const fields = asObject(message);
  return translate(BY_TYPE, text(fields, "type"), fields);
}

function translate(
  table: Readonly<Record<string, Translate>>,
  key: string | undefined,
  message: Json,
): readonly AgentInput[] {
  return key !== undefined && Object.hasOwn(table, key) ? table[key]!(message) : [];
}

type Translate = (message: Json) => readonly AgentInput[];

const BY_TYPE: Readonly<Record<string, Translate>> = {
  system: (message) => translate(BY_SUBTYPE, text(message, "subtype"), message),
  stream_event: fromStream,
  assistant: fromAssistant,
  user: fromUser,
  result: (message) => [{ type: "agent.result", result: toResult(message) }],
  command_lifecycle: (message) => {
    const state = text(message, "state");
    const messageId = nonEmpty(message, "command_uuid");
    if (messageId === undefined) return [];
    if (state !== "queued" && state !== "started" && state !== "completed" && state !== "cancelled")
      return [];
    return [{ type: "delivery", messageId, state }];
  },
};

const BY_SUBTYPE: Readonly<Record<string, Translate>> = {
  init: (message) => [
    {
      type: "init",
      claudeSessionId: text(message, "session_id") ?? "",
      model: text(message, "model") ?? null,
      tools: list(message, "tools").filter((tool) => typeof tool === "string"),
      mcp: list(message, "mcp_servers").map(asObject).map(toServer),
      version: text(message, "claude_code_version") ?? null,
      cwd: text(message, "cwd") ?? "",
      commands: commandsOf(message),
    },
  ],
  session_state_changed: (message) => [{ type: "activity", busy: text(message, "state") !== "idle" }],
  status: (message) => {
    const mode = text(message, "permissionMode");
    return mode === undefined ? [] : [{ type: "agent.mode", mode }];
  },
  api_retry: (message) => [
    {
      type: "retry",
      attempt: number(message, "attempt") ?? 0,
      max: number(message, "max_retries") ?? 0,
      delayMs: number(message, "retry_delay_ms") ?? 0,
      status: number(message, "error_status") ?? null,
      error: text(message, "error") ?? null,
    },
  ],
  task_started: (message) => task(message, "started", text(message, "description"), message),
  task_progress: (message) =>
    task(message, "progress", text(message, "summary") ?? text(message, "description")),
  task_updated: (message) => {
    const patch = asObject(message["patch"]);
    return task(message, "updated", text(patch, "description"), patch);
  },
  task_notification: (message) => task(message, "ended", text(message, "summary")),
};

function commandsOf(message: Json): string[] {
  const isForTerminal = new Set(list(message, "terminal_slash_commands"));
  return list(message, "slash_commands").filter(
    (name) => typeof name === "string" && !isForTerminal.has(name),
  ) as string[];
}

function toServer(server: Json) {
  return {
    name: text(server, "name") ?? "",
    status: text(server, "status") ?? "unknown",
    error: text(server, "error") ?? null,
  };
}

function task(
  message: Json,
  what: "started" | "progress" | "updated" | "ended",
  description: string | undefined,
  /** The fields that say where it runs. */
  runInfo: Json = {},
): readonly AgentInput[] {
  const background = boolean(runInfo, "is_backgrounded");
  const status = text(message, "status") ?? text(asObject(message["patch"]), "status") ?? null;
  const taskId = text(message, "task_id") ?? "";
  const input = { type: "task", taskId, what, description: description ?? null, status } as const;
  return [background === undefined ? input : { ...input, background }];
}

function fromStream(message: Json): readonly AgentInput[] {
  if (parentOf(message) !== null) return [];
  const event = asObject(message["event"]);
  if (event["type"] === "message_start") return [{ type: "answering" }];
  const delta = asObject(event["delta"]);
  const deltaText = delta["type"] === "text_delta" ? text(delta, "text") : undefined;
  return deltaText === undefined ? [] : [{ type: "delta", text: deltaText }];
}

function fromAssistant(message: Json): readonly AgentInput[] {
  const parent = parentOf(message);
  const { id, content } = asObject(message["message"]);
  const blocks = Array.isArray(content) ? content.map(asObject) : [];
  return blocks.flatMap((block): readonly AgentInput[] => {
    if (block["type"] === "text") {
      const messageId = typeof id === "string" ? id : null;
      const aborted = boolean(message, "aborted") ?? false;
      const error = text(message, "error") ?? null;
      return [{ type: "text", text: text(block, "text") ?? "", messageId, parent, aborted, error }];
    }
    if (block["type"] !== "tool_use") return [];
    const [toolUseId, tool] = [text(block, "id") ?? "", text(block, "name") ?? ""];
    return [{ type: "tool.start", toolUseId, tool, input: block["input"], parent }];
  });
}

function fromUser(message: Json): readonly AgentInput[] {
  const parent = parentOf(message);
  const { content } = asObject(message["message"]);
  const blocks = Array.isArray(content) ? content.map(asObject) : [];
  return blocks
    .filter((block) => block["type"] === "tool_result")
    .map((block) => ({
      type: "tool.end",
      toolUseId: text(block, "tool_use_id") ?? "",
      tool: null,
      ok: block["is_error"] !== true,
      output: textOf(block["content"]).slice(0, MAX_OUTPUT_CHARS),
      parent,
    }));
}

function parentOf(message: Json): string | null {
  return text(message, "parent_tool_use_id") ?? null;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(asObject)
    .map((block) => text(block, "text") ?? (block["type"] === "image" ? "[image]" : ""))
    .join("\n");
}

function toResult(message: Json): AgentResult {
  const errors = list(message, "errors").filter((error) => typeof error === "string");
  const usage = asObject(message["usage"]);
  return {
    subtype: text(message, "subtype") ?? "",
    isError: boolean(message, "is_error") ?? false,
    terminalReason: text(message, "terminal_reason") ?? null,
    apiStatus: number(message, "api_error_status") ?? null,
    message: text(message, "result") ?? (errors.length > 0 ? errors.join("\n") : null),
    durationMs: number(message, "duration_ms") ?? 0,
    numTurns: number(message, "num_turns") ?? 0,
    totals: toTotals(message["total_cost_usd"], message["modelUsage"]),
    mainLoopUsage: {
      inputTokens: number(usage, "input_tokens") ?? 0,
      outputTokens: number(usage, "output_tokens") ?? 0,
      cacheReadInputTokens: number(usage, "cache_read_input_tokens") ?? 0,
      cacheCreationInputTokens: number(usage, "cache_creation_input_tokens") ?? 0,
    },
    denials: list(message, "permission_denials")
      .map(asObject)
      .map((denial) => ({
        toolUseId: text(denial, "tool_use_id") ?? "",
        tool: text(denial, "tool_name") ?? "",
      })),
    messageIds: list(message, "user_message_uuids").filter((id) => typeof id === "string"),
  };
}

/** Also used for the totals that the agent reports on request. */
export function toTotals(costUsd: unknown, modelUsage: unknown): Totals {
  const models = Object.entries(asObject(modelUsage)).map(([model, usage]) => [
    model,
    toModel(asObject(usage)),
  ]);
  return { costUsd: typeof costUsd === "number" ? costUsd : 0, models: Object.fromEntries(models) };
}

function toModel(usage: Json): ModelTotals {
  const tokens: TokenUsage = {
    inputTokens: number(usage, "inputTokens") ?? 0,
    outputTokens: number(usage, "outputTokens") ?? 0,
    cacheReadInputTokens: number(usage, "cacheReadInputTokens") ?? 0,
    cacheCreationInputTokens: number(usage, "cacheCreationInputTokens") ?? 0,
  };
  return { ...tokens, costUsd: number(usage, "costUSD") ?? 0 };
}
