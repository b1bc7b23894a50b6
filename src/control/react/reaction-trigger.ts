import type { HookAsk } from "../../agents/answer-format.ts";
import { boolean, nonEmpty, text } from "../../agents/read-json.ts";
import { recordedForm } from "../../agents/tool-call.ts";
import { fileOfInput, type ToolForm } from "../../agents/tool-table.ts";
import { EVENT_VERSION, type HooklineEvent } from "../../event/event.ts";
import { callFactId, factId } from "../../event/ids.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { REACTION_EVENTS, type ReactionEvent } from "../../policy/reaction-rules.ts";

/** What a rule reacts to, in one form for a recorded event, an asking hook and a waiting session. */
export interface ReactionTrigger {
  readonly on: ReactionEvent;
  /** The id under which the reaction is recorded. */
  readonly id: string;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly cwd: string | null;
  readonly promptId: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly toolName: string | null;
  /** From the tool table of the agent; missing: a tool of the first agent. */
  readonly toolForm?: ToolForm;
  readonly toolInput: unknown;
  readonly file: string | null;
  readonly prompt: string | null;
  /** The agent's last message. */
  readonly answer: string | null;
  /** SessionStart: how it started. SessionEnd: why. Compaction: its trigger. Notification: its kind. */
  readonly source: string | null;
  /** Text of a notification or a waiting session. */
  readonly message: string | null;
  readonly transcriptPath: string | null;
  readonly stopHookActive: boolean;
  readonly mode: string | null;
  /** Passed to a command on stdin. */
  readonly payload: unknown;
}

/** Null for an event that is not a hook's, or that no rule can name. */
export function fromEvent(event: HooklineEvent): ReactionTrigger | null {
  const on = hookEventOf(event);
  if (on === null) return null;
  const { payload } = event;
  const toolName = payload?.toolName ?? text(event, "toolName") ?? null;
  return {
    ...EMPTY,
    on,
    id: event.id,
    sessionId: event.sessionId,
    projectPath: event.projectPath,
    cwd: event.cwd,
    promptId: event.promptId ?? null,
    agentId: event.agentId ?? null,
    agentType: nonEmpty(event, "agentType") ?? null,
    toolName,
    ...recordedForm({ toolName, toolKind: payload?.toolKind ?? event["toolKind"] }),
    toolInput: payload === undefined ? event["toolInput"] : payload.toolInput,
    file: payload?.metadata?.filePath ?? fileOfInput(payload?.toolInput ?? event["toolInput"]),
    prompt: text(event, "prompt") ?? null,
    answer: text(event, "lastAssistantMessage") ?? null,
    source:
      text(event, "source") ??
      text(event, "reason") ??
      text(event, "trigger") ??
      text(event, "notificationType") ??
      null,
    message: text(event, "message") ?? null,
    transcriptPath: event.transcriptPath ?? null,
    stopHookActive: boolean(event, "stopHookActive") ?? false,
    mode: text(event, "permissionMode") ?? null,
    payload: event,
  };
}

interface AskReader {
  readonly projectOf: (cwd: string | null) => string | null;
  /** Whether a prompt was machine-written. */
  readonly isMachinePrompt: (prompt: string) => boolean;
}

/** Null if the hook's event is none that a rule can name. */
export function fromAsk(
  ask: HookAsk | null,
  { projectOf, isMachinePrompt }: AskReader,
  nowMs: number,
): ReactionTrigger | null {
  const on = REACTION_EVENTS.find((name) => name === ask?.event);
  if (ask === null || on === undefined || on === "needs_person" || ask.cwd === null) return null;
  const { sessionId, cwd, promptId, agentId, agentType, toolName, toolInput, file, prompt } = ask;
  if (prompt !== null && isMachinePrompt(prompt)) return null;
  return {
    on,
    id: askId(on, ask, nowMs),
    sessionId,
    projectPath: projectOf(cwd),
    cwd,
    promptId,
    agentId,
    agentType,
    toolName,
    ...(ask.toolForm !== null && { toolForm: ask.toolForm }),
    toolInput,
    file,
    prompt,
    answer: ask.answer,
    source: ask.source,
    message: ask.message,
    transcriptPath: ask.transcriptPath,
    stopHookActive: ask.isStopHookActive,
    mode: ask.mode,
    payload: ask.payload,
  };
}

