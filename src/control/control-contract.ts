import { z } from "zod";
import { DrivenState, SettledBy, TokenUsage } from "./envelope.ts";

/** What clients of `/api/control` send and receive. */

export const CardKind = z.enum(["permission", "question", "plan"]);
export type CardKind = z.infer<typeof CardKind>;

/**
 * A request that waits for a person, in a driven or a terminal session. Raw and complete: nothing is masked
 * or shortened, and it is never stored in this form.
 */
export const Card = z.object({
  /** The request's unique id, the same as in a session's `requests`. */
  id: z.string(),
  sessionId: z.string(),
  source: z.enum(["driven", "terminal"]),
  kind: CardKind,
  toolName: z.string(),
  toolUseId: z.string().nullable(),
  input: z.unknown(),
  /** As the agent sent them; empty for other kinds. */
  questions: z.array(z.unknown()),
  plan: z.string().nullable(),
  reason: z.string().nullable(),
  rule: z.string().nullable(),
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  projectPath: z.string().nullable(),
  cwd: z.string().nullable(),
  sinceIso: z.string(),
  /** Deadline for answering here; null: as long as it is pending. */
  untilIso: z.string().nullable(),
  /** `terminal`: still pending, but only its terminal can answer. */
  status: z.enum(["pending", "terminal", "settled", "lost"]),
  /**
   * Why only the terminal can answer. `released`: no longer held, because it timed out, had no viewer, or
   * remote answers were switched off. `too_large`: it cannot be shown here.
   */
  whyTerminal: z.enum(["released", "too_large"]).nullable(),
  /** Size of the input as JSON; above the limit, `input` is omitted. */
  inputBytes: z.number(),
  settled: z
    .object({
      outcome: z.string(),
      by: SettledBy,
      who: z.string().nullable(),
      rule: z.string().nullable(),
      atIso: z.string(),
    })
    .nullable(),
});
export type Card = z.infer<typeof Card>;

/** Not `z.record`, which drops a question named `__proto__`. */
function isStringRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

/** One answer to a card. Which fields fit which kind is checked against the card. */
export const CardAnswer = z.strictObject({
  decision: z.enum(["allow", "allowAll", "deny"]).optional(),
  /** For allowAll, in this session only: `exact` allows this same input, `tool` every call of the tool. */
  scope: z.enum(["exact", "tool"]).optional(),
  message: z.string().max(10_000).optional(),
  /** Also ends the turn. */
  interrupt: z.boolean().optional(),
  /** For allow: replaces the call's input. */
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  /** Keyed by the question's text; multiple choices are separated by commas. */
  answers: z.custom<Readonly<Record<string, string>>>(isStringRecord, "texts by question").optional(),
  /** A free-text reply to all questions. */
  response: z.string().max(10_000).optional(),
  /** For a plan: the mode to carry it out in. */
  mode: z.enum(["default", "acceptEdits"]).optional(),
  /** Hash of the request as the client rendered it (`hashShown`); over HTTP it must match. */
  shown: z.string().max(100).optional(),
  who: z.string().max(200).optional(),
  commandId: z.string().max(200).optional(),
});
export type CardAnswer = z.infer<typeof CardAnswer>;

/** A client in front of a person and the requests on its screen; `looking: false` when it loses focus. */
export const ViewerRequest = z.strictObject({
  viewer: z.string().min(1).max(100),
  looking: z.boolean(),
  /** The only session it shows; null for all. */
  sessionId: z.string().max(200).nullable().default(null),
  requests: z.array(z.string().max(200)).max(500).default([]),
});
export type ViewerRequest = z.infer<typeof ViewerRequest>;

