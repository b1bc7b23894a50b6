import { z } from "zod";
import { RULE_LISTS } from "../policy/edit-rules.ts";
import { VERDICT_STEPS } from "../policy/request.ts";
import { Instant } from "./query-values.ts";

/** What the pages request about the policy besides `/api/control/policy/test`. */

const RuleSummary = z.object({
  id: z.string(),
  source: z.enum(["user", "project", "session"]),
  kind: z.enum(["tool", "protect", "prompt", "reaction"]),
  /** What it applies to: a matcher, a glob, a pattern, an event. */
  match: z.string(),
  /** allow, deny, ask, rewrite; for a reaction, its action. */
  does: z.string(),
  /** A reason, or what a reaction runs or reports; one line. */
  detail: z.string().nullable(),
  /** Only in projects that match this glob. */
  project: z.string().nullable(),
  recipe: z.string().nullable(),
});
export type RuleSummary = z.infer<typeof RuleSummary>;

export const RecipeSummary = z.object({
  name: z.string(),
  description: z.string(),
  needs: z.string().nullable(),
  options: z.array(z.object({ name: z.string(), description: z.string(), default: z.string().nullable() })),
  inUse: z.boolean(),
});
export type RecipeSummary = z.infer<typeof RecipeSummary>;

/** A tool rule as a form edits it. */
const RuleFields = z.strictObject({
  match: z.string().max(10_000),
  // biome-ignore lint/suspicious/noThenProperty: the word that a person writes
  then: z.enum(["allow", "deny", "ask", "rewrite"]),
  reason: z.string().max(10_000).nullable(),
  project: z.string().max(10_000).nullable(),
});
export type RuleFields = z.infer<typeof RuleFields>;

/** `GET /api/policy?project=`: the rules in force, where they are defined, and their problems. */
export const PolicyQuery = z.object({ project: z.string().optional() });
export const PolicyReport = z.object({
  /** The user's file; `text` is null when there is none. */
  file: z.string(),
  text: z.string().nullable(),
  guard: z.object({ on: z.boolean(), failClosed: z.boolean() }),
  rules: z.array(RuleSummary),
  /** The user's tool rules, in the file's order. */
  tools: z.array(RuleFields),
  problems: z.array(
    z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() }),
  ),
  recipes: z.array(RecipeSummary),
});
export type PolicyReport = z.infer<typeof PolicyReport>;

/** `PUT /api/rules`: the user's whole file. Rejected with the lines that are wrong. */
export const RulesChange = z.strictObject({
  text: z.string().max(1_000_000),
  /** The text that was edited; if the file has changed since, nothing is written. */
  was: z.string().nullable().optional(),
});

const Place = z.number().int().min(0).max(100_000);

/** `POST /api/rules/preview`: what a text says, or would say with one change. Nothing is written. */
export const RulesPreviewRequest = z.strictObject({
  text: z.string().max(1_000_000),
  change: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("add"), rule: RuleFields }),
      z.strictObject({ type: z.literal("replace"), index: Place, rule: RuleFields }),
      z.strictObject({ type: z.literal("move"), index: Place, to: Place }),
      z.strictObject({ type: z.literal("remove"), list: z.enum(RULE_LISTS), index: Place }),
    ])
    .nullable()
    .default(null),
});
export type RuleChange = NonNullable<z.infer<typeof RulesPreviewRequest>["change"]>;

export const RulesPreview = z.object({
  text: z.string(),
  rules: z.array(RuleSummary),
  tools: z.array(RuleFields),
  problems: z.array(z.object({ line: z.number(), column: z.number(), message: z.string() })),
});
export type RulesPreview = z.infer<typeof RulesPreview>;

/** `PUT /api/recipes/:name`: adds a recipe to the user's rules, or replaces what it added. */
export const RecipeChange = z.strictObject({
  options: z.record(z.string().max(100), z.string().max(10_000)).default({}),
  /** Only in projects that match this glob. */
  project: z.string().max(10_000).nullable().default(null),
});
export type RecipeChange = z.infer<typeof RecipeChange>;

export const RecipeResult = z.object({
  policy: PolicyReport,
  /** Takes effect once the hooks are updated. */
  install: z.boolean(),
  /** Takes effect in terminals once the guard is on. */
  guard: z.boolean(),
});
export type RecipeResult = z.infer<typeof RecipeResult>;

const Verdict = z.enum(["allow", "deny", "ask"]);

/** `GET /api/verdicts?limit=&session=`: recent verdicts, newest first. */
export const VerdictsQuery = z.object({
  session: z.string().optional(),
  since: Instant.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type VerdictsQuery = z.infer<typeof VerdictsQuery>;
export const JudgedCall = z.object({
  atIso: z.string(),
  sessionId: z.string(),
  toolUseId: z.string().nullable(),
  projectPath: z.string().nullable(),
  /** Null for a prompt. */
  toolName: z.string().nullable(),
  /** The command or the file, on one line; null where unknown. */
  text: z.string().nullable(),
  /** allow, ask, deny, rewrite; for a prompt: block, filter, context. */
  verdict: z.string(),
  step: z.enum(VERDICT_STEPS).nullable(),
  rule: z.string(),
  reason: z.string(),
});
export type JudgedCall = z.infer<typeof JudgedCall>;
export const VerdictsAnswer = z.object({ verdicts: z.array(JudgedCall) });
export type VerdictsAnswer = z.infer<typeof VerdictsAnswer>;

/** `POST /api/policy/replay`: judges recorded calls by other rules than those in force. */
export const ReplayRequest = z.strictObject({
  /** The text of a rules file; missing: the rules in force. */
  rules: z.string().max(1_000_000).optional(),
  /** Defaults to 7 days ago. */
  since: Instant.optional(),
  guardOnly: z.boolean().default(false),
});
export type ReplayRequest = z.infer<typeof ReplayRequest>;
export const ReplayAnswer = z.object({
  sinceIso: z.string(),
  calls: z.number().int(),
  allowed: z.number().int(),
  asked: z.number().int(),
  denied: z.number().int(),
  rewritten: z.number().int(),
  /** Verdicts that differ from those of the rules in force; null when these were replayed. */
  changed: z.number().int().nullable(),
  /** Calls that were not simply allowed, or whose verdict differs; newest first, at most 200. */
  found: z.array(JudgedCall.omit({ projectPath: true, step: true }).extend({ now: Verdict.nullable() })),
  /** Problems in the rules that were sent; then nothing was judged. */
  problems: z.array(z.object({ line: z.number(), column: z.number(), message: z.string() })),
});
export type ReplayAnswer = z.infer<typeof ReplayAnswer>;
