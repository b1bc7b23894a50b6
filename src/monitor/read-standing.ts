import { questionsOf } from "../agents/questions.ts";
import { isPlainObject } from "../event/canonical.ts";
import { currentCall, runningSkill, runningSubagents, runningTasks, toAction } from "./read-agents.ts";
import { lastMainAt } from "./read-turns.ts";
import { lastClosedAt, openWaits } from "./read-waits.ts";
import type { Reading } from "./reading.ts";
import type { ActivityPhase, CurrentAction, Evidence, Waiting } from "./session-snapshot.ts";
import {
  type CallView,
  isAfter,
  type ProcessView,
  type SessionView,
  type SkillView,
  type StatusView,
  type WaitView,
} from "./session-view.ts";
import { callLine, callText, firstLine, firstOfLines } from "./tool-text.ts";

/** After this long without a word, a session that is not known to do anything is idle. */
export const IDLE_MS = 5 * 60_000;

/** What a session that runs is doing, since when, and how that is known. */
export interface Standing {
  readonly state: "active" | "idle";
  readonly phase: ActivityPhase;
  readonly sinceIso: string;
  readonly why: string;
  readonly evidence: readonly Evidence[];
  readonly waits: readonly Waiting[];
  readonly action: CurrentAction | null;
  readonly rateLimit: { readonly untilIso: string | null } | null;
}

export function readStanding(reading: Reading): Standing {
  return (
    readWaiting(reading) ??
    readCompaction(reading) ??
    readWork(reading) ??
    readStart(reading) ??
    readRest(reading)
  );
}

/** Somebody can answer a driven session, whatever its process says. */
export function attendedOf({ driven }: SessionView, process: ProcessView | null): boolean | null {
  return driven === null ? (process?.attended ?? null) : true;
}

const NOTHING = { state: "active", waits: [], action: null, rateLimit: null } as const;

const WAITING_PHASE = {
  permission: "waiting_permission",
  question: "waiting_question",
  plan: "waiting_plan",
} as const;

function readWaiting(reading: Reading): Standing | null {
  const { view, status, living } = reading;
  const isAttended = attendedOf(view, living) !== false;
  // Nobody can answer a run without a person, except where a request of it is held for one.
  const waits = openWaits(view).filter((wait) => isAttended || isHeld(view, wait));
  const saysSo = isAttended && status?.status === "waiting" ? status : null;
  const told = waits.map((wait) => toWaiting(view, wait));
  if (told.length === 0) {
    if (saysSo === null || saysSo.at < lastMainAt(view) || saysSo.at <= lastClosedAt(view)) return null;
    told.push(untoldWait(reading, saysSo));
  }
  const first = told[0]!;
  const evidence: Evidence[] = waits.slice(0, 1).map((wait) => ({
    source: wait.drivenId !== null ? "driver" : sourceOf(wait.isHook),
    what: "request",
    atIso: wait.at,
  }));
  if (saysSo !== null)
    evidence.push({ source: "registry", what: saysSo.waitingFor ?? "waiting", atIso: saysSo.at });
  const phase = WAITING_PHASE[first.kind];
  return { ...NOTHING, phase, sinceIso: first.sinceIso, why: whyWaiting(first), evidence, waits: told };
}

function isHeld(view: SessionView, { id }: WaitView): boolean {
  const hold = view.holds.get(id);
  return hold !== undefined && hold.endedAt === null;
}

