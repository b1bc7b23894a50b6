import { z } from "zod";
import { DrivenState, SettledBy, TokenUsage } from "./envelope.ts";

/** What clients of `/api/control` send and get. */

export const CardKind = z.enum(["permission", "question", "plan"]);
export type CardKind = z.infer<typeof CardKind>;

/**
 * A request that waits for a person, of a driven session or of one in somebody's terminal, raw and whole: nothing of it
 * is masked or shortened, and it is never stored in this form.
 */
export const Card = z.object({
  /** The request's one id, the same as in a session's `requests`. */
  id: z.string(),
  sessionId: z.string(),
  source: z.enum(["driven", "terminal"]),
  kind: CardKind,
  toolName: z.string(),
  toolUseId: z.string().nullable(),
  input: z.unknown(),
  /** As the agent asked them; empty for other kinds. */
  questions: z.array(z.unknown()),
  plan: z.string().nullable(),
  reason: z.string().nullable(),
  rule: z.string().nullable(),
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  projectPath: z.string().nullable(),
  cwd: z.string().nullable(),
  sinceIso: z.string(),
  /** Until when it can be answered here; null: as long as it waits. */
  untilIso: z.string().nullable(),
  /** `terminal`: it still waits, and only its terminal can answer. */
  status: z.enum(["pending", "terminal", "settled", "lost"]),
  /** For `terminal`: why. `released`: it is no longer held: its time is over, nobody was looking, or answers from here were switched off. `too_large`: it cannot be shown here. */
  whyTerminal: z.enum(["released", "too_large"]).nullable(),
  /** Size of the input as JSON; over the limit `input` is left out. */
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

/** Not `z.record`, which leaves out a question that is called `__proto__`. */
function isTexts(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

/** One answer to a card. What fits which kind is checked against the card. */
export const CardAnswer = z.strictObject({
  decision: z.enum(["allow", "allowAll", "deny"]).optional(),
  /** For allowAll; `exact` is this very input again, `tool` every call of the tool, both for this session only. */
  scope: z.enum(["exact", "tool"]).optional(),
  message: z.string().max(10_000).optional(),
  /** Ends the turn as well. */
  interrupt: z.boolean().optional(),
  /** Replaces the call's input, for allow. */
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  /** By the question's text; several choices with commas. */
  answers: z.custom<Readonly<Record<string, string>>>(isTexts, "texts by question").optional(),
  /** A free reply to all questions at once. */
  response: z.string().max(10_000).optional(),
  /** For a plan: the mode it is carried out in. */
  mode: z.enum(["default", "acceptEdits"]).optional(),
  /** Hash of the request as the client rendered it (`hashShown`); over HTTP it must match what waits. */
  shown: z.string().max(100).optional(),
  who: z.string().max(200).optional(),
  commandId: z.string().max(200).optional(),
});
export type CardAnswer = z.infer<typeof CardAnswer>;

/** A client that a person looks at, and the requests on its screen; `looking: false` when they look away. */
export const ViewerRequest = z.strictObject({
  viewer: z.string().min(1).max(100),
  looking: z.boolean(),
  /** The one session it shows; null for all. */
  sessionId: z.string().max(200).nullable().default(null),
  requests: z.array(z.string().max(200)).max(500).default([]),
});
export type ViewerRequest = z.infer<typeof ViewerRequest>;

const CommandId = z.string().min(1).max(200).optional();
const Mode = z.enum(["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]);

/** What the caller's environment may lend a session: kept in memory, never written. */
export const Credentials = z.record(z.string(), z.string());

export const StartRequest = z.strictObject({
  commandId: CommandId,
  cwd: z.string().min(1),
  prompt: z.string().optional(),
  mode: Mode.default("default"),
  model: z.string().optional(),
  /** The Claude session to go on with. */
  resume: z.string().optional(),
  /** With `resume`: a new session that begins as a copy of it. */
  fork: z.boolean().default(false),
  /** With `resume`: up to this message. */
  resumeAt: z.string().optional(),
  maxBudgetUsd: z.number().positive().optional(),
  maxTurns: z.number().int().positive().optional(),
  /** Further folders that count as inside. */
  addDirs: z.array(z.string()).default([]),
  credentials: Credentials.optional(),
  /** `subscription`: a claude.ai login may be used. */
  billing: z.enum(["api", "subscription"]).optional(),
  who: z.string().max(200).optional(),
});
export type StartRequest = z.infer<typeof StartRequest>;
export type StartInput = z.input<typeof StartRequest>;

/** What the model's API takes; another would break every later turn as well. */
const Image = z.strictObject({
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: z.base64().min(1),
});

export const SendRequest = z.strictObject({
  commandId: CommandId,
  text: z.string().min(1),
  images: z.array(Image).max(20).default([]),
  /** Stops the running turn first; else it waits for its turn, or joins the running one. */
  interrupt: z.boolean().default(false),
  who: z.string().max(200).optional(),
});
export type SendRequest = z.infer<typeof SendRequest>;

export const ModeRequest = z.strictObject({ commandId: CommandId, mode: Mode, who: z.string().optional() });
export const ModelRequest = z.strictObject({ commandId: CommandId, model: z.string().min(1) });
export const RewindRequest = z.strictObject({
  commandId: CommandId,
  /** The user message back to which files are taken. */
  messageId: z.string().min(1),
  dryRun: z.boolean().default(false),
});
export type RewindRequest = z.infer<typeof RewindRequest>;

/** A driven session as a list shows it. */
export const DrivenSession = z.object({
  sessionId: z.string(),
  claudeSessionId: z.string().nullable(),
  cwd: z.string(),
  projectPath: z.string().nullable(),
  state: DrivenState,
  /** More of the state: why it waits for a place, or why it is over. */
  why: z.string().nullable().default(null),
  mode: z.string(),
  model: z.string().nullable(),
  epoch: z.string(),
  /** Of the last envelope that is kept. */
  seq: z.number(),
  startedAtIso: z.string(),
  partialText: z.string(),
  tools: z.array(z.object({ toolUseId: z.string(), tool: z.string() })),
  pending: z.array(Card),
  queuedMessages: z.number(),
  /** Agents and commands that go on in the background. */
  backgroundTasks: z.number().default(0),
  usage: TokenUsage,
  totalCostUsd: z.number(),
  maxBudgetUsd: z.number().nullable(),
  /** What it runs on and who pays, in words. */
  billing: z.string().nullable(),
  pid: z.number().nullable(),
});
export type DrivenSession = z.infer<typeof DrivenSession>;

/** Whether it does something, or waits to; an idle one loses nothing by being closed, and can be resumed. */
export function isAtWork({ state, backgroundTasks }: DrivenSession): boolean {
  return state !== "closed" && (state !== "idle" || backgroundTasks > 0);
}

/** What `claude` there is, and what using it will cost whom; told before the first message. */
export const ClaudeReport = z.object({
  sdk: z.object({ found: z.boolean(), version: z.string().nullable(), message: z.string().nullable() }),
  claude: z.object({
    path: z.string().nullable(),
    version: z.string().nullable(),
    message: z.string().nullable(),
  }),
  login: z.enum(["api_key", "cloud", "subscription", "helper", "none"]),
  /** Whether a session can start with what is there and chosen. */
  usable: z.boolean(),
  /** A sentence: what will be billed, or why nothing can start. */
  billing: z.string(),
});
export type ClaudeReport = z.infer<typeof ClaudeReport>;

/** What of a repository would run or loosen rules, and whether exactly that was approved. */
export const TrustReport = z.object({
  root: z.string(),
  /** Of everything listed; null when there is nothing to trust. */
  hash: z.string().nullable(),
  trusted: z.boolean(),
  /** It was approved with other content. */
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

export const DrivenList = z.object({ sessions: z.array(DrivenSession) });
export const CardList = z.object({ cards: z.array(Card) });

/** Of `attach`: it broke off for this client, which is to attach again after `after`. */
export const AttachGap = z.object({
  reason: z.enum(["too_slow", "unknown_place"]),
  after: z.number(),
});
export type AttachGap = z.infer<typeof AttachGap>;
