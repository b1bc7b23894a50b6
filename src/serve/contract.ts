import { z } from "zod";
import { Pause } from "../capture/pauses.ts";
import { Limits, NO_LIMITS } from "../monitor/limits.ts";
import { SessionSnapshot, SessionState } from "../monitor/session-snapshot.ts";
import { Flag, Instant } from "./query-values.ts";

export { ContextSwitches } from "../memory/inject/injection-rules.ts";
export {
  Injection,
  InjectionKind,
  ItemDetail,
  SearchAnswer,
  SearchHit,
  Timeline,
} from "../memory/memory-contract.ts";
export { ItemKind, ItemType } from "../memory/memory-item.ts";
export {
  AwayReport,
  ModelUsage,
  SessionDetail,
  WaitTotals,
} from "../monitor/session-detail.ts";
export { SessionSnapshot } from "../monitor/session-snapshot.ts";
export { CodeAnswer, LoginsAnswer } from "./login-contract.ts";
export {
  ClaudeMemResult,
  type ContextSwitch,
  DigestPreview,
  ForgetRequest,
  ForgetResult,
  InjectionsAnswer,
  ItemsAnswer,
  MarkRequest,
  MemoryImportResult,
  MemoryStatus,
} from "./memory-queries.ts";
export { type ProjectUsage, type UsagePart, UsageReport } from "./usage-contract.ts";

/** The API contract for other programs, the web page and the CLI. */

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
  /** False without a spool folder, and while everything is paused. */
  recording: z.boolean(),
  /** The pauses in force, of everything or of one project. */
  pauses: z.array(Pause).default([]),
  /** Whether any settings we know of contain our hooks; null while unknown. */
  hooksInstalled: z.boolean().nullable().default(null),
  /** Hooks installed from here were removed, and not by `uninstall`. */
  hooksRemoved: z.boolean().default(false),
  /** From the creation of the last live event to its row in the database. */
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
  /** How much of the agent's usage windows is used up, as far as it reported. */
  limits: Limits.default(NO_LIMITS),
  /** Long-running work in progress. */
  progress: z.object({ work: z.enum(["rebuild", "import"]), done: z.number(), total: z.number() }).nullable(),
  /** Null where nothing is controlled: in a command's own process, or from an older daemon. */
  steering: z
    .object({
      /** What the guard of terminal sessions does while the daemon is down: allows calls or denies them. */
      guard: z.enum(["off", "open", "closed"]),
      approve: z.boolean(),
      driven: z.object({ running: z.number(), waiting: z.number(), queued: z.number() }),
      /** Of driven and terminal sessions. */
      requests: z.object({ pending: z.number(), lost: z.number() }),
      /** Problems in rules files. */
      rules: z.array(z.string()),
      /** Tool calls of the last 24 h that ran without an answer from the guard. */
      unchecked: z
        .object({ count: z.number(), lastAtIso: z.string().nullable() })
        .default({ count: 0, lastAtIso: null }),
    })
    .nullable()
    .default(null),
  /** Notices for the user, newest last. */
  notices: z.array(z.string()),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

export const ProgressBody = DaemonStatus.pick({ progress: true });

export const Health = z.object({
  ok: z.literal(true),
  version: z.string(),
  pid: z.number(),
  /** Present while log and database are being opened: other routes may answer 503. */
  starting: z.literal(true).optional(),
});
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

/** A daemon of `version` asks to take over the home, and waits for the answer until `untilMs`. */
export const HandoverRequest = z.object({
  version: z.string(),
  /** Also when the version is the same. */
  restart: z.boolean().default(false),
  untilMs: z.number(),
});
export type HandoverRequest = z.infer<typeof HandoverRequest>;

/** The daemon that hands over exits on its own once everything it accepted is safe. */
export const HandoverResult = z.object({
  version: z.string(),
  pid: z.number(),
  /** Idle driven sessions that it closes. */
  closes: z.number().default(0),
});
export type HandoverResult = z.infer<typeof HandoverResult>;

/** `daemon.json`: how to reach the running daemon. */
export const DaemonFile = z.object({
  version: z.string(),
  pid: z.number(),
  port: z.number().nullable(),
  sock: z.string(),
});
export type DaemonFile = z.infer<typeof DaemonFile>;

/** A position in the stream of changes: `<epoch>-<seq>`. An epoch is one run of a daemon. */
const StreamId = z.string().regex(/^[0-9a-z]+-\d+$/);

export const SessionsQuery = z.object({
  /** One or more, separated by commas. */
  state: z
    .string()
    .optional()
    .transform((value) => (value === undefined ? undefined : value.split(",")))
    .pipe(z.array(SessionState).optional()),
  needsPerson: Flag.optional(),
  /** The project's path, or its last parts. */
  project: z.string().optional(),
  provider: z.string().optional(),
  /** Searches title, prompts and project, ignoring case. */
  q: z.string().optional(),
  /** Sessions with an event at or after this time. */
  since: Instant.optional(),
  /** The `next` of the previous page. */
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type SessionsQuery = z.infer<typeof SessionsQuery>;

/** Sessions by their last event, newest first. */
export const SessionsPage = z.object({
  sessions: z.array(SessionSnapshot),
  next: z.string().nullable(),
  /** Where `/api/stream` continues from this answer. */
  streamId: StreamId,
});
export type SessionsPage = z.infer<typeof SessionsPage>;

export const WaitsQuery = z.object({
  since: Instant.optional(),
  by: z.enum(["day", "project", "session"]).default("day"),
});
export type WaitsQuery = z.infer<typeof WaitsQuery>;

export const AwayQuery = z.object({ since: Instant.optional() });

export const SeenRequest = z.strictObject({ atIso: Instant });

export const SeenResult = z.object({ atIso: z.string() });
export type SeenResult = z.infer<typeof SeenResult>;

/** Messages of `/api/stream`, by their SSE `event` field. All but `gap` carry an id to resume after. */
export const StreamReset = z.object({ sessions: z.array(SessionSnapshot) });
export type StreamReset = z.infer<typeof StreamReset>;
/** `set` holds the fields that changed; all of them when the session is new to the stream. */
export const StreamPatch = z.object({ sessionId: z.string(), set: SessionSnapshot.partial() });
export type StreamPatch = z.infer<typeof StreamPatch>;
/** The cards of that session have changed since `/api/control/cards` was read. */
export const StreamCards = z.object({ sessionId: z.string() });
export type StreamCards = z.infer<typeof StreamCards>;
/** Changes were lost to this client; a reset follows. */
export const StreamGap = z.object({ reason: z.enum(["restarted", "too_old", "too_slow"]) });
export type StreamGap = z.infer<typeof StreamGap>;

/** The answer of `POST /hook/:agent/:event`. */
export const HookAnswer = z.object({
  stored: z.boolean(),
  event_id: z.string().optional(),
  /** For the agent. */
  feedback: z.string().optional(),
  error: z.string().optional(),
});
export type HookAnswer = z.infer<typeof HookAnswer>;
