import { questionsOf } from "../agents/questions.ts";
import { isPlainObject } from "../event/canonical.ts";
import { currentCall, runningSkill, runningSubagents, runningTasks, toAction } from "./read-agents.ts";
import { lastMainAgentAt } from "./read-turns.ts";
import { lastClosedAt, openWaits } from "./read-waits.ts";
import type { Reading } from "./reading.ts";
import type { ActivityPhase, CurrentAction, Evidence, PendingRequest } from "./session-snapshot.ts";
import {
  type CallView,
  isAfter,
  type ProcessView,
  type SessionView,
  type SkillView,
  type StatusView,
  type WaitView,
} from "./session-view.ts";
import { callLine, callText, firstLine, firstLineWithEllipsis } from "./tool-text.ts";

/** Without events for this long, a session with no known activity is idle. */
export const IDLE_MS = 5 * 60_000;

/** What a running session is doing, since when, and the evidence. */
export interface Activity {
  readonly state: "active" | "idle";
  readonly phase: ActivityPhase;
  readonly sinceIso: string;
  readonly why: string;
  readonly evidence: readonly Evidence[];
  readonly waits: readonly PendingRequest[];
  readonly action: CurrentAction | null;
  readonly rateLimit: { readonly untilIso: string | null } | null;
}

export function readActivity(reading: Reading): Activity {
  return (
    readWaiting(reading) ??
    readCompaction(reading) ??
    readWork(reading) ??
    readStart(reading) ??
    readBetweenTurns(reading)
  );
}

/** A driven session can be answered, whatever its process reports. */
export function attendedOf({ driven }: SessionView, process: ProcessView | null): boolean | null {
  return driven === null ? (process?.attended ?? null) : true;
}

const ACTIVE_DEFAULTS = { state: "active", waits: [], action: null, rateLimit: null } as const;

const WAITING_PHASE = {
  permission: "waiting_permission",
  question: "waiting_question",
  plan: "waiting_plan",
} as const;

function readWaiting(reading: Reading): Activity | null {
  const { view, status, runningProcess } = reading;
  const isAttended = attendedOf(view, runningProcess) !== false;
  // An unattended run cannot be answered, unless a request of it is held for a person.
  const waits = openWaits(view).filter((wait) => isAttended || isHeld(view, wait));
  const registryWait = isAttended && status?.status === "waiting" ? status : null;
  const requests = waits.map((wait) => toWaiting(view, wait));
  if (requests.length === 0) {
    if (
      registryWait === null ||
      registryWait.at < lastMainAgentAt(view) ||
      registryWait.at <= lastClosedAt(view)
    )
      return null;
    requests.push(unreportedWait(reading, registryWait));
  }
  const first = requests[0]!;
  const evidence: Evidence[] = waits.slice(0, 1).map((wait) => ({
    source: wait.drivenId !== null ? "driver" : sourceOf(wait.isHook),
    what: "request",
    atIso: wait.at,
  }));
  if (registryWait !== null)
    evidence.push({ source: "registry", what: registryWait.waitingFor ?? "waiting", atIso: registryWait.at });
  const phase = WAITING_PHASE[first.kind];
  return {
    ...ACTIVE_DEFAULTS,
    phase,
    sinceIso: first.sinceIso,
    why: whyWaiting(first),
    evidence,
    waits: requests,
  };
}

function isHeld(view: SessionView, { id }: WaitView): boolean {
  const hold = view.holds.get(id);
  return hold !== undefined && hold.endedAt === null;
}

function toWaiting(view: SessionView, wait: WaitView): PendingRequest {
  return {
    kind: wait.kind,
    requestId: wait.drivenId ?? wait.id,
    toolName: wait.toolName,
    toolUseId: wait.call?.toolUseId ?? null,
    text: callText(wait),
    description: descriptionOf(wait.input),
    questions: wait.kind === "question" ? questionsOf(wait.input) : [],
    agentId: wait.agentId,
    agentType: wait.agentId === null ? null : (view.subagents.get(wait.agentId)?.agentType ?? null),
    sinceIso: wait.at,
  };
}

function descriptionOf(input: unknown): string | null {
  const description = isPlainObject(input) ? input["description"] : undefined;
  return typeof description === "string" && description !== "" ? description : null;
}

