import { attendedOf } from "../agents/attended.ts";
import { requestKindOf } from "../agents/tool-call.ts";
import { isPlainObject } from "../event/canonical.ts";
import { type HooklineEvent, isControlEvent, isMemoryEvent, ORIGINS } from "../event/event.ts";
import { noteEnd } from "./ended-calls.ts";
import { isoOf, tasksOf, terminalOf, text, textOfBlocks } from "./event-fields.ts";
import { foldControl } from "./fold-control.ts";
import { addWait, endWait, linkCall } from "./fold-wait.ts";
import { later, markOf, newest, newestMark, newestTold, oldest } from "./newest.ts";
import type {
  CallEnd,
  CallView,
  LifeMark,
  Mark,
  ProcessView,
  SessionView,
  SubagentView,
  TurnEnd,
  TurnView,
  WaitView,
} from "./session-view.ts";
import { isAfter } from "./session-view.ts";

/**
 * Folds one event into the view of its session. No clock, no I/O, no throw; told twice or in another order (within
 * two seconds), the view reads the same.
 */
export function foldEvent(view: SessionView, event: HooklineEvent): void {
  if (isMemoryEvent(event)) return;
  if (isControlEvent(event)) {
    foldControl(view, event);
    return;
  }
  // A fork's copy of a message that its parent got, at its parent's time: not the beginning of this session.
  if (event.eventType === "agent.event" && event["name"] === "inherited-message") {
    view.usage.tell(event);
    return;
  }
  if (event.origin === "hook" || event.origin === "watch") {
    if (view.heard.has(event.id)) return;
    view.heard.set(event.id, 1);
  }
  view.told++;
  const at = event.occurredAtIso;
  if (view.firstAt === "" || at < view.firstAt) view.firstAt = at;
  if (event.eventType !== "session.evidence" && at > view.lastAt) view.lastAt = at;
  if (view.provider === "unknown") view.provider = event.provider;
  if (event.origin === "hook") view.hasHooks = true;
  noteCommon(view, event);
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
    endTurn(view, event, { kind, error: null, message: null, tasks: tasksOf(event["backgroundTasks"]) });
    view.lastAnswer = newestTold(view, view.lastAnswer, event, text(event["lastAssistantMessage"]));
  },
  "turn.failed": (view, event) => {
    const error = text(event["error"]) ?? "unknown";
    const message = text(event["lastAssistantMessage"]) ?? text(event["errorDetails"]);
    endTurn(view, event, { kind: "failed", error, message, tasks: [] });
  },
  "tool.start": foldCallStart,
  tool_observation: foldCallEnd,
  "assistant.message": foldMessage,
  "skill.lifecycle": foldSkill,
  "subagent.lifecycle": foldSubagent,
  permission: foldPermission,
  compaction: (view, event) => {
    const mark = markOf(view, event);
    if (event.agentId != null) {
      view.summarisers.add(event.agentId);
      view.subagents.delete(event.agentId);
    }
    if (event.phase === "started") view.compactionBegan = newestMark(view.compactionBegan, mark);
    else view.compactionEnded = newestMark(view.compactionEnded, mark);
  },
  "model.switch": (view, event) => {
    if (event.phase === "completed") view.model = newest(view.model, event, text(event["toModel"]));
  },
  "agent.event": foldOther,
};

function noteCommon(view: SessionView, event: HooklineEvent): void {
  view.project = oldest(view.project, event, event.projectPath);
  if (event.agentId == null) {
    view.cwd = newest(view.cwd, event, event.cwd);
    view.branch = newest(view.branch, event, text(event["gitBranch"]));
    view.permissionMode = newest(view.permissionMode, event, text(event["permissionMode"]));
    view.transcriptPath = newest(view.transcriptPath, event, event.transcriptPath ?? null);
    const { extra } = event;
    if (isPlainObject(extra)) view.madeTitle = newest(view.madeTitle, event, text(extra["session_title"]));
  } else if (event.eventType !== "session.evidence" && event.eventType !== "compaction")
    noteSubagent(view, event);
  const { pid } = event;
  if (typeof pid !== "number") return;
  const process = processOf(view, event, pid);
  process.last = newestMark(process.last, markOf(view, event));
}

