import { z } from "zod";

/** The version of the line format. Readers accept any version and retain unknown fields. */
export const EVENT_VERSION = 1;

/** The source of an event, weakest first. `batch` is the hook that reports a whole message's calls
 *  afterwards; `watch` is what only the daemon observed. */
export const ORIGINS = ["stream", "transcript", "batch", "hook", "watch"] as const;
export const Origin = z.enum(ORIGINS);
export type Origin = z.infer<typeof Origin>;

export const EVENT_TYPES = [
  "session.lifecycle",
  "session.evidence",
  "turn.start",
  "turn.end",
  "turn.failed",
  "skill.lifecycle",
  "tool.start",
  "tool_observation",
  "assistant.message",
  "subagent.lifecycle",
  "compaction",
  "permission",
  "task.lifecycle",
  "model.switch",
  "notification",
  "agent.event",
  "memory.item",
  "memory.mark",
  "memory.forgotten",
  "memory.injected",
  "control.envelope",
  "control.verdict",
  "control.card",
  "control.reaction",
] as const;

/** The fields of every log line. Loose: unknown fields survive reading and writing. */
export const BaseEvent = z.looseObject({
  v: z.number().int(),
  id: z.string().min(1),
  eventType: z.string().min(1),
  phase: z.string().nullish(),
  occurredAtIso: z.string().min(1),
  sessionId: z.string().min(1),
  provider: z.string().min(1),
  projectPath: z.string().nullable(),
  cwd: z.string().nullable(),
  agentId: z.string().nullish(),
  promptId: z.string().nullish(),
  toolUseId: z.string().nullish(),
  transcriptPath: z.string().nullish(),
  origin: Origin,
});
export type BaseEvent = z.infer<typeof BaseEvent>;

export const ToolMetadata = z.looseObject({
  filePath: z.string().nullish(),
  fileType: z.string().nullish(),
  lineCount: z.number().nullish(),
  command: z.string().nullish(),
  exitCode: z.number().nullish(),
  pattern: z.string().nullish(),
  matchCount: z.number().nullish(),
  url: z.string().nullish(),
  statusCode: z.number().nullish(),
});
export type ToolMetadata = z.infer<typeof ToolMetadata>;

export const ToolPayload = z.looseObject({
  toolName: z.string().nullable(),
  /** One of TOOL_KINDS; absent in events from earlier versions. Read with `kindOfCall`. */
  toolKind: z.string().nullish(),
  /** What the call is about, in one line. Read with `subjectOfCall`. */
  subject: z.string().nullish(),
  toolInput: z.unknown(),
  toolOutput: z.string().max(10_000).nullish(),
  durationMs: z.number().nullish(),
  success: z.boolean().nullish(),
  errorMessage: z.string().nullish(),
  promptIndex: z.number().nullish(),
  toolIndex: z.number().nullish(),
  metadata: ToolMetadata.optional(),
});
export type ToolPayload = z.infer<typeof ToolPayload>;

/** One line of the log. Later stages read the named fields; the rest is stored as received. */
export interface HooklineEvent extends BaseEvent {
  payload?: ToolPayload;
  /** Fields (dotted path) that came from an origin other than `origin`; written by a merge. */
  mergedFrom?: Record<string, Origin>;
}

/** An event as a translator creates it: not truncated yet. */
export type NewEvent = HooklineEvent;

/** What all events made from one report share. */
export interface EventStamp extends Record<string, unknown> {
  v: number;
  occurredAtIso: string;
  sessionId: string;
  provider: string;
  projectPath: string | null;
  cwd: string | null;
  agentId?: string | undefined;
  promptId?: string | undefined;
  toolUseId?: string | undefined;
  transcriptPath?: string | undefined;
  origin: Origin;
}

/** Memory's own events about a session say nothing about the session's activity. */
export function isMemoryEvent({ eventType }: Pick<BaseEvent, "eventType">): boolean {
  return eventType.startsWith("memory.");
}

/** Control's own events: not reported by the agent either. */
export function isControlEvent({ eventType }: Pick<BaseEvent, "eventType">): boolean {
  return eventType.startsWith("control.");
}

/** The session of an event that names none. It has no row in `sdk_sessions`. */
export const UNKNOWN_SESSION = "unknown";

/** Checks the same as `BaseEvent` at a fraction of its cost, for lines we wrote ourselves. */
export function isEvent(value: unknown): value is HooklineEvent {
  if (typeof value !== "object" || value === null) return false;
  const event = value as Record<string, unknown>;
  for (const key of REQUIRED) if (typeof event[key] !== "string" || event[key] === "") return false;
  for (const key of NULLABLE) if (event[key] !== null && typeof event[key] !== "string") return false;
  for (const key of OPTIONAL) if (event[key] != null && typeof event[key] !== "string") return false;
  return Number.isInteger(event["v"]) && (ORIGINS as readonly unknown[]).includes(event["origin"]);
}

const REQUIRED = ["id", "eventType", "occurredAtIso", "sessionId", "provider"];
const NULLABLE = ["projectPath", "cwd"];
const OPTIONAL = ["phase", "agentId", "promptId", "toolUseId", "transcriptPath"];

export function parseEvent(value: unknown): HooklineEvent {
  return BaseEvent.parse(value) as HooklineEvent;
}