/** The agent's registry says it waits, but no hook reported for what: most likely its newest call. */
function unreportedWait(reading: Reading, status: StatusView): PendingRequest {
  const call = currentCall(reading, null);
  return {
    kind: status.waitingFor === "input needed" ? "question" : "permission",
    requestId: `registry:${reading.view.sessionId}:${status.at}`,
    toolName: call?.toolName ?? null,
    toolUseId: call?.toolUseId ?? null,
    text: call === null ? (status.waitingFor ?? "") : callText(call),
    description: descriptionOf(call?.input),
    questions: call === null ? [] : questionsOf(call.input),
    agentId: null,
    agentType: null,
    sinceIso: status.at,
  };
}

function whyWaiting(waiting: PendingRequest): string {
  const isSubagent = waiting.agentId !== null;
  const text = waiting.text === "" ? "" : `: ${firstLineWithEllipsis(waiting.text)}`;
  if (waiting.kind === "question") return `${isSubagent ? "Subagent asks" : "Asks"}${text || " a question"}`;
  const wants = isSubagent ? "Subagent wants" : "Wants";
  if (waiting.kind === "plan") return `${wants} approval for a plan${text}`;
  return `${wants} to run ${waiting.toolName ?? "a tool"}${text}`;
}

function readCompaction({ view, end }: Reading): Activity | null {
  const { compactionStarted: started, compactionEnded: ended } = view;
  if (started === null || (ended !== null && !isAfter(started, ended))) return null;
  if (end !== null && isAfter(end, started)) return null;
  const evidence: Evidence = { source: "hook", what: "compaction started", atIso: started.at };
  const why = "Compacting the conversation.";
  return { ...ACTIVE_DEFAULTS, phase: "compacting", sinceIso: started.at, why, evidence: [evidence] };
}

function readWork(reading: Reading): Activity | null {
  const { view, turn, status, end } = reading;
  if (turn === null) {
    const skill = runningSkill(reading);
    if (skill !== null) return readSkill(reading, skill);
    // No hook reported this turn; the agent's own registry says it is busy.
    if (status?.status !== "busy" || status.at <= view.lastAt || status.at <= (end?.at ?? "")) return null;
    const evidence: Evidence = { source: "registry", what: "busy", atIso: status.at };
    const why = "The agent reports that it is busy.";
    return { ...ACTIVE_DEFAULTS, phase: "busy", sinceIso: status.at, why, evidence: [evidence] };
  }
  const call = currentCall(reading, null);
  const sinceIso = turn.start?.at ?? turn.active.at;
  const what = call === null ? "turn" : "tool call";
  const evidence: Evidence[] = [{ source: sourceOf(turn.active.isHook), what, atIso: turn.active.at }];
  const retry = view.retry !== null && view.retry.at >= turn.active.at ? view.retry : null;
  if (retry?.value.status === 429) {
    const { untilIso } = retry.value;
    const why = `Rate limited by the API${untilIso === null ? "" : `; retrying at ${untilIso}`}.`;
    const rateLimitEvidence: Evidence = { source: "transcript", what: "error 429", atIso: retry.at };
    const rateLimit = { untilIso };
    return {
      ...ACTIVE_DEFAULTS,
      phase: "rate_limited",
      sinceIso: retry.at,
      why,
      evidence: [rateLimitEvidence],
      rateLimit,
    };
  }
  const registryBusy = status?.status === "busy" && status.at > sinceIso ? status : null;
  if (registryBusy !== null) evidence.push({ source: "registry", what: "busy", atIso: registryBusy.at });
  const actionText =
    retry === null
      ? "thinking"
      : `retrying after API error${retry.value.status === null ? "" : ` ${retry.value.status}`}`;
  const action =
    call === null
      ? { toolName: null, text: actionText, toolUseId: null, sinceIso: turn.active.at }
      : toAction(call);
  const busy: Activity = {
    ...ACTIVE_DEFAULTS,
    phase: "busy",
    sinceIso,
    why: whyBusy(reading, call),
    evidence,
    action,
  };
  const isWorking = call !== null || runningSubagents(reading).length > 0;
  return isWorking ? busy : idleIfQuiet(reading, busy);
}

/** A program that reports skills but no turns: the session is busy while a skill is in progress. */
function readSkill(reading: Reading, { skillName, startAt }: SkillView): Activity {
  const sinceIso = startAt!;
  const evidence: Evidence = { source: "stream", what: "skill", atIso: sinceIso };
  const why = `Running the skill ${skillName}.`;
  return idleIfQuiet(reading, { ...ACTIVE_DEFAULTS, phase: "busy", sinceIso, why, evidence: [evidence] });
}

