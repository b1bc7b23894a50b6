import { z } from "zod";
import { ProjectGlob } from "./project-glob.ts";
import { PromptEntry } from "./prompt-rules.ts";
import { ReactionEntry } from "./reaction-rules.ts";
import { PERMISSION_MODES } from "./request.ts";
import { Matcher } from "./rules-matcher.ts";
import { Pattern } from "./rules-pattern.ts";

/** One entry of `tools`. */
export const ToolEntry = z.strictObject({
  id: z.string().optional(),
  recipe: z.string().optional(),
  match: Matcher,
  // biome-ignore lint/suspicious/noThenProperty: the key in a rules file
  then: z.enum(["allow", "deny", "ask", "rewrite"]),
  reason: z.string().min(1).optional(),
  project: ProjectGlob.optional(),
  agentType: z.string().min(1).optional(),
  modes: z.array(z.enum(PERMISSION_MODES)).min(1).optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  replace: z
    .array(z.strictObject({ field: z.string().min(1), find: Pattern, with: z.string() }))
    .min(1)
    .optional(),
});
export type ToolEntry = z.infer<typeof ToolEntry>;

const ProtectEntry = z.union(
  [
    z.string().min(1),
    z.strictObject({
      path: z.string().min(1),
      recipe: z.string().optional(),
      project: ProjectGlob.optional(),
    }),
  ],
  { error: 'a glob of files, or an object with "path"' },
);

/** `rules.json`: a user's, or in the `.hookline` of a project. */
export const RulesFile = z.strictObject({
  tools: z.array(ToolEntry).default([]),
  protect: z.array(ProtectEntry).default([]),
  prompts: z.array(PromptEntry).default([]),
  reactions: z.array(ReactionEntry).default([]),
});
export type RulesFile = z.infer<typeof RulesFile>;
