import { EVENT_VERSION, type EventStamp, type NewEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { type DeliveryIdentity, deliveryId, factId } from "../../event/ids.ts";
import type { HookDelivery, ProjectOf } from "../hook-delivery.ts";
import {
  asObject,
  boolean,
  type Json,
  list,
  nonEmpty,
  number,
  ownValue,
  text,
  unknownFields,
} from "../read-json.ts";
import { UNANSWERED_EVENT, unansweredVerdict } from "./guard-unanswered.ts";
import { isMachinePrompt, promptFactId } from "./prompts.ts";
import { skillFromSlash } from "./skills.ts";
import { type ToolCallReport, toolEndEvents, toolFields, toolStartEvents } from "./tool-events.ts";
import { renderToolOutput } from "./tool-output.ts";

/**
 * Translates one Claude Code hook payload into our events. Total: any JSON yields at least one event, an
 * unknown event is stored whole as `agent.event`, an unknown field under `extra`.
 */
export function translateHook(delivery: HookDelivery, projectOf: ProjectOf): NewEvent[] {
  const payload = asObject(delivery.payload);
  const name = nonEmpty(payload, "hook_event_name") ?? "unknown";
  const hook = new HookReader(delivery, payload, name, projectOf);
  return (ownValue(TRANSLATORS, name) ?? toAgentEvent)(hook);
}

type Translator = (hook: HookReader) => NewEvent[];

/** The payload, with what all events made from it share. */
class HookReader {
  readonly payload: Json;
  readonly name: string;
  readonly raw: unknown;
  readonly env: Readonly<Record<string, string>>;
  readonly #delivery: DeliveryIdentity;
  readonly #base: EventStamp;

  constructor(delivery: HookDelivery, payload: Json, name: string, projectOf: ProjectOf) {
    const sessionId = nonEmpty(payload, "session_id") ?? UNKNOWN_SESSION;
    const cwd = nonEmpty(payload, "cwd") ?? null;
    this.payload = payload;
    this.name = name;
    this.raw = delivery.payload;
    this.env = delivery.env;
    this.#delivery = { ...delivery, sessionId, eventName: name };
    this.#base = {
      v: EVENT_VERSION,
      occurredAtIso: delivery.occurredAtIso,
      sessionId,
      provider: "claude",
      projectPath: projectOf(cwd),
      cwd,
      agentId: nonEmpty(payload, "agent_id"),
      promptId: nonEmpty(payload, "prompt_id"),
      toolUseId: nonEmpty(payload, "tool_use_id"),
      transcriptPath: nonEmpty(payload, "transcript_path"),
      origin: "hook",
      agentType: text(payload, "agent_type"),
      permissionMode: nonEmpty(payload, "permission_mode"),
      effort: nonEmpty(asObject(payload["effort"]), "level"),
      pid: delivery.pid ?? undefined,
    };
  }

  base(origin: NewEvent["origin"] = "hook"): EventStamp {
    return { ...this.#base, origin };
  }

  /** An event that only this delivery reports. */
  event(eventType: string, fields: Json, ...known: readonly string[]): NewEvent {
    const id = deliveryId(this.#delivery, eventType);
    return { ...this.#base, id, eventType, ...fields, extra: this.extra(known) };
  }

  /** An event that a transcript can report too. */
  fact(id: string, eventType: string, fields: Json, ...known: readonly string[]): NewEvent {
    return { ...this.event(eventType, fields, ...known), id };
  }

  extra(known: readonly string[]): Json | undefined {
    return unknownFields(this.payload, (key) => COMMON_FIELDS.has(key) || known.includes(key));
  }

  text(key: string): string | undefined {
    return text(this.payload, key);
  }

  get promptId(): string | undefined {
    return nonEmpty(this.payload, "prompt_id");
  }
}

const COMMON_FIELDS: ReadonlySet<string> = new Set([
  "session_id",
  "transcript_path",
  "cwd",
  "hook_event_name",
  "prompt_id",
  "permission_mode",
  "effort",
  "agent_id",
  "agent_type",
]);

const TOOL_FIELDS = [
  "tool_name",
  "tool_input",
  "tool_response",
  "tool_use_id",
  "duration_ms",
  "error",
] as const;

const TRANSLATORS: Readonly<Record<string, Translator>> = {
  SessionStart: (hook) => [
    hook.event(
      "session.lifecycle",
      {
        phase: "started",
        source: hook.text("source"),
        model: hook.text("model"),
        env: withoutEmptyValues(hook.env),
      },
      "source",
      "model",
    ),
  ],
  SessionEnd: (hook) => [
    hook.event("session.lifecycle", { phase: "ended", reason: hook.text("reason") }, "reason"),
  ],
  UserPromptSubmit: (hook) => [turnStart(hook)],
  UserPromptExpansion: (hook) =>
    hook.text("expansion_type") === "mcp_prompt" || !hook.text("command_name")
      ? toAgentEvent(hook)
      : [slashSkillEvent(hook)],
  PreToolUse: (hook) => withCall(hook, toolStartEvents),
  PostToolUse: (hook) => withCall(hook, toolEndEvents, { success: true }),
  PostToolUseFailure: (hook) =>
    withCall(hook, toolEndEvents, { success: false, error: hook.text("error") ?? "" }),
  PostToolBatch: batchCalls,
  PermissionRequest: permissionRequest,
  PermissionDenied: (hook) => [
    hook.event(
      "permission",
      {
        phase: "denied",
        ...requestedCallFields(hook),
        reason: hook.text("reason"),
      },
      ...TOOL_FIELDS,
      "reason",
    ),
  ],
  Stop: (hook) => [hook.event("turn.end", stopFields(hook), ...STOP_FIELDS)],
  StopFailure: (hook) => [
    hook.event(
      "turn.failed",
      {
        error: hook.text("error"),
        errorDetails: hook.payload["error_details"],
        lastAssistantMessage: hook.text("last_assistant_message"),
      },
      "error",
      "error_details",
      "last_assistant_message",
    ),
  ],
  SubagentStart: (hook) => {
    const agentId = hook.text("agent_id");
    if (!agentId) return toAgentEvent(hook);
    return [hook.fact(factId("subagent", agentId, "started"), "subagent.lifecycle", { phase: "started" })];
  },
  // The agent without a type writes the summary of a compaction.
  SubagentStop: (hook) => {
    const fields = { ...stopFields(hook), agentTranscriptPath: hook.text("agent_transcript_path") };
    const known = [...STOP_FIELDS, "agent_transcript_path"];
    return hook.text("agent_type") === ""
      ? [hook.event("compaction", { phase: "summarized", ...fields }, ...known)]
      : [hook.event("subagent.lifecycle", { phase: "stopped", ...fields }, ...known)];
  },
  TeammateIdle: (hook) => [
    hook.event(
      "subagent.lifecycle",
      { phase: "idle", teammateName: hook.text("teammate_name") },
      "teammate_name",
    ),
  ],
  TaskCreated: (hook) => [task(hook, "created")],
  TaskCompleted: (hook) => [task(hook, "completed")],
  PreCompact: (hook) => [
    hook.event(
      "compaction",
      {
        phase: "started",
        trigger: hook.text("trigger"),
        customInstructions: hook.text("custom_instructions"),
      },
      "trigger",
      "custom_instructions",
    ),
  ],
  PostCompact: (hook) => [
    hook.event(
      "compaction",
      { phase: "completed", trigger: hook.text("trigger"), summary: hook.text("compact_summary") },
      "trigger",
      "compact_summary",
    ),
  ],
  [UNANSWERED_EVENT]: (hook) => {
    const phase = hook.text("phase") === "denied" ? "denied" : "unchecked";
    const verdict = unansweredVerdict(phase, hook.text("daemon") ?? "");
    return [hook.event("control.verdict", { phase, told: verdict }, "phase", "daemon")];
  },
  PreModelSwitch: (hook) => [modelSwitch(hook, "requested")],
  PostModelSwitch: (hook) => [modelSwitch(hook, "completed")],
  Notification: (hook) => [
    hook.event(
      "notification",
      {
        notificationType: hook.text("notification_type"),
        message: hook.text("message"),
        title: hook.text("title"),
      },
      "notification_type",
      "message",
      "title",
    ),
  ],
};

function toAgentEvent(hook: HookReader): NewEvent[] {
  const data = hook.extra([]);
  const isObject = typeof hook.raw === "object" && hook.raw !== null && !Array.isArray(hook.raw);
  return [
    { ...hook.event("agent.event", { name: hook.name, data: isObject ? data : hook.raw }), extra: undefined },
  ];
}

function turnStart(hook: HookReader): NewEvent {
  const prompt = hook.text("prompt") ?? "";
  const fields = { prompt, machine: isMachinePrompt(prompt) || undefined, promptSource: hook.text("source") };
  const known = ["prompt", "source"];
  const { promptId } = hook;
  return promptId === undefined
    ? hook.event("turn.start", fields, ...known)
    : hook.fact(promptFactId(promptId, prompt), "turn.start", fields, ...known);
}

function slashSkillEvent(hook: HookReader): NewEvent {
  const call = skillFromSlash(hook.text("command_name") ?? "", hook.text("command_args") ?? "");
  const fields = { phase: "in_progress", ...call, turnSeq: null };
  const known = ["command_name", "command_args", "prompt"];
  const { promptId } = hook;
  return promptId === undefined
    ? hook.event("skill.lifecycle", fields, ...known)
    : hook.fact(factId("slash", promptId, "in_progress"), "skill.lifecycle", fields, ...known);
}

function withCall(
  hook: HookReader,
  toEvents: (call: ToolCallReport) => NewEvent[],
  end: Partial<ToolCallReport> = {},
): NewEvent[] {
  const toolUseId = nonEmpty(hook.payload, "tool_use_id");
  const name = nonEmpty(hook.payload, "tool_name");
  if (toolUseId === undefined || name === undefined) return toAgentEvent(hook);
  const extraFields = {
    extra: hook.extra(TOOL_FIELDS),
    ...(boolean(hook.payload, "is_interrupt") === true && { interrupted: true }),
  };
  return toEvents({
    base: hook.base(),
    toolUseId,
    name,
    input: hook.payload["tool_input"],
    response: hook.payload["tool_response"],
    durationMs: number(hook.payload, "duration_ms"),
    extraFields: extraFields,
    ...end,
  });
}

/** The only hook that reports denied or malformed calls; other hooks report calls that ran better. */
function batchCalls(hook: HookReader): NewEvent[] {
  const calls = list(hook.payload, "tool_calls").map(asObject);
  const batchKey = calls.map((call) => nonEmpty(call, "tool_use_id")).find((id) => id !== undefined);
  const events = calls.flatMap((call, batchIndex) => {
    const toolUseId = nonEmpty(call, "tool_use_id");
    const name = nonEmpty(call, "tool_name");
    if (toolUseId === undefined || name === undefined) return [];
    const response = call["tool_response"];
    const shown = renderToolOutput("", response);
    const base = hook.base("batch");
    const input = call["tool_input"];
    return toolEndEvents({
      base,
      toolUseId,
      name,
      input,
      shownText: shown,
      success: false,
      batchKey,
      batchIndex,
      ...(batchIndex === 0 && { extraFields: { batchExtra: hook.extra(["tool_calls"]) } }),
    });
  });
  return events.length > 0 ? events : toAgentEvent(hook);
}

function permissionRequest(hook: HookReader): NewEvent[] {
  const callFields = requestedCallFields(hook);
  const request = hook.event(
    "permission",
    {
      phase: "requested",
      ...callFields,
      suggestions: hook.payload["permission_suggestions"],
    },
    ...TOOL_FIELDS,
    "permission_suggestions",
  );
  const { toolName, toolKind } = callFields;
  const phase = toolKind === "question" ? "waiting_question" : "waiting_permission";
  const waiting = hook.event("session.lifecycle", { phase, toolName, toolKind, permissionId: request.id });
  return [{ ...waiting, extra: undefined }, request];
}

/** The call that a permission request is about. */
function requestedCallFields(hook: HookReader): Partial<ReturnType<typeof toolFields>> {
  const name = hook.text("tool_name");
  const toolInput = hook.payload["tool_input"];
  return name === undefined ? { toolInput } : toolFields(name, toolInput);
}

const STOP_FIELDS = [
  "stop_hook_active",
  "last_assistant_message",
  "background_tasks",
  "session_crons",
] as const;

function stopFields(hook: HookReader): Json {
  return {
    lastAssistantMessage: hook.text("last_assistant_message"),
    stopHookActive: boolean(hook.payload, "stop_hook_active"),
    backgroundTasks: nonEmptyList(list(hook.payload, "background_tasks")),
    sessionCrons: nonEmptyList(list(hook.payload, "session_crons")),
  };
}

function task(hook: HookReader, phase: string): NewEvent {
  const fields = {
    phase,
    taskId: hook.text("task_id"),
    subject: hook.text("task_subject"),
    description: hook.text("task_description"),
  };
  return hook.event("task.lifecycle", fields, "task_id", "task_subject", "task_description");
}

function modelSwitch(hook: HookReader, phase: string): NewEvent {
  const fields = {
    phase,
    fromModel: hook.text("from_model"),
    toModel: hook.text("to_model"),
    source: hook.text("source"),
  };
  return hook.event("model.switch", fields, "from_model", "to_model", "source");
}

function nonEmptyList(items: readonly unknown[]): readonly unknown[] | undefined {
  return items.length > 0 ? items : undefined;
}

function withoutEmptyValues(env: Readonly<Record<string, string>>): Json | undefined {
  const entries = Object.entries(env).filter(([, value]) => value !== "");
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