function whyBusy({ view }: Reading, call: CallView | null): string {
  if (call !== null) return `Running ${call.toolName ?? "a tool"}: ${callLine(call)}`;
  const prompt = view.lastPrompt?.value;
  return prompt === undefined ? "Working on a turn." : `Working on: ${firstLine(prompt)}`;
}

/** How long a new session has to report activity before it counts as waiting for a prompt. */
const START_GRACE_MS = 3_000;

function readStart({ runningProcess, end, moment }: Reading): Activity | null {
  const start = runningProcess?.start ?? null;
  if (start === null || moment.quietMs >= START_GRACE_MS || (end !== null && !isAfter(start, end)))
    return null;
  const evidence: Evidence = { source: sourceOf(start.isHook), what: "session started", atIso: start.at };
  return {
    ...ACTIVE_DEFAULTS,
    phase: "busy",
    sinceIso: start.at,
    why: "Starting.",
    evidence: [evidence],
  };
}

const END_LABEL = { ended: "turn ended", failed: "turn failed", interrupted: "interrupted" } as const;

/** Between turns: ready for a prompt, unless background work continues or the last turn failed. */
function readBetweenTurns(reading: Reading): Activity {
  const { view, end, status, moment } = reading;
  const evidence: Evidence[] = [
    end === null
      ? { source: sourceOf(view.hasHooks), what: "last event", atIso: view.lastAt }
      : { source: sourceOf(end.reported.isHook), what: END_LABEL[end.kind], atIso: end.reported.at },
  ];
  if (status?.status === "idle") evidence.push({ source: "registry", what: "idle", atIso: status.at });
  const interactable: Activity = {
    ...ACTIVE_DEFAULTS,
    phase: "interactable",
    sinceIso: end?.at ?? view.lastAt,
    why: end?.kind === "ended" ? "Turn finished." : "Waiting for a prompt.",
    evidence,
  };
  const background = backgroundNames(reading);
  if (background.length > 0) {
    const why = `Turn finished; still running: ${firstLine(background.join(", "))}`;
    return { ...interactable, phase: "parked", why };
  }
  if (end?.kind !== "failed") return idleIfQuiet(reading, interactable);
  if (end.error !== "rate_limit") {
    const message = end.message === null ? "" : `: ${firstLine(end.message)}`;
    const why = `Turn failed (${end.error ?? "unknown error"})${message}`;
    return { ...idleIfQuiet(reading, { ...interactable, phase: "failed" }), why };
  }
  const untilIso = resetTime(end.message, end.at) ?? laterReset(reading);
  if (untilIso !== null && Date.parse(untilIso) <= moment.nowMs) return idleIfQuiet(reading, interactable);
  const why = `Turn stopped by the rate limit${untilIso === null ? "" : ` until ${untilIso}`}.`;
  return { ...interactable, phase: "rate_limited", why, rateLimit: { untilIso } };
}

function backgroundNames(reading: Reading): string[] {
  const tasks = runningTasks(reading);
  const taskIds = new Set(tasks.map(({ id }) => id));
  const others = runningSubagents(reading).filter(({ agentId }) => !taskIds.has(agentId));
  return [
    ...tasks.map(({ id, type, description }) => description ?? type ?? id),
    ...others.map(({ agentId, agentType, description }) => description ?? agentType ?? agentId),
  ];
}

/** The reset time reported with an earlier attempt, if it is after the turn's end. */
function laterReset({ view, end }: Reading): string | null {
  const untilIso = view.retry?.value.untilIso ?? null;
  return untilIso !== null && untilIso > end!.at ? untilIso : null;
}

/** A limit's message ends with `|<seconds>` if the agent knows when it is lifted. */
function resetTime(message: string | null, afterIso: string): string | null {
  const seconds = /\|\s*(\d{10})\b/.exec(message ?? "")?.[1];
  if (seconds === undefined) return null;
  const iso = new Date(Number(seconds) * 1_000).toISOString();
  return iso > afterIso ? iso : null;
}

function idleIfQuiet({ view, moment, status }: Reading, activity: Activity): Activity {
  const sinceStatusMs =
    status?.status === "busy" ? moment.nowMs - Date.parse(status.at) : Number.POSITIVE_INFINITY;
  if (Math.min(moment.quietMs, sinceStatusMs) < IDLE_MS) return activity;
  return {
    ...activity,
    state: "idle",
    sinceIso: view.lastAt,
    why: "No activity for five minutes.",
    evidence: [...activity.evidence, { source: "timer", what: "quiet", atIso: view.lastAt }],
  };
}

function sourceOf(isHook: boolean): "hook" | "transcript" {
  return isHook ? "hook" : "transcript";
}
