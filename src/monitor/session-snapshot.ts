import { z } from "zod";

/** What a person sees of one session at one moment. All of it follows from the session's events and the time. */

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

/** What a state rests on, the strongest first. */
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

/** One request that waits for a person, as it was recorded: secrets masked, private text cut, long text shortened. */
export const Waiting = z.object({
  kind: z.enum(["permission", "question", "plan"]),
  /**
   * The request's one id, from its hook's arrival to its answer: of the event that asked, or of the call for a session
   * driven from here; `registry:…` for one that only the agent's own registry tells of.
   */
  requestId: z.string(),
  toolName: z.string().nullable(),
  toolUseId: z.string().nullable(),
  /** The command, the question, the plan: what is to be decided. */
  text: z.string(),
  /** What the agent says the call is for. */
  description: z.string().nullable(),
  questions: z.array(Question),
  /** Of the subagent that asks; null for the main agent. */
  agentId: z.string().nullable(),
  agentType: z.string().nullable(),
  sinceIso: z.string(),
});
export type Waiting = z.infer<typeof Waiting>;

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

/** `reported` by the agent, an `estimate` from our price table, or `unpriced` where a model is in no table. */
export const Cost = z.object({
  /** Micro-dollars of what has a price; null when nothing has. */
  micros: z.number().int().nullable(),
  source: z.enum(["reported", "estimate", "unpriced"]),
  unpricedModels: z.array(z.string()),
});
export type Cost = z.infer<typeof Cost>;

/** Where the agent runs, as far as its start told. */
export const Terminal = z.object({
  /** `socket,pid,session` as tmux puts it into the environment. */
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
  /** False for a run without a person (`claude -p`): it never waits. Null when nobody told. */
  attended: z.boolean().nullable(),
  /** Driven from here: it can be answered, stopped and sent to through `/api/control`. */
  driven: z.boolean(),
  /** Since when it is in this state and phase. */
  sinceIso: z.string(),
  /** One sentence. */
  why: z.string(),
  evidence: z.array(Evidence),
  /** All requests that wait for a person, the oldest first. */
  requests: z.array(Waiting),
  /** The first of them. */
  waiting: Waiting.nullable(),
  /** How many more there are. */
  alsoWaiting: z.number().int(),
  action: CurrentAction.nullable(),
  currentSkill: z.string().nullable(),
  lastUserMessage: z.string().nullable(),
  lastAssistantMessage: z.string().nullable(),
  error: z.object({ kind: z.string(), message: z.string().nullable(), atIso: z.string() }).nullable(),
  /** While it is rate limited; the time is null where nobody told. */
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
  /** How long it has waited for a person in all, without the present wait. */
  humanWaitMs: z.number(),
  startedAtIso: z.string(),
  /** How long it did not run between an end and the next beginning, in all: of what was resumed. */
  stoppedMs: z.number(),
  lastEventAtIso: z.string(),
  endedAtIso: z.string().nullable(),
  endReason: z.string().nullable(),
  transcriptPath: z.string().nullable(),
});
export type SessionSnapshot = z.infer<typeof SessionSnapshot>;