const CommandId = z.string().min(1).max(200).optional();
const Mode = z.enum(["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]);

/** Credentials from the caller's environment: held in memory, never written. */
export const Credentials = z.record(z.string(), z.string());

/** The formats that the model's API accepts; any other would break every later turn too. */
const Image = z.strictObject({
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: z.base64().min(1),
});
export type Image = z.infer<typeof Image>;

export const StartRequest = z.strictObject({
  commandId: CommandId,
  cwd: z.string().min(1),
  prompt: z.string().optional(),
  /** Sent with `prompt`. */
  images: z.array(Image).max(20).optional(),
  mode: Mode.default("default"),
  model: z.string().optional(),
  /** The Claude session to resume. */
  resume: z.string().optional(),
  /** With `resume`: starts a new session as a copy of it. */
  fork: z.boolean().default(false),
  /** With `resume`: only up to this message. */
  resumeAt: z.string().optional(),
  maxBudgetUsd: z.number().positive().optional(),
  maxTurns: z.number().int().positive().optional(),
  /** Additional folders that count as inside the workspace. */
  addDirs: z.array(z.string()).default([]),
  credentials: Credentials.optional(),
  /** `subscription`: a claude.ai login may be used. */
  billing: z.enum(["api", "subscription"]).optional(),
  who: z.string().max(200).optional(),
});
export type StartRequest = z.infer<typeof StartRequest>;
export type StartInput = z.input<typeof StartRequest>;

export const SendRequest = z.strictObject({
  commandId: CommandId,
  text: z.string().min(1),
  images: z.array(Image).max(20).default([]),
  /** Stops the running turn first; otherwise the message is queued or joins the running turn. */
  interrupt: z.boolean().default(false),
  who: z.string().max(200).optional(),
});
export type SendRequest = z.infer<typeof SendRequest>;

export const ModeRequest = z.strictObject({ commandId: CommandId, mode: Mode, who: z.string().optional() });
export const ModelRequest = z.strictObject({ commandId: CommandId, model: z.string().min(1) });
export const RewindRequest = z.strictObject({
  commandId: CommandId,
  /** The user message to restore files to. */
  messageId: z.string().min(1),
  dryRun: z.boolean().default(false),
});
export type RewindRequest = z.infer<typeof RewindRequest>;

/** A driven session as shown in lists. */
export const DrivenSession = z.object({
  sessionId: z.string(),
  claudeSessionId: z.string().nullable(),
  cwd: z.string(),
  projectPath: z.string().nullable(),
  state: DrivenState,
  /** Details of the state: why it is queued or why it ended. */
  why: z.string().nullable().default(null),
  mode: z.string(),
  model: z.string().nullable(),
  epoch: z.string(),
  /** Seq of the last stored envelope. */
  seq: z.number(),
  startedAtIso: z.string(),
  partialText: z.string(),
  tools: z.array(z.object({ toolUseId: z.string(), tool: z.string() })),
  pending: z.array(Card),
  queuedMessages: z.number(),
  /** Agents and commands running in the background. */
  backgroundTasks: z.number().default(0),
  usage: TokenUsage,
  totalCostUsd: z.number(),
  maxBudgetUsd: z.number().nullable(),
  /** What it runs on and who pays, as text. */
  billing: z.string().nullable(),
  pid: z.number().nullable(),
});
export type DrivenSession = z.infer<typeof DrivenSession>;

/** Whether it is working or about to; an idle session loses nothing by being closed and can be resumed. */
export function isBusy({ state, backgroundTasks }: DrivenSession): boolean {
  return state !== "closed" && (state !== "idle" || backgroundTasks > 0);
}

/** Which `claude` is available, and what it costs and who pays; shown before the first message. */
export const ClaudeReport = z.object({
  sdk: z.object({ found: z.boolean(), version: z.string().nullable(), message: z.string().nullable() }),
  claude: z.object({
    path: z.string().nullable(),
    version: z.string().nullable(),
    message: z.string().nullable(),
  }),
  login: z.enum(["api_key", "cloud", "subscription", "helper", "none"]),
  /** Whether a session can start with what is installed and configured. */
  usable: z.boolean(),
  /** One sentence: what will be billed, or why nothing can start. */
  billing: z.string(),
});
export type ClaudeReport = z.infer<typeof ClaudeReport>;

/** Completions of a typed path; folders end with a slash. */
export const PathList = z.object({ paths: z.array(z.string()) });
export type PathList = z.infer<typeof PathList>;

/** What in a repository would run code or loosen rules, and whether exactly that was approved. */
export const TrustReport = z.object({
  root: z.string(),
  /** Covers everything listed; null when there is nothing to trust. */
  hash: z.string().nullable(),
  trusted: z.boolean(),
  /** It was approved, but with different content. */
  changed: z.boolean(),
  approvedAtIso: z.string().nullable(),
  items: z.array(
    z.object({
      file: z.string(),
      kind: z.enum(["mcp", "hooks", "permissions", "settings", "rules", "instructions", "code"]),
      /** What would run or change, one line each. */
      lines: z.array(z.string()),
      problem: z.string().nullable(),
    }),
  ),
});
export type TrustReport = z.infer<typeof TrustReport>;

export const TrustApproval = z.object({
  /** The project's root, or the deepest folder with files of its own. */
  folder: z.string(),
  /** Of everything that was approved. */
  hash: z.string(),
  approvedAtIso: z.string(),
});
export type TrustApproval = z.infer<typeof TrustApproval>;
export const TrustApprovals = z.object({ approvals: z.array(TrustApproval) });
export type TrustApprovals = z.infer<typeof TrustApprovals>;

export const DrivenList = z.object({ sessions: z.array(DrivenSession) });
export const CardList = z.object({ cards: z.array(Card) });

/** Sent by `attach` when it drops this client, which should attach again after `after`. */
export const AttachGap = z.object({
  reason: z.enum(["too_slow", "unknown_place"]),
  after: z.number(),
});
export type AttachGap = z.infer<typeof AttachGap>;