/** The trigger and event for a session that waits for a person. Null if it does not wait. */
export function fromSnapshot(
  snapshot: SessionSnapshot,
): { trigger: ReactionTrigger; event: HooklineEvent } | null {
  if (!snapshot.needsPerson) return null;
  const { waiting, sessionId, projectPath, cwd } = snapshot;
  const key = waiting?.requestId ?? `${snapshot.activityPhase}@${snapshot.sinceIso}`;
  const message = waiting?.text ?? snapshot.why;
  const event: HooklineEvent = {
    v: EVENT_VERSION,
    id: factId("needs_person", sessionId, key),
    eventType: "needs_person",
    occurredAtIso: waiting?.sinceIso ?? snapshot.sinceIso,
    sessionId,
    provider: snapshot.provider,
    projectPath,
    cwd,
    origin: "watch",
    kind: waiting?.kind ?? snapshot.activityPhase,
    toolName: waiting?.toolName ?? null,
    title: snapshot.title,
    message,
  };
  const trigger: ReactionTrigger = {
    ...EMPTY,
    on: "needs_person",
    id: event.id,
    sessionId,
    projectPath,
    cwd,
    agentId: waiting?.agentId ?? null,
    toolName: waiting?.toolName ?? null,
    prompt: snapshot.lastUserMessage,
    source: waiting?.kind ?? snapshot.activityPhase,
    message,
    transcriptPath: snapshot.transcriptPath,
    mode: snapshot.permissionMode,
    payload: event,
  };
  return { trigger, event };
}

const EMPTY = {
  promptId: null,
  agentId: null,
  agentType: null,
  toolName: null,
  toolInput: null,
  file: null,
  prompt: null,
  answer: null,
  source: null,
  message: null,
  transcriptPath: null,
  stopHookActive: false,
  mode: null,
} as const;

/** The hook that reported the event. */
function hookEventOf(event: HooklineEvent): ReactionEvent | null {
  const { phase } = event;
  switch (event.eventType) {
    case "session.lifecycle":
      return phase === "started" ? "SessionStart" : phase === "ended" ? "SessionEnd" : null;
    case "turn.start":
      return event["machine"] === true ? null : "UserPromptSubmit";
    case "turn.end":
      return "Stop";
    case "turn.failed":
      return "StopFailure";
    case "tool.start":
      return "PreToolUse";
    case "tool_observation":
      return event.payload?.success === false ? "PostToolUseFailure" : "PostToolUse";
    case "permission":
      return phase === "requested" ? "PermissionRequest" : phase === "denied" ? "PermissionDenied" : null;
    case "subagent.lifecycle":
      return phase === "started" ? "SubagentStart" : phase === "stopped" ? "SubagentStop" : null;
    case "task.lifecycle":
      return phase === "completed" ? "TaskCompleted" : null;
    case "compaction":
      return phase === "started" ? "PreCompact" : phase === "completed" ? "PostCompact" : null;
    case "notification":
      return "Notification";
    default:
      return null;
  }
}

/** A call ends once; other events may repeat within a turn. */
function askId(on: ReactionEvent, ask: HookAsk, nowMs: number): string {
  const { provider, sessionId, toolUseId, promptId, agentId } = ask;
  if (toolUseId !== null && on !== "PermissionRequest" && on !== "PermissionDenied")
    return callFactId({ provider, sessionId, toolUseId }, on === "PreToolUse" ? "start" : "end");
  return factId("ask", on, sessionId, promptId ?? "", agentId ?? "", String(nowMs));
}
