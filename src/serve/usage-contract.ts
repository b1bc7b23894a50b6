import { z } from "zod";
import { Cost, Tokens } from "../monitor/session-snapshot.ts";
import { Instant } from "./query-values.ts";

/** `GET /api/usage`: usage since a time, by day and in total. */
export const UsageQuery = z.object({
  /** Defaults to 30 days ago. */
  since: Instant.optional(),
  /** What each day is split by. */
  by: z.enum(["model", "project"]).default("model"),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const UsageTotals = z.object({
  /** Micro-dollars of the priced part; null when nothing has a price. */
  costMicros: z.number().int().nullable(),
  tokens: Tokens,
});

export const UsagePart = UsageTotals.extend({
  /** A model's name, or a project's path; null where it was not reported. */
  key: z.string().nullable(),
});
export type UsagePart = z.infer<typeof UsagePart>;

export const UsageDay = UsageTotals.extend({
  /** `2026-03-14`, in the daemon's time zone. Days without activity are omitted. */
  day: z.string(),
  sessions: z.number().int(),
  turns: z.number().int(),
  /** How long sessions waited for a person. */
  waitMs: z.number(),
  /** The day's cost and tokens by model or by project, as requested; most expensive first. */
  parts: z.array(UsagePart),
});
export type UsageDay = z.infer<typeof UsageDay>;

export const ProjectUsage = UsageTotals.extend({
  project: z.string().nullable(),
  sessions: z.number().int(),
  turns: z.number().int(),
  waitMs: z.number(),
});
export type ProjectUsage = z.infer<typeof ProjectUsage>;

export const ModelTotal = UsageTotals.extend({
  model: z.string(),
  sessions: z.number().int(),
  /** `reported` by the agent, an `estimate` from the price table, or `unpriced`. */
  source: Cost.shape.source,
});
export type ModelTotal = z.infer<typeof ModelTotal>;

export const ToolUsage = z.object({
  tool: z.string(),
  count: z.number().int(),
  failed: z.number().int(),
});
export type ToolUsage = z.infer<typeof ToolUsage>;

export const UsageReport = z.object({
  since: z.string(),
  /** For the total: whether it was reported, and what has no price. */
  cost: Cost,
  /** The date of the price table behind an estimate. */
  pricesOf: z.string(),
  /** Each counted once, however many projects, days and models it used. */
  sessions: z.number().int(),
  /** Oldest first. */
  days: z.array(UsageDay),
  /** Most expensive first. */
  projects: z.array(ProjectUsage),
  models: z.array(ModelTotal),
  /** Most used first. */
  tools: z.array(ToolUsage),
});
export type UsageReport = z.infer<typeof UsageReport>;
