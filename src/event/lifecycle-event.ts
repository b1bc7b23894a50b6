import { z } from "zod";

/** The two kinds of lines that every lifecycle stream has, ours and other programs'. */

const SessionLifecyclePhase = z.enum(["started", "ended", "waiting_permission", "waiting_question"]);
export type SessionLifecyclePhase = z.infer<typeof SessionLifecyclePhase>;

const SkillLifecyclePhase = z.enum(["in_progress", "completed"]);
export type SkillLifecyclePhase = z.infer<typeof SkillLifecyclePhase>;

const Line = z.looseObject({
  id: z.string(),
  occurredAtIso: z.string(),
  sessionId: z.string(),
  /** `claude`, `codex`, …, or `unknown`. */
  provider: z.string(),
  projectPath: z.string().nullable(),
  cwd: z.string().nullish(),
});

export const SessionLifecycleEvent = Line.extend({
  eventType: z.literal("session.lifecycle"),
  phase: SessionLifecyclePhase,
});
export type SessionLifecycleEvent = z.infer<typeof SessionLifecycleEvent>;

export const SkillLifecycleEvent = Line.extend({
  eventType: z.literal("skill.lifecycle"),
  phase: SkillLifecyclePhase,
  skillName: z.string(),
  triggerCommand: z.string().nullable(),
  turnSeq: z.number().int().nullable(),
  targetDocPath: z.string().nullable(),
});
export type SkillLifecycleEvent = z.infer<typeof SkillLifecycleEvent>;

export const LifecycleEvent = z.discriminatedUnion("eventType", [SessionLifecycleEvent, SkillLifecycleEvent]);
export type LifecycleEvent = z.infer<typeof LifecycleEvent>;
