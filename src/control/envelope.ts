import { z } from "zod";

/**
 * What happens in a driven session, in order: `seq` increases without gaps per session, also across restarts;
 * `epoch` identifies one run of the driving process. All but `text.delta` are stored in the log.
 */

const DRIVEN_STATES = [
  "queued",
  "idle",
  "thinking",
  "responding",
  "tool",
  "retrying",
  "awaiting_permission",
  "awaiting_answer",
  "stopping",
  "closed",
] as const;
export const DrivenState = z.enum(DRIVEN_STATES);
export type DrivenState = z.infer<typeof DrivenState>;

export const OUTCOMES = [
  "completed",
  "interrupted",
  "api_error",
  "prompt_too_long",
  "max_turns",
  "max_budget",
  "failed",
] as const;

export const TokenUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** Who settled a request: a person (`user`, with the client's name), a rule, or what made it moot. */
export const SettledBy = z.enum([
  "user",
  "rule",
  "terminal",
  "stopped",
  "cancelled",
  "ended",
  "timeout",
  "lost",
]);
export type SettledBy = z.infer<typeof SettledBy>;

const RequestIds = z.object({
  toolUseId: z.string(),
  /** Set where it differs from the call's id: providers reuse those, so the request has an id of its own. */
  requestId: z.string().optional(),
});

const Resolution = RequestIds.extend({
  outcome: z.enum(["allow", "allowAll", "deny", "answered", "withdrawn", "lost"]),
  by: SettledBy,
  /** The client that answered, if any. */
  who: z.string().nullable(),
  rule: z.string().nullable(),
});

export const EnvelopeBody = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("init"),
    claudeSessionId: z.string(),
    model: z.string().nullable(),
    tools: z.array(z.string()),
    mcp: z.array(z.object({ name: z.string(), status: z.string(), error: z.string().nullable() })),
    version: z.string().nullable(),
    cwd: z.string(),
    /** Slash commands, without the slash and without those that need a terminal. Missing in logs of earlier versions. */
    commands: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal("user"),
    text: z.string(),
    messageId: z.string(),
    images: z.number(),
    /** The lost request that it asks the agent to repeat. */
    asksAgain: z.string().optional(),
  }),
  z.object({ type: z.literal("state"), state: DrivenState, why: z.string().nullable() }),
  z.object({ type: z.literal("text.delta"), text: z.string() }),
  z.object({
    type: z.literal("text"),
    text: z.string(),
    messageId: z.string().nullable(),
    /** The tool call of the subagent that wrote it. */
    parent: z.string().nullable(),
    aborted: z.boolean(),
    error: z.string().nullable(),
  }),
  z.object({
    type: z.literal("tool.start"),
    toolUseId: z.string(),
    tool: z.string(),
    input: z.unknown(),
    parent: z.string().nullable(),
  }),
  z.object({
    type: z.literal("tool.end"),
    toolUseId: z.string(),
    tool: z.string().nullable(),
    ok: z.boolean(),
    output: z.string(),
    parent: z.string().nullable(),
  }),
  z.object({
    type: z.literal("decision"),
    toolUseId: z.string(),
    tool: z.string(),
    verdict: z.enum(["allow", "deny", "ask"]),
    rule: z.string(),
    reason: z.string(),
  }),
  RequestIds.extend({
    type: z.literal("permission.request"),
    tool: z.string(),
    input: z.unknown(),
    reason: z.string(),
    rule: z.string().nullable(),
    agentId: z.string().nullable(),
    agentType: z.string().nullable(),
  }),
  Resolution.extend({ type: z.literal("permission.resolved") }),
  RequestIds.extend({
    type: z.literal("question.request"),
    questions: z.array(z.unknown()),
    agentId: z.string().nullable(),
    /** Missing in logs of earlier versions. */
    agentType: z.string().nullable().optional(),
  }),
  Resolution.extend({
    type: z.literal("question.resolved"),
    answers: z.record(z.string(), z.string()).nullable(),
  }),
  z.object({
    type: z.literal("retry"),
    attempt: z.number(),
    max: z.number(),
    delayMs: z.number(),
    status: z.number().nullable(),
    error: z.string().nullable(),
  }),
  z.object({ type: z.literal("mode"), mode: z.string(), by: z.string() }),
  z.object({ type: z.literal("model"), model: z.string() }),
  z.object({
    type: z.literal("rule"),
    rule: z.string(),
    scope: z.string(),
    toolUseId: z.string().nullable(),
  }),
  z.object({
    type: z.literal("task"),
    taskId: z.string(),
    what: z.enum(["started", "progress", "updated", "ended"]),
    description: z.string().nullable(),
    status: z.string().nullable(),
    /** False: the call that started it waits for it. Missing in logs of earlier versions. */
    background: z.boolean().optional(),
  }),
  z.object({
    type: z.literal("result"),
    ok: z.boolean(),
    outcome: z.enum(OUTCOMES),
    apiStatus: z.number().nullable(),
    message: z.string().nullable(),
    durationMs: z.number(),
    numTurns: z.number(),
    /** Cost of this turn, including subagents; null if the agent reported no total before it. */
    turnCostUsd: z.number().nullable(),
    /** Cost of the session, across resumes. */
    totalCostUsd: z.number(),
    usage: TokenUsage,
    modelUsage: z.record(z.string(), TokenUsage.extend({ costUsd: z.number() })),
    denials: z.array(z.object({ toolUseId: z.string(), tool: z.string() })),
    messageIds: z.array(z.string()),
  }),
  z.object({ type: z.literal("rewind"), messageId: z.string(), files: z.array(z.string()), ok: z.boolean() }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string() }),
]);
export type EnvelopeBody = z.infer<typeof EnvelopeBody>;
export type EnvelopeType = EnvelopeBody["type"];

export const Envelope = z.intersection(
  z.object({
    v: z.literal(1),
    epoch: z.string(),
    sessionId: z.string(),
    /** 0 for envelopes that are not stored. */
    seq: z.number().int().min(0),
    ts: z.string(),
  }),
  EnvelopeBody,
);
export type Envelope = z.infer<typeof Envelope>;

export function isTransient({ type }: Pick<EnvelopeBody, "type">): boolean {
  return type === "text.delta";
}