function foldLifecycle(view: SessionView, event: HooklineEvent): void {
  const pid = typeof event["pid"] === "number" ? event["pid"] : 0;
  switch (event.phase) {
    case "started": {
      view.model = newest(view.model, event, text(event["model"]));
      const process = processOf(view, event, pid);
      const env = isPlainObject(event["env"]) ? event["env"] : {};
      process.attended ??= attendedOf(env);
      process.terminal ??= terminalOf(env);
      // A compaction begins nothing: the process goes on.
      if (event["source"] === "compact") return;
      process.start = newestMark(process.start, markOf(view, event));
      noteLife(view, event, { pid, isEnd: false });
      return;
    }
    case "ended": {
      const process = processOf(view, event, pid);
      process.end = newestMark(process.end, { ...markOf(view, event), reason: text(event["reason"]) });
      noteLife(view, event, { pid, isEnd: true });
      return;
    }
    case "waiting_permission":
    case "waiting_question":
      // The request itself comes with it, from hooks; other programs tell only this.
      if (event["permissionId"] === undefined) {
        const kind = event.phase === "waiting_question" ? "question" : "permission";
        askPerson(view, event, kind, undefined);
      }
  }
}

function noteLife(view: SessionView, event: HooklineEvent, life: Omit<LifeMark, "at">): void {
  view.lives.set(event.id, { ...life, at: event.occurredAtIso });
}

/** What the daemon saw beside the hooks: the agent's own registry, and whether its process lives. */
function foldEvidence(view: SessionView, event: HooklineEvent): void {
  const pid = typeof event["pid"] === "number" ? event["pid"] : null;
  if (event.phase === "gone" && pid !== null) {
    const process = processOf(view, event, pid);
    process.gone = newestMark(process.gone, markOf(view, event));
    noteLife(view, event, { pid, isEnd: true });
    return;
  }
  const { phase } = event;
  if (phase !== "busy" && phase !== "idle" && phase !== "waiting") return;
  view.statuses.set(event.id, {
    status: phase,
    waitingFor: text(event["waitingFor"]),
    at: event.occurredAtIso,
    pid,
  });
  view.title = newest(view.title, event, text(event["name"]));
  const { attended } = event;
  if (pid !== null && typeof attended === "boolean") processOf(view, event, pid).attended ??= attended;
}

function foldTurnStart(view: SessionView, event: HooklineEvent): void {
  const turn = turnOf(view, event);
  const mark = markOf(view, event);
  // Turns that nobody gave an id are one: of that, the newest beginning counts.
  const isNamed = turn.promptId !== "";
  if (turn.start === null || (isNamed ? isAfter(turn.start, mark) : isAfter(mark, turn.start)))
    turn.start = mark;
  turn.active = newestMark(turn.active, mark);
  if (event["machine"] === true) return;
  view.prompts.add(event.id);
  const prompt = event["private"] === true ? "(private)" : text(event["prompt"]);
  view.firstPrompt = oldest(view.firstPrompt, event, prompt);
  view.lastPrompt = newestTold(view, view.lastPrompt, event, prompt);
}

function foldCallStart(view: SessionView, event: HooklineEvent): void {
  const { toolUseId } = event;
  if (toolUseId == null) return;
  if (event.agentId == null) touchTurn(view, event);
  const call: CallView = {
    toolUseId,
    toolName: event.payload?.toolName ?? null,
    toolKind: text(event.payload?.toolKind),
    subject: text(event.payload?.subject),
    agentId: event.agentId ?? null,
    promptId: event.promptId ?? null,
    input: event.payload?.toolInput,
    at: event.occurredAtIso,
    strength: ORIGINS.indexOf(event.origin),
  };
  keepRecent(view.recentCalls, call);
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
  noteEnd(view, toolUseId, event);
  const durationMs = payload?.durationMs ?? 0;
  const at = event.occurredAtIso;
  const end: CallEnd = {
    toolUseId,
    toolName: payload?.toolName ?? open?.toolName ?? null,
    agentId: event.agentId ?? null,
    input: payload?.toolInput ?? open?.input,
    at,
    ranAt: durationMs > 0 ? (isoOf(Date.parse(at) - durationMs) ?? at) : at,
    startedAt: open?.at ?? null,
  };
  keepRecent(view.recentEnds, end);
  for (const wait of view.waits.values()) endWait(wait, end);
}

/** The order of events is not known within a few seconds; what is older is let go, for its inputs may be large. */
const RECENT_MS = 5_000;
const MOST_RECENT = 64;

function keepRecent<T extends { readonly at: string }>(recent: T[], one: T): void {
  recent.push(one);
  const sinceMs = Date.parse(one.at) - RECENT_MS;
  while (recent.length > MOST_RECENT || Date.parse(recent[0]!.at) < sinceMs) recent.shift();
}

function foldMessage(view: SessionView, event: HooklineEvent): void {
  view.usage.tell(event);
  if (event.agentId != null) return;
  const model = text(event["model"]);
  const error = text(event["error"]);
  if (model !== null && model !== "<synthetic>") {
    view.model = newest(view.model, event, model);
    touchTurn(view, event);
  } else if (error !== null) {
    // What the agent writes into the conversation when a turn ends with an error of the API.
    const message = textOfBlocks(event["blocks"]);
    endTurn(view, event, { kind: "failed", error, message, tasks: [] });
    const untilIso = text(event["resetsAtIso"]);
    if (untilIso !== null) view.retry = newest(view.retry, event, { status: 429, message, untilIso });
  }
}