function toWaiting(view: SessionView, wait: WaitView): Waiting {
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

/** The agent's registry says that it waits and no hook told for what: its newest call is the likeliest. */
function untoldWait(reading: Reading, status: StatusView): Waiting {
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

function whyWaiting(waiting: Waiting): string {
  const who = waiting.agentId === null ? "It" : "Its subagent";
  const text = waiting.text === "" ? "" : `: ${firstOfLines(waiting.text)}`;
  if (waiting.kind === "question") return `${who} asks${text}`;
  if (waiting.kind === "plan") return `${who} asks to approve a plan${text}`;
  return `${who} asks to use ${waiting.toolName ?? "a tool"}${text}`;
}

function readCompaction({ view, end }: Reading): Standing | null {
  const { compactionBegan: began, compactionEnded: ended } = view;
  if (began === null || (ended !== null && !isAfter(began, ended))) return null;
  if (end !== null && isAfter(end, began)) return null;
  const evidence: Evidence = { source: "hook", what: "compaction began", atIso: began.at };
  const why = "It is making a summary of the conversation.";
  return { ...NOTHING, phase: "compacting", sinceIso: began.at, why, evidence: [evidence] };
}

function readWork(reading: Reading): Standing | null {
  const { view, turn, status, end } = reading;
  if (turn === null) {
    const skill = runningSkill(reading);
    if (skill !== null) return readSkill(reading, skill);
    // No hook told of this turn; the agent's own registry says that it works.
    if (status?.status !== "busy" || status.at <= view.lastAt || status.at <= (end?.at ?? "")) return null;
    const evidence: Evidence = { source: "registry", what: "busy", atIso: status.at };
    const why = "The agent says that it is busy.";
    return { ...NOTHING, phase: "busy", sinceIso: status.at, why, evidence: [evidence] };
  }
  const call = currentCall(reading, null);
  const sinceIso = turn.start?.at ?? turn.active.at;
  const what = call === null ? "turn" : "tool call";
  const evidence: Evidence[] = [{ source: sourceOf(turn.active.isHook), what, atIso: turn.active.at }];
  const retry = view.retry !== null && view.retry.at >= turn.active.at ? view.retry : null;
  if (retry?.value.status === 429) {
    const { untilIso } = retry.value;
    const why = `The API limits its rate${untilIso === null ? "" : `; it tries again at ${untilIso}`}.`;
    const told: Evidence = { source: "transcript", what: "error 429", atIso: retry.at };
    const rateLimit = { untilIso };
    return { ...NOTHING, phase: "rate_limited", sinceIso: retry.at, why, evidence: [told], rateLimit };
  }
  const saysBusy = status?.status === "busy" && status.at > sinceIso ? status : null;
  if (saysBusy !== null) evidence.push({ source: "registry", what: "busy", atIso: saysBusy.at });
  const doing =
    retry === null ? "thinking" : `trying again after error ${retry.value.status ?? "of the API"}`;
  const action =
    call === null
      ? { toolName: null, text: doing, toolUseId: null, sinceIso: turn.active.at }
      : toAction(call);
  const busy: Standing = {
    ...NOTHING,
    phase: "busy",
    sinceIso,
    why: whyBusy(reading, call),
    evidence,
    action,
  };
  const isAtWork = call !== null || runningSubagents(reading).length > 0;
  return isAtWork ? busy : whenQuiet(reading, busy);
}

/** A program that reports skills but no turns: the session is busy while one is in progress. */
function readSkill(reading: Reading, { skillName, startAt }: SkillView): Standing {
  const sinceIso = startAt!;
  const evidence: Evidence = { source: "stream", what: "skill", atIso: sinceIso };
  const why = `Running the skill ${skillName}.`;
  return whenQuiet(reading, { ...NOTHING, phase: "busy", sinceIso, why, evidence: [evidence] });
}

function whyBusy({ view }: Reading, call: CallView | null): string {
  if (call !== null) return `It runs ${call.toolName ?? "a tool"}: ${callLine(call)}`;
  const prompt = view.lastPrompt?.value;
  return prompt === undefined ? "It works on a turn." : `It works on: ${firstLine(prompt)}`;
}

/** How long a session that has just begun gets to say what it does; then it waits for a prompt. */
const START_MS = 3_000;

function readStart({ living, end, moment }: Reading): Standing | null {
  const start = living?.start ?? null;
  if (start === null || moment.quietMs >= START_MS || (end !== null && !isAfter(start, end))) return null;
  const evidence: Evidence = { source: sourceOf(start.isHook), what: "session started", atIso: start.at };
  return { ...NOTHING, phase: "busy", sinceIso: start.at, why: "It is starting.", evidence: [evidence] };
}

const END_NAME = { ended: "turn ended", failed: "turn failed", interrupted: "interrupted" } as const;

/** Between turns: it may be used, unless something runs on, or the last turn failed. */
function readRest(reading: Reading): Standing {
  const { view, end, status, moment } = reading;
  const evidence: Evidence[] = [
    end === null
      ? { source: sourceOf(view.hasHooks), what: "last event", atIso: view.lastAt }
      : { source: sourceOf(end.told.isHook), what: END_NAME[end.kind], atIso: end.told.at },
  ];
  if (status?.status === "idle") evidence.push({ source: "registry", what: "idle", atIso: status.at });
  const rest: Standing = {
    ...NOTHING,
    phase: "interactable",
    sinceIso: end?.at ?? view.lastAt,
    why: end?.kind === "ended" ? "Its turn is done." : "It waits for a prompt.",
    evidence,
  };
  const background = inBackground(reading);
  if (background.length > 0) {
    const why = `Its turn is done; in the background: ${firstLine(background.join(", "))}`;
    return { ...rest, phase: "parked", why };
  }
  if (end?.kind !== "failed") return whenQuiet(reading, rest);
  if (end.error !== "rate_limit") {
    const message = end.message === null ? "" : `: ${firstLine(end.message)}`;
    const why = `Its turn ended with an error (${end.error ?? "unknown"})${message}`;
    return { ...whenQuiet(reading, { ...rest, phase: "failed" }), why };
  }
  const untilIso = resetTime(end.message, end.at) ?? laterReset(reading);
  if (untilIso !== null && Date.parse(untilIso) <= moment.nowMs) return whenQuiet(reading, rest);
  const why = `Its turn ended because the rate limit was reached${untilIso === null ? "" : `, until ${untilIso}`}.`;
  return { ...rest, phase: "rate_limited", why, rateLimit: { untilIso } };
}

function inBackground(reading: Reading): string[] {
  const tasks = runningTasks(reading);
  const named = new Set(tasks.map(({ id }) => id));
  const others = runningSubagents(reading).filter(({ agentId }) => !named.has(agentId));
  return [
    ...tasks.map(({ id, type, description }) => description ?? type ?? id),
    ...others.map(({ agentId, agentType, description }) => description ?? agentType ?? agentId),
  ];
}

/** Told with an attempt before the last one, when it lies after the turn's end. */
function laterReset({ view, end }: Reading): string | null {
  const untilIso = view.retry?.value.untilIso ?? null;
  return untilIso !== null && untilIso > end!.at ? untilIso : null;
}

/** The message of a limit ends with `|<seconds>` where the agent knows when it is lifted. */
function resetTime(message: string | null, afterIso: string): string | null {
  const seconds = /\|\s*(\d{10})\b/.exec(message ?? "")?.[1];
  if (seconds === undefined) return null;
  const iso = new Date(Number(seconds) * 1_000).toISOString();
  return iso > afterIso ? iso : null;
}

function whenQuiet({ view, moment, status }: Reading, standing: Standing): Standing {
  const saidMs = status?.status === "busy" ? moment.nowMs - Date.parse(status.at) : Number.POSITIVE_INFINITY;
  if (Math.min(moment.quietMs, saidMs) < IDLE_MS) return standing;
  return {
    ...standing,
    state: "idle",
    sinceIso: view.lastAt,
    why: "Nothing has been heard of it for five minutes.",
    evidence: [...standing.evidence, { source: "timer", what: "quiet", atIso: view.lastAt }],
  };
}

function sourceOf(isHook: boolean): "hook" | "transcript" {
  return isHook ? "hook" : "transcript";
}
