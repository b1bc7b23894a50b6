import { z } from "zod";

/** What a person sees of one session at one moment, derived only from the session's events and the time. */

export const SESSION_STATES = ["active", "idle", "completed", "lost"] as const;
export const SessionState = z.enum(SESSION_STATES);
export type SessionState = z.infer<typeof SessionState>;

const ACTIVITY_PHASES = [
  "busy",
  "compacting",
  "interactable",
  "parked",
  "waiting_permission",
  "waiting_question",
  "waiting_plan",
  "rate_limited",
  "failed",
] as const;
export const ActivityPhase = z.enum(ACTIVITY_PHASES);
export type ActivityPhase = z.infer<typeof ActivityPhase>;

/** The evidence for a state, strongest first. */
export const Evidence = z.object({
  source: z.enum(["hook", "transcript", "registry", "process", "stream", "timer", "driver"]),
  what: z.string(),
  atIso: z.string(),
});
export type Evidence = z.infer<typeof Evidence>;

const Question = z.object({
  question: z.string(),
  header: z.string().nullable(),
  multiSelect: z.boolean(),
  options: z.array(z.object({ label: z.string(), description: z.string().nullable() })),
});

/** One request pending for a person, as recorded: secrets masked, private text cut, long text shortened. */
export const PendingRequest = z.object({
  kind: z.enum(["permission", "question", "plan"]),
  /**
   * The request's one id, from its hook's arrival to its answer: of the event that asked, or of the call for
   * a session driven from here; `registry:…` for one known only from the agent's own registry.
   */
  requestId: z.string(),
  toolName: z.string().nullable(),
  toolUseId: z.string().nullable(),
  /** What is to be decided: the command, the question or the plan. */
  text: z.string(),
  /** What the agent says the call is for. */
  description: z.string().nullable(),
  questions: z.array(Question),
  /** The requesting subagent; null for the main agent. */
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  sinceIso: z.string(),
});
export type PendingRequest = z.infer<typeof PendingRequest>;

export const CurrentAction = z.object({
  toolName: z.string().nullable(),
  text: z.string(),
  toolUseId: z.string().nullable(),
  sinceIso: z.string(),
});
export type CurrentAction = z.infer<typeof CurrentAction>;

export const SubagentSnapshot = z.object({
  agentId: z.string(),
  agentType: z.string().nullable(),
  description: z.string().nullable(),
  isRunning: z.boolean(),
  sinceIso: z.string(),
  action: CurrentAction.nullable(),
});
export type SubagentSnapshot = z.infer<typeof SubagentSnapshot>;

export const BackgroundTask = z.object({
  id: z.string(),
  type: z.string().nullable(),
  description: z.string().nullable(),
});
export type BackgroundTask = z.infer<typeof BackgroundTask>;

export const Tokens = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
export type Tokens = z.infer<typeof Tokens>;

/** `reported` by the agent, an `estimate` from our price table, or `unpriced` if a model is in no table. */
export const Cost = z.object({
  /** Micro-dollars of the priced part; null when nothing is priced. */
  micros: z.number().int().nullable(),
  source: z.enum(["reported", "estimate", "unpriced"]),
  unpricedModels: z.array(z.string()),
});
export type Cost = z.infer<typeof Cost>;

/** Where the agent runs, as far as its start event shows. */
export const Terminal = z.object({
  /** `socket,pid,session` as tmux sets it in the environment. */
  tmux: z.string().nullable(),
  tmuxPane: z.string().nullable(),
  program: z.string().nullable(),
  sessionId: z.string().nullable(),
  sshTty: z.string().nullable(),
});
export type Terminal = z.infer<typeof Terminal>;

export const SessionSnapshot = z.object({
  sessionId: z.string(),
  provider: z.string(),
  projectPath: z.string().nullable(),
  cwd: z.string().nullable(),
  title: z.string().nullable(),
  state: SessionState,
  /** Null when the session is over. */
  activityPhase: ActivityPhase.nullable(),
  needsPerson: z.boolean(),
  /** False for an unattended run (`claude -p`): it never waits. Null if unknown. */
  attended: z.boolean().nullable(),
  /** Driven from here: it can be answered, stopped and sent to through `/api/control`. */
  driven: z.boolean(),
  /** Start of the current state and phase. */
  sinceIso: z.string(),
  /** One sentence that gives the reason for the state. */
  why: z.string(),
  evidence: z.array(Evidence),
  /** All requests pending for a person, oldest first. */
  requests: z.array(PendingRequest),
  /** The first of `requests`. */
  waiting: PendingRequest.nullable(),
  /** The number of further requests. */
  alsoWaiting: z.number().int(),
  action: CurrentAction.nullable(),
  currentSkill: z.string().nullable(),
  lastUserMessage: z.string().nullable(),
  lastAssistantMessage: z.string().nullable(),
  error: z.object({ kind: z.string(), message: z.string().nullable(), atIso: z.string() }).nullable(),
  /** Set while rate limited; the time is null if unknown. */
  rateLimit: z.object({ untilIso: z.string().nullable() }).nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  gitBranch: z.string().nullable(),
  contextTokens: z.number().nullable(),
  contextWindow: z.number().nullable(),
  tokens: Tokens,
  cost: Cost,
  turnCount: z.number().int(),
  toolCount: z.number().int(),
  failedToolCount: z.number().int(),
  subagents: z.array(SubagentSnapshot),
  backgroundTasks: z.array(BackgroundTask),
  terminal: Terminal.nullable(),
  pid: z.number().nullable(),
  process: z.object({ cpuPercent: z.number().nullable(), memoryBytes: z.number().nullable() }).nullable(),
  /** Total time it has waited for a person, without the current wait. */
  humanWaitMs: z.number(),
  startedAtIso: z.string(),
  /** Total time it did not run between an end and the next start, for a resumed session. */
  stoppedMs: z.number(),
  lastEventAtIso: z.string(),
  endedAtIso: z.string().nullable(),
  endReason: z.string().nullable(),
  transcriptPath: z.string().nullable(),
});
export type SessionSnapshot = z.infer<typeof SessionSnapshot>;