function foldSkill(view: SessionView, event: HooklineEvent): void {
  const skillName = text(event["skillName"]);
  if (skillName === null) return;
  // Other programs may name neither call nor prompt: their runs of one skill are told apart by time alone.
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
  subagent.agentType ??= text(event["agentType"]);
  subagent.description ??= text(event["description"]);
  if (event.phase === "stopped") subagent.stoppedAt = later(subagent.stoppedAt, event.occurredAtIso);
}

function foldPermission(view: SessionView, event: HooklineEvent): void {
  if (event.phase === "denied") foldDenial(view, event);
  if (event.phase !== "requested") return;
  const kind = requestKindOf({ toolName: text(event["toolName"]), toolKind: event["toolKind"] });
  askPerson(view, event, kind, event["toolInput"]);
}

/** A call that will not run: whoever asked for it is answered. */
function foldDenial(view: SessionView, event: HooklineEvent): void {
  const toolUseId = event.toolUseId ?? event.id;
  const at = event.occurredAtIso;
  const open = view.openCalls.get(toolUseId);
  view.openCalls.delete(toolUseId);
  const end: CallEnd = {
    toolUseId,
    toolName: text(event["toolName"]),
    agentId: event.agentId ?? null,
    input: event["toolInput"],
    at,
    ranAt: at,
    startedAt: open?.at ?? null,
  };
  keepRecent(view.recentEnds, end);
  for (const wait of view.waits.values()) endWait(wait, end);
}

function foldOther(view: SessionView, event: HooklineEvent): void {
  const data = isPlainObject(event["data"]) ? event["data"] : {};
  switch (event["name"]) {
    case "cost-state":
      view.usage.tell(event);
      view.exitedAt = later(view.exitedAt, event.occurredAtIso);
      return;
    case "turn-duration":
      endTurn(view, event, { kind: "ended", error: null, message: null, tasks: [] });
      return;
    case "interrupted":
      endTurn(view, event, { kind: "interrupted", error: null, message: null, tasks: [] });
      return;
    case "title": {
      if (data["kind"] === "custom") view.title = newest(view.title, event, text(data["title"]));
      if (data["kind"] === "ai") view.madeTitle = newest(view.madeTitle, event, text(data["title"]));
      return;
    }
    case "api-error": {
      const status = typeof data["status"] === "number" ? data["status"] : null;
      const inMs = typeof data["retryInMs"] === "number" ? data["retryInMs"] : null;
      const untilIso =
        text(data["resetsAtIso"]) ?? (inMs === null ? null : isoOf(Date.parse(event.occurredAtIso) + inMs));
      view.retry = newest(view.retry, event, { status, message: text(data["message"]), untilIso });
      return;
    }
    case "Elicitation": {
      askPerson(view, event, "question", { questions: [{ question: data["message"] }] });
      return;
    }
    case "ElicitationResult":
      for (const wait of view.waits.values())
        if (wait.toolName === null)
          wait.ends.set(event.id, {
            at: event.occurredAtIso,
            ranAt: event.occurredAtIso,
            startedAt: null,
            isSame: true,
          });
  }
}

function askPerson(view: SessionView, event: HooklineEvent, kind: WaitView["kind"], input: unknown): void {
  addWait(view, event, kind, input);
  if (event.agentId == null) touchTurn(view, event);
}

/** A hook knows best how a turn ended; that it ended, and when at the latest, anybody may tell. */
function endTurn(view: SessionView, event: HooklineEvent, end: Omit<TurnEnd, "told">): void {
  const turn = turnOf(view, event);
  const mark = markOf(view, event);
  const { end: known } = turn;
  if (known === null) {
    turn.end = { ...mark, ...end, told: mark };
    return;
  }
  const isBetter = mark.isHook === known.told.isHook ? isAfter(mark, known.told) : mark.isHook;
  const { at, ms, order, isHook } = newestMark<Mark>(known, mark);
  turn.end = isBetter ? { at, ms, order, isHook, ...end, told: mark } : { ...known, at, ms, order, isHook };
}

/** The main agent does something for a turn: one that had ended goes on. */
function touchTurn(view: SessionView, event: HooklineEvent): void {
  const turn = turnOf(view, event);
  turn.active = newestMark(turn.active, markOf(view, event));
}

function turnOf(view: SessionView, event: HooklineEvent): TurnView {
  const promptId = event.promptId ?? "";
  const known = view.turns.get(promptId);
  if (known !== undefined) return known;
  const turn: TurnView = { promptId, start: null, active: { ...markOf(view, event), at: "" }, end: null };
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
  subagent.agentType ??= text(event["agentType"]);
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
    last: markOf(view, event),
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
