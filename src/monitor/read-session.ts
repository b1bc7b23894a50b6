import { type Activity, attendedOf, readActivity } from "./read-activity.ts";
import { readSubagents, runningSkill, runningTasks } from "./read-agents.ts";
import { readEnd, type SessionEndState } from "./read-end.ts";
import { readStoppedMs } from "./read-stopped.ts";
import { totalWaitMs } from "./read-waits.ts";
import { type Moment, type Reading, readView } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SessionView } from "./session-view.ts";
import { firstLine } from "./tool-text.ts";

/** Reads what a person sees of a session at a moment, from its view and that moment alone. */
export function readSession(view: SessionView, moment: Moment): SessionSnapshot {
  const reading = readView(view, moment);
  const ended = readEnd(reading);
  const process = ended === null ? reading.runningProcess : ended.process;
  const usage = view.usage.read();
  return {
    sessionId: view.sessionId,
    provider: view.provider,
    projectPath: view.project?.value ?? null,
    cwd: view.cwd?.value ?? null,
    title: titleOf(view),
    attended: attendedOf(view, process),
    driven: view.driven !== null && view.driven.state !== "closed",
    ...(ended === null ? runningCondition(reading) : { ...endedCondition(ended), error: errorOf(reading) }),
    lastUserMessage: truncate(view.lastPrompt?.value),
    lastAssistantMessage: truncate(view.lastAnswer?.value),
    model: view.model?.value ?? null,
    permissionMode: modeOf(view),
    gitBranch: view.branch?.value ?? null,
    contextTokens: usage.contextTokens,
    contextWindow: usage.contextWindow,
    tokens: usage.tokens,
    cost: usage.cost,
    turnCount: view.prompts.size,
    toolCount: view.endedCalls.size,
    failedToolCount: view.failedCalls,
    terminal: process?.terminal ?? null,
    pid: process === null || process.pid === 0 ? null : process.pid,
    process: null,
    humanWaitMs: attendedOf(view, process) === false ? 0 : totalWaitMs(view, ended?.atIso ?? null),
    startedAtIso: view.firstAt,
    stoppedMs: readStoppedMs(view),
    lastEventAtIso: view.lastAt === "" ? view.firstAt : view.lastAt,
    transcriptPath: view.transcriptPath?.value ?? null,
  };
}

type Condition = Pick<
  SessionSnapshot,
  | "state"
  | "activityPhase"
  | "needsPerson"
  | "sinceIso"
  | "why"
  | "evidence"
  | "requests"
  | "waiting"
  | "alsoWaiting"
  | "action"
  | "currentSkill"
  | "error"
  | "rateLimit"
  | "subagents"
  | "backgroundTasks"
  | "endedAtIso"
  | "endReason"
>;

function runningCondition(reading: Reading): Condition {
  const activity = readActivity(reading);
  return {
    state: activity.state,
    activityPhase: activity.phase,
    needsPerson: needsPerson(reading, activity),
    sinceIso: activity.sinceIso,
    why: activity.why,
    evidence: [...activity.evidence],
    requests: [...activity.waits],
    waiting: activity.waits[0] ?? null,
    alsoWaiting: Math.max(0, activity.waits.length - 1),
    action: activity.action,
    currentSkill: runningSkill(reading)?.skillName ?? null,
    error: errorOf(reading),
    rateLimit: activity.rateLimit,
    subagents: readSubagents(reading),
    backgroundTasks: runningTasks(reading),
    endedAtIso: null,
    endReason: null,
  };
}

/** An unattended run has no person to notify, unless a request of it is held for one. */
function needsPerson({ view, runningProcess }: Reading, { phase, waits }: Activity): boolean {
  return waits.length > 0 || (attendedOf(view, runningProcess) !== false && phase === "failed");
}

/** The fields common to every session that is over. */
export function endedCondition(ended: SessionEndState): Omit<Condition, "error"> {
  return {
    state: ended.state,
    activityPhase: null,
    needsPerson: false,
    sinceIso: ended.atIso,
    why: ended.why,
    evidence: [ended.evidence],
    requests: [],
    waiting: null,
    alsoWaiting: 0,
    action: null,
    currentSkill: null,
    rateLimit: null,
    subagents: [],
    backgroundTasks: [],
    endedAtIso: ended.atIso,
    endReason: ended.reason,
  };
}

function errorOf({ turn, end }: Reading): SessionSnapshot["error"] {
  if (turn !== null || end?.kind !== "failed") return null;
  return { kind: end.error ?? "unknown", message: truncate(end.message), atIso: end.at };
}

function titleOf({ title: given, generatedTitle, namingPrompt, firstPrompt }: SessionView): string | null {
  const title = (given ?? generatedTitle ?? namingPrompt ?? firstPrompt)?.value;
  return title === undefined ? null : firstLine(title, 120);
}

/**
 * The driver's mode for a driven session; the agent's own only if a terminal resumed it after the driver
 * closed.
 */
function modeOf({ driven, drivenMode, permissionMode }: SessionView): string | null {
  if (drivenMode === null) return permissionMode?.value ?? null;
  const isResumed = driven?.state === "closed" && permissionMode !== null && permissionMode.at > driven.at;
  return isResumed ? permissionMode.value : drivenMode.mode;
}

const MAX_MESSAGE_CHARS = 2_000;

function truncate(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS - 1)}…` : text;
}
