import { z } from "zod";

/** All that other programs, the web page and the CLI may know of the API. */

export const ErrorBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), issues: z.array(z.unknown()).optional() }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const DaemonStatus = z.object({
  version: z.string(),
  pid: z.number(),
  home: z.string(),
  port: z.number().nullable(),
  startedAtIso: z.string(),
  /** Off when there is no spool folder. */
  recording: z.boolean(),
  /** From the birth of the last event to its row in the database. */
  lagMs: z.number().nullable(),
  spoolDepth: z.number(),
  spoolOldestMs: z.number().nullable(),
  torn: z.number(),
  quarantined: z.number(),
  refused: z.number(),
  events: z.number(),
  sessions: z.number(),
  lastEventPerSource: z.record(z.string(), z.string()),
  log: z.string(),
  /** Long work that is under way. */
  progress: z.object({ work: z.enum(["rebuild", "import"]), done: z.number(), total: z.number() }).nullable(),
  /** What a person should know: the newest last. */
  notices: z.array(z.string()),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

export const ProgressBody = DaemonStatus.pick({ progress: true });

export const Health = z.object({ ok: z.literal(true), version: z.string(), pid: z.number() });
export type Health = z.infer<typeof Health>;

export const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  session: z.string().optional(),
});

export const EventsPage = z.object({
  events: z.array(z.looseObject({ seq: z.number(), id: z.string(), eventType: z.string() })),
  next: z.number(),
});
export type EventsPage = z.infer<typeof EventsPage>;

export const RebuildResult = z.object({ events: z.number(), sessions: z.number() });
export type RebuildResult = z.infer<typeof RebuildResult>;

export const ImportRequest = z.strictObject({ root: z.string().min(1) });

export const ImportResult = z.object({
  files: z.number(),
  bytes: z.number(),
  events: z.number(),
  badLines: z.number(),
});
export type ImportResult = z.infer<typeof ImportResult>;

/** `daemon.json`: how to reach the running daemon. */
export const DaemonFile = z.object({
  version: z.string(),
  pid: z.number(),
  port: z.number().nullable(),
  sock: z.string(),
});
export type DaemonFile = z.infer<typeof DaemonFile>;
