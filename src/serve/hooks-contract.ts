import { z } from "zod";

/** `GET /api/hooks`: which settings files hold our hooks, and what they ask the daemon. */
export const HooksAnswer = z.object({
  /** The settings that a change writes; where nothing is installed yet, the user's. */
  files: z.array(
    z.object({
      path: z.string(),
      scope: z.enum(["user", "project"]),
      /** Whether it holds any of our hooks. */
      installed: z.boolean(),
      /** Its hooks differ from those that the configuration and the rules call for. */
      outdated: z.boolean(),
    }),
  ),
  guard: z.object({ on: z.boolean(), failClosed: z.boolean() }),
  approve: z.object({ on: z.boolean() }),
  /** Why nothing can be changed: a settings file that is not valid, say. */
  problem: z.string().nullable(),
});
export type HooksAnswer = z.infer<typeof HooksAnswer>;

/** `PUT /api/hooks`: what `hookline install` does with these switches. Missing: as configured. */
export const HooksChange = z.strictObject({
  guard: z.boolean().optional(),
  failClosed: z.boolean().optional(),
  approve: z.boolean().optional(),
});
export type HooksChange = z.infer<typeof HooksChange>;

export const HooksResult = HooksAnswer.extend({
  /** The settings files that were changed. */
  written: z.array(
    z.object({ path: z.string(), added: z.number(), updated: z.number(), removed: z.number() }),
  ),
});
export type HooksResult = z.infer<typeof HooksResult>;
