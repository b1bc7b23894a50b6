import { isAttendedSession } from "../agents/attended.ts";
import { requestKindOf } from "../agents/tool-call.ts";
import { isPlainObject } from "../event/canonical.ts";
import { type HooklineEvent, isControlEvent, isMemoryEvent, ORIGINS } from "../event/event.ts";
import { recordCallEnd } from "./ended-calls.ts";
import { nonEmptyString, runningTasksIn, terminalOf, textOfBlocks, toIso } from "./event-fields.ts";
import { foldControl } from "./fold-control.ts";
import { addWait, answerElicitation, endWait, linkCall, mcpServerOf } from "./fold-wait.ts";
import { namesSession } from "./names-session.ts";
import { eventTimeOf, later, newest, newestTime, newestTimed, oldest } from "./newest.ts";
import type {
  CallEnd,
  CallView,
  EventTime,
  ProcessTransition,
  ProcessView,
  SessionView,
  SubagentView,
  TurnEnd,
  TurnView,
  WaitView,
} from "./session-view.ts";
import { isAfter } from "./session-view.ts";

/**
 * Folds one event into the view of its session. No clock, no I/O, no throw; idempotent, and independent of
 * the order of events within two seconds.
 */
export function foldEvent(view: SessionView, event: HooklineEvent): void {
  if (isMemoryEvent(event)) return;
  if (isControlEvent(event)) {
    foldControl(view, event);
    return;
  }
  // A fork's copy of a message its parent received, with the parent's time: not the start of this session.
  if (event.eventType === "agent.event" && event["name"] === "inherited-message") {
    view.usage.apply(event);
    return;
  }
  if (event.origin === "hook" || event.origin === "watch") {
    if (view.seenEvents.has(event.id)) return;
    view.seenEvents.set(event.id, 1);
  }
  view.eventCount++;
  const at = event.occurredAtIso;
  if (view.firstAt === "" || at < view.firstAt) view.firstAt = at;
  if (event.eventType !== "session.evidence" && at > view.lastAt) view.lastAt = at;
  if (view.provider === "unknown") view.provider = event.provider;
  if (event.origin === "hook") view.hasHooks = true;
  foldCommon(view, event);
  if (Object.hasOwn(FOLDS, event.eventType)) FOLDS[event.eventType]!(view, event);
}

type Fold = (view: SessionView, event: HooklineEvent) => void;

const FOLDS: Readonly<Record<string, Fold>> = {
  "session.lifecycle": foldLifecycle,
  "session.evidence": foldEvidence,
  "turn.start": foldTurnStart,
  "turn.end": (view, event) => {
    if (event.agentId != null) return;
    const kind = "ended";
    endTurn(view, event, {
      kind,
      error: null,
      message: null,
      tasks: runningTasksIn(event["backgroundTasks"]),
    });
    view.lastAnswer = newestTimed(
      view,
      view.lastAnswer,
      event,
      nonEmptyString(event["lastAssistantMessage"]),
    );
  },
  "turn.failed": (view, event) => {
    const error = nonEmptyString(event["error"]) ?? "unknown";
    const message = nonEmptyString(event["lastAssistantMessage"]) ?? nonEmptyString(event["errorDetails"]);
    endTurn(view, event, { kind: "failed", error, message, tasks: [] });
  },
  "tool.start": foldCallStart,
  tool_observation: foldCallEnd,
  "assistant.message": foldMessage,
  "skill.lifecycle": foldSkill,
  "subagent.lifecycle": foldSubagent,
  permission: foldPermission,
  compaction: (view, event) => {
    const time = eventTimeOf(view, event);
    if (event.agentId != null) {
      view.summarisers.add(event.agentId);
      view.subagents.delete(event.agentId);
    }
    if (event.phase === "started") view.compactionStarted = newestTime(view.compactionStarted, time);
    else view.compactionEnded = newestTime(view.compactionEnded, time);
  },
  "model.switch": (view, event) => {
    if (event.phase === "completed") view.model = newest(view.model, event, nonEmptyString(event["toModel"]));
  },
  "agent.event": foldOther,
};

function foldCommon(view: SessionView, event: HooklineEvent): void {
  view.project = oldest(view.project, event, event.projectPath);
  if (event.agentId == null) {
    view.cwd = newest(view.cwd, event, event.cwd);
    view.branch = newest(view.branch, event, nonEmptyString(event["gitBranch"]));
    view.permissionMode = newest(view.permissionMode, event, nonEmptyString(event["permissionMode"]));
    view.transcriptPath = newest(view.transcriptPath, event, event.transcriptPath ?? null);
    const { extra } = event;
    if (isPlainObject(extra))
      view.generatedTitle = newest(view.generatedTitle, event, nonEmptyString(extra["session_title"]));
  } else if (event.eventType !== "session.evidence" && event.eventType !== "compaction")
    noteSubagent(view, event);
  const { pid } = event;
  if (typeof pid !== "number") return;
  const process = processOf(view, event, pid);
  process.last = newestTime(process.last, eventTimeOf(view, event));
}

