import { z } from "zod";

/** What the pages request about the daemon itself: its settings, doctor and sample. */

export const Setting = z.object({
  /** Dotted: `approve.holdSeconds`. */
  key: z.string(),
  value: z.unknown(),
  default: z.unknown(),
  description: z.string(),
  /** The kind of value that it accepts. */
  kind: z.enum(["switch", "number", "choice", "list", "text"]),
  choices: z.array(z.string()),
  /** Whether null is a value. */
  nullable: z.boolean(),
  /** Takes effect immediately; otherwise at the next start of the daemon. */
  live: z.boolean(),
});
export type Setting = z.infer<typeof Setting>;

export const ConfigAnswer = z.object({
  settings: z.array(Setting),
  /** Where data is stored. */
  places: z.array(z.object({ key: z.string(), path: z.string() })),
});
export type ConfigAnswer = z.infer<typeof ConfigAnswer>;

export const ConfigChange = z.strictObject({ key: z.string(), value: z.unknown() });
export type ConfigChange = z.infer<typeof ConfigChange>;

/** As `hookline doctor --json` prints it. */
export const DoctorAnswer = z.object({
  checks: z.array(
    z.object({
      code: z.string(),
      status: z.enum(["ok", "warn", "fail", "skipped"]),
      found: z.string(),
      remedy: z.string().nullable(),
      fixable: z.boolean(),
    }),
  ),
  fixed: z.array(z.object({ code: z.string(), did: z.string() })),
});
export type DoctorAnswer = z.infer<typeof DoctorAnswer>;

export const SampleAnswer = z.object({
  /** The loaded sample's session, if any. */
  sessionId: z.string().nullable(),
});
export type SampleAnswer = z.infer<typeof SampleAnswer>;
