import { z } from "zod";
import { Cost, SessionSnapshot, Tokens } from "./session-snapshot.ts";

/** Usage of one model in one session. */
export const ModelUsage = Tokens.extend({
  model: z.string(),
  costMicros: z.number().int().nullable(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

export const SessionUsage = z.object({
  total: Tokens,
  cost: Cost,
  byModel: z.array(ModelUsage),
  /**
   * What the agent's own total has beyond the transcripts' messages: compaction, and calls it does not log.
   */
  beyondMessages: z.array(ModelUsage),
  /** The date of the price table behind an estimate. */
  pricesOf: z.string(),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

export const Turn = z.object({
  promptId: z.string().nullable(),
  number: z.number().int().nullable(),
  /** Null for a private or forgotten prompt. */
  prompt: z.string().nullable(),
  /** Present only if the prompt was forgotten. */
  isForgotten: z.literal(true).optional(),
  isMachine: z.boolean(),
  startedAtIso: z.string(),
  endedAtIso: z.string().nullable(),
  outcome: z.enum(["running", "ended", "failed", "interrupted"]),
  toolCount: z.number().int(),
  failedToolCount: z.number().int(),
  tokens: Tokens,
  costMicros: z.number().int().nullable(),
});
export type Turn = z.infer<typeof Turn>;

export const ToolTotal = z.object({
  toolName: z.string(),
  count: z.number().int(),
  failed: z.number().int(),
  totalMs: z.number(),
  longestMs: z.number(),
});
export type ToolTotal = z.infer<typeof ToolTotal>;

export const SkillRun = z.object({
  skillName: z.string(),
  state: z.enum(["in_progress", "completed", "interrupted"]),
  /** Null where only its end was reported. */
  startedAtIso: z.string().nullable(),
  endedAtIso: z.string().nullable(),
});
export type SkillRun = z.infer<typeof SkillRun>;

/** One time that a session waited for a person. */
export const HumanWait = z.object({
  sessionId: z.string(),
  kind: z.enum(["permission", "question", "plan"]),
  text: z.string(),
  startedAtIso: z.string(),
  /** Null while it lasts. */
  endedAtIso: z.string().nullable(),
});
export type HumanWait = z.infer<typeof HumanWait>;

export const SessionDetail = z.object({
  session: SessionSnapshot,
  turns: z.array(Turn),
  tools: z.array(ToolTotal),
  skills: z.array(SkillRun),
  usage: SessionUsage,
  waits: z.array(HumanWait),
  filesChanged: z.array(z.string()),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

export const WaitTotals = z.object({
  since: z.string(),
  totals: z.array(
    z.object({ key: z.string(), count: z.number().int(), totalMs: z.number(), longestMs: z.number() }),
  ),
});
export type WaitTotals = z.infer<typeof WaitTotals>;

/** What happened since a person's last visit. */
export const AwayReport = z.object({
  sinceIso: z.string(),
  untilIso: z.string(),
  needsPerson: z.array(SessionSnapshot),
  finished: z.array(SessionSnapshot),
  lost: z.array(SessionSnapshot),
  failures: z.array(
    z.object({ sessionId: z.string(), atIso: z.string(), what: z.string(), message: z.string().nullable() }),
  ),
  failedToolCount: z.number().int(),
  filesChanged: z.array(
    z.object({ projectPath: z.string().nullable(), path: z.string(), count: z.number().int() }),
  ),
  cost: Cost,
  humanWaitMs: z.number(),
});
export type AwayReport = z.infer<typeof AwayReport>;