function foldLifecycle(view: SessionView, event: HooklineEvent): void {
  const pid = typeof event["pid"] === "number" ? event["pid"] : 0;
  switch (event.phase) {
    case "started": {
      view.model = newest(view.model, event, nonEmptyString(event["model"]));
      const process = processOf(view, event, pid);
      const env = isPlainObject(event["env"]) ? event["env"] : {};
      process.attended ??= isAttendedSession(env);
      process.terminal ??= terminalOf(env);
      // A compaction starts nothing: the process continues.
      if (event["source"] === "compact") return;
      process.start = newestTime(process.start, eventTimeOf(view, event));
      noteProcessTransition(view, event, { pid, isEnd: false });
      return;
    }
    case "ended": {
      const process = processOf(view, event, pid);
      process.end = newestTime(process.end, {
        ...eventTimeOf(view, event),
        reason: nonEmptyString(event["reason"]),
      });
      noteProcessTransition(view, event, { pid, isEnd: true });
      return;
    }
    case "waiting_permission":
    case "waiting_question":
      // Hooks also send the request itself; other programs report only this.
      if (event["permissionId"] === undefined) {
        const kind = event.phase === "waiting_question" ? "question" : "permission";
        startWait(view, event, kind, undefined);
      }
  }
}

function noteProcessTransition(
  view: SessionView,
  event: HooklineEvent,
  transition: Omit<ProcessTransition, "at">,
): void {
  view.processTransitions.set(event.id, { ...transition, at: event.occurredAtIso });
}

/** Folds what the daemon observes beyond hooks: the agent's registry, and the liveness of its process. */
function foldEvidence(view: SessionView, event: HooklineEvent): void {
  const pid = typeof event["pid"] === "number" ? event["pid"] : null;
  if (event.phase === "gone" && pid !== null) {
    const process = processOf(view, event, pid);
    process.gone = newestTime(process.gone, eventTimeOf(view, event));
    noteProcessTransition(view, event, { pid, isEnd: true });
    return;
  }
  const { phase } = event;
  if (phase !== "busy" && phase !== "idle" && phase !== "waiting") return;
  view.statuses.set(event.id, {
    status: phase,
    waitingFor: nonEmptyString(event["waitingFor"]),
    at: event.occurredAtIso,
    pid,
  });
  view.title = newest(view.title, event, nonEmptyString(event["name"]));
  const { attended } = event;
  if (pid !== null && typeof attended === "boolean") processOf(view, event, pid).attended ??= attended;
}

function foldTurnStart(view: SessionView, event: HooklineEvent): void {
  const turn = turnOf(view, event);
  const time = eventTimeOf(view, event);
  // Turns without an id share one view, in which the newest start counts.
  const isNamed = turn.promptId !== "";
  if (turn.start === null || (isNamed ? isAfter(turn.start, time) : isAfter(time, turn.start)))
    turn.start = time;
  turn.active = newestTime(turn.active, time);
  if (event["machine"] === true) return;
  view.prompts.add(event.id);
  const prompt = event["private"] === true ? "(private)" : nonEmptyString(event["prompt"]);
  view.firstPrompt = oldest(view.firstPrompt, event, prompt);
  if (prompt !== null && namesSession(prompt)) view.namingPrompt = newest(view.namingPrompt, event, prompt);
  view.lastPrompt = newestTimed(view, view.lastPrompt, event, prompt);
}

function foldCallStart(view: SessionView, event: HooklineEvent): void {
  const { toolUseId } = event;
  if (toolUseId == null) return;
  if (event.agentId == null) touchTurn(view, event);
  const call: CallView = {
    toolUseId,
    toolName: event.payload?.toolName ?? null,
    toolKind: nonEmptyString(event.payload?.toolKind),
    subject: nonEmptyString(event.payload?.subject),
    agentId: event.agentId ?? null,
    promptId: event.promptId ?? null,
    input: event.payload?.toolInput,
    at: event.occurredAtIso,
    strength: ORIGINS.indexOf(event.origin),
  };
  pushRecent(view.recentCalls, call);
  for (const wait of view.waits.values()) linkCall(wait, call);
  const known = view.openCalls.get(toolUseId);
  if (view.endedCalls.has(toolUseId) || (known !== undefined && !isStronger(call, known))) return;
  view.openCalls.set(toolUseId, call);
}

function foldCallEnd(view: SessionView, event: HooklineEvent): void {
  const { toolUseId, payload } = event;
  if (toolUseId == null) return;
  const open = view.openCalls.get(toolUseId);
  view.openCalls.delete(toolUseId);
  recordCallEnd(view, toolUseId, event);
  const durationMs = payload?.durationMs ?? 0;
  const at = event.occurredAtIso;
  const end: CallEnd = {
    toolUseId,
    toolName: payload?.toolName ?? open?.toolName ?? null,
    agentId: event.agentId ?? null,
    input: payload?.toolInput ?? open?.input,
    at,
    ranAt: durationMs > 0 ? (toIso(Date.parse(at) - durationMs) ?? at) : at,
    startedAt: open?.at ?? null,
  };
  pushRecent(view.recentEnds, end);
  for (const wait of view.waits.values()) endWait(wait, end);
}

/**
 * Events may arrive out of order within a few seconds. Older ones are dropped because their inputs may be
 * large.
 */
const RECENT_MS = 5_000;
const MAX_RECENT = 64;

function pushRecent<T extends { readonly at: string }>(recent: T[], item: T): void {
  recent.push(item);
  const sinceMs = Date.parse(item.at) - RECENT_MS;
  while (recent.length > MAX_RECENT || Date.parse(recent[0]!.at) < sinceMs) recent.shift();
}

function foldMessage(view: SessionView, event: HooklineEvent): void {
  view.usage.apply(event);
  if (event.agentId != null) return;
  const model = nonEmptyString(event["model"]);
  const error = nonEmptyString(event["error"]);
  if (model !== null && model !== "<synthetic>") {
    view.model = newest(view.model, event, model);
    touchTurn(view, event);
  } else if (error !== null) {
    // The agent writes this into the conversation when a turn ends with an API error.
    const message = textOfBlocks(event["blocks"]);
    endTurn(view, event, { kind: "failed", error, message, tasks: [] });
    const untilIso = nonEmptyString(event["resetsAtIso"]);
    if (untilIso !== null) view.retry = newest(view.retry, event, { status: 429, message, untilIso });
  }
}

function foldSkill(view: SessionView, event: HooklineEvent): void {
  const skillName = nonEmptyString(event["skillName"]);
  if (skillName === null) return;
  // Other programs may name neither call nor prompt: then only time separates their runs of a skill.
  const key = event.toolUseId ?? (event.promptId == null ? `name:${skillName}` : `slash:${event.promptId}`);
  const known = view.skills.get(key);
  const skill = known ?? { skillName, promptId: event.promptId ?? null, startAt: null, endAt: null };
  view.skills.set(key, skill);
  if (event.phase === "completed") skill.endAt = later(skill.endAt, event.occurredAtIso);
  else skill.startAt = later(skill.startAt, event.occurredAtIso);
}

function foldSubagent(view: SessionView, event: HooklineEvent): void {
  const subagent = noteSubagent(view, event);
  if (subagent === null) return;
  subagent.agentType ??= nonEmptyString(event["agentType"]);
  subagent.description ??= nonEmptyString(event["description"]);
  if (event.phase === "stopped") subagent.stoppedAt = later(subagent.stoppedAt, event.occurredAtIso);
}

function foldPermission(view: SessionView, event: HooklineEvent): void {
  if (event.phase === "denied") foldDenial(view, event);
  if (event.phase !== "requested") return;
  const kind = requestKindOf({ toolName: nonEmptyString(event["toolName"]), toolKind: event["toolKind"] });
  startWait(view, event, kind, event["toolInput"]);
}

/** A call that will not run: its request is answered. */
function foldDenial(view: SessionView, event: HooklineEvent): void {
  const toolUseId = event.toolUseId ?? event.id;
  const at = event.occurredAtIso;
  const open = view.openCalls.get(toolUseId);
  view.openCalls.delete(toolUseId);
  const end: CallEnd = {
    toolUseId,
    toolName: nonEmptyString(event["toolName"]),
    agentId: event.agentId ?? null,
    input: event["toolInput"],
    at,
    ranAt: at,
    startedAt: open?.at ?? null,
  };
  pushRecent(view.recentEnds, end);
  for (const wait of view.waits.values()) endWait(wait, end);
}

function foldOther(view: SessionView, event: HooklineEvent): void {
  const data = isPlainObject(event["data"]) ? event["data"] : {};
  switch (event["name"]) {
    case "cost-state":
      view.usage.apply(event);
      view.exitedAt = later(view.exitedAt, event.occurredAtIso);
      return;
    case "turn-duration":
      endTurn(view, event, { kind: "ended", error: null, message: null, tasks: [] });
      return;
    case "interrupted":
      endTurn(view, event, { kind: "interrupted", error: null, message: null, tasks: [] });
      return;
    case "title": {
      if (data["kind"] === "custom") view.title = newest(view.title, event, nonEmptyString(data["title"]));
      if (data["kind"] === "ai")
        view.generatedTitle = newest(view.generatedTitle, event, nonEmptyString(data["title"]));
      return;
    }
    case "api-error": {
      const status = typeof data["status"] === "number" ? data["status"] : null;
      const inMs = typeof data["retryInMs"] === "number" ? data["retryInMs"] : null;
      const untilIso =
        nonEmptyString(data["resetsAtIso"]) ??
        (inMs === null ? null : toIso(Date.parse(event.occurredAtIso) + inMs));
      view.retry = newest(view.retry, event, { status, message: nonEmptyString(data["message"]), untilIso });
      return;
    }
    case "Elicitation": {
      startWait(view, event, "question", { questions: [{ question: data["message"] }] });
      return;
    }
    case "ElicitationResult": {
      const server = mcpServerOf(event);
      if (server === null) return;
      const answer = { id: event.id, server, at: event.occurredAtIso };
      pushRecent(view.recentAnswers, answer);
      for (const wait of view.waits.values()) answerElicitation(wait, answer);
    }
  }
}

function startWait(view: SessionView, event: HooklineEvent, kind: WaitView["kind"], input: unknown): void {
  addWait(view, event, kind, input);
  if (event.agentId == null) touchTurn(view, event);
}

/** Hooks are authoritative about how a turn ended; the time is the latest that any source reports. */
function endTurn(view: SessionView, event: HooklineEvent, end: Omit<TurnEnd, "reported">): void {
  const turn = turnOf(view, event);
  const time = eventTimeOf(view, event);
  const { end: knownEnd } = turn;
  if (knownEnd === null) {
    turn.end = { ...time, ...end, reported: time };
    return;
  }
  const isBetter = time.isHook === knownEnd.reported.isHook ? isAfter(time, knownEnd.reported) : time.isHook;
  const { at, ms, order, isHook } = newestTime<EventTime>(knownEnd, time);
  turn.end = isBetter
    ? { at, ms, order, isHook, ...end, reported: time }
    : { ...knownEnd, at, ms, order, isHook };
}

/** The main agent is active in a turn: one that had ended continues. */
function touchTurn(view: SessionView, event: HooklineEvent): void {
  const turn = turnOf(view, event);
  turn.active = newestTime(turn.active, eventTimeOf(view, event));
}

function turnOf(view: SessionView, event: HooklineEvent): TurnView {
  const promptId = event.promptId ?? "";
  const known = view.turns.get(promptId);
  if (known !== undefined) return known;
  const turn: TurnView = {
    promptId,
    start: null,
    active: { ...eventTimeOf(view, event), at: "" },
    end: null,
  };
  view.turns.set(promptId, turn);
  return turn;
}

function noteSubagent(view: SessionView, event: HooklineEvent): SubagentView | null {
  const { agentId } = event;
  if (agentId == null || view.summarisers.has(agentId)) return null;
  const at = event.occurredAtIso;
  const known = view.subagents.get(agentId);
  const subagent = known ?? {
    agentId,
    agentType: null,
    description: null,
    firstAt: at,
    lastAt: at,
    stoppedAt: null,
  };
  view.subagents.set(agentId, subagent);
  subagent.agentType ??= nonEmptyString(event["agentType"]);
  if (at < subagent.firstAt) subagent.firstAt = at;
  if (at > subagent.lastAt) subagent.lastAt = at;
  return subagent;
}

function processOf(view: SessionView, event: HooklineEvent, pid: number): ProcessView {
  const at = event.occurredAtIso;
  const known = view.processes.get(pid);
  if (known !== undefined) {
    if (at < known.firstAt) known.firstAt = at;
    return known;
  }
  const process: ProcessView = {
    pid,
    firstAt: at,
    last: eventTimeOf(view, event),
    start: null,
    end: null,
    gone: null,
    attended: null,
    terminal: null,
  };
  view.processes.set(pid, process);
  return process;
}

function isStronger(a: CallView, b: CallView): boolean {
  return a.strength !== b.strength ? a.strength > b.strength : a.at < b.at;
}
