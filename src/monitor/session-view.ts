import type { UsageSource } from "../agents/usage-source.ts";
import type { Origin } from "../event/event.ts";
import { createIdMap, type IdMap } from "./id-map.ts";
import type { BackgroundTask, Terminal } from "./session-snapshot.ts";
import { createUsageFold, type UsageFold } from "./usage.ts";

/**
 * The monitor's view of one session: facts keyed by subject (a call by its id, a turn by its prompt, a
 * process by its pid), never "the last event". So the order of arrival does not matter, and duplicates change
 * nothing. Mutated by `fold-event.ts`, read by `read-session.ts`.
 */
export interface SessionView {
  readonly sessionId: string;
  provider: string;
  firstAt: string;
  lastAt: string;
  hasHooks: boolean;
  project: Dated<string> | null;
  cwd: Dated<string> | null;
  branch: Dated<string> | null;
  model: Dated<string> | null;
  permissionMode: Dated<string> | null;
  transcriptPath: Dated<string> | null;
  /** A name given by a person, else one the agent generated. */
  title: Dated<string> | null;
  generatedTitle: Dated<string> | null;
  firstPrompt: Dated<string> | null;
  /** The newest prompt that can name the session (`names-session.ts`). */
  namingPrompt: Dated<string> | null;
  lastPrompt: (EventTime & Dated<string>) | null;
  lastAnswer: (EventTime & Dated<string>) | null;
  readonly prompts: Set<string>;
  readonly turns: Map<string, TurnView>;
  readonly processes: Map<number, ProcessView>;
  readonly openCalls: Map<string, CallView>;
  /** Whether each ended call succeeded, and how certain its source was (`ended-calls.ts`). */
  readonly endedCalls: IdMap;
  failedCalls: number;
  /** The newest calls and ends, for requests reported after their call. */
  readonly recentCalls: CallView[];
  readonly recentEnds: CallEnd[];
  /** The newest answers to MCP servers, for requests reported after their answer. */
  readonly recentAnswers: ElicitationAnswer[];
  readonly waits: Map<string, WaitView>;
  /** How requests of a terminal were offered elsewhere, by request id. */
  readonly holds: Map<string, HoldView>;
  /** The newest state of a session that is or was driven from here. */
  driven: { readonly seq: number; readonly state: string; readonly at: string } | null;
  /** Its newest mode. The agent's own mode, reported by hooks, has no effect while it is driven. */
  drivenMode: { readonly seq: number; readonly mode: string } | null;
  /** When requests of a driven session were settled, by id. */
  readonly settledRequests: Map<string, string>;
  /** Requests lost with their driver, by id, and when the driven session last continued. */
  readonly lostRequests: Map<string, { readonly seq: number; readonly at: string }>;
  resumedSeq: number;
  /** Starts and ends of its processes, by event id. */
  readonly processTransitions: Map<string, ProcessTransition>;
  readonly subagents: Map<string, SubagentView>;
  /**
   * Agents that wrote the summary of a compaction: their start is never reported, and they are no subagents.
   */
  readonly summarisers: Set<string>;
  readonly skills: Map<string, SkillView>;
  readonly statuses: Map<string, StatusView>;
  compactionStarted: EventTime | null;
  compactionEnded: EventTime | null;
  retry: Dated<RetryView> | null;
  /** When the agent's process wrote its last totals: the end of a session without hooks. */
  exitedAt: string | null;
  readonly usage: UsageFold;
  /** Counts events: the order of arrival, where clocks are not reliable. */
  eventCount: number;
  /** Ids of hook and daemon events: a repeated one must not count as newer. */
  readonly seenEvents: IdMap;
}

/** A value and its time. */
export interface Dated<T> {
  readonly at: string;
  readonly value: T;
}

/** A time, with its order of arrival in case the clock was changed. */
export interface EventTime {
  readonly at: string;
  /** `at` as a number. */
  readonly ms: number;
  readonly order: number;
  readonly isHook: boolean;
}

export interface TurnView {
  readonly promptId: string;
  start: EventTime | null;
  /** Its newest activity. */
  active: EventTime;
  end: (EventTime & TurnEnd) | null;
}

export interface TurnEnd {
  readonly kind: "ended" | "failed" | "interrupted";
  /** The time of the report that decides how it ended. */
  readonly reported: EventTime;
  readonly error: string | null;
  readonly message: string | null;
  readonly tasks: readonly BackgroundTask[];
}

/** The start or end of a process of a session. */
export interface ProcessTransition {
  readonly pid: number;
  readonly at: string;
  readonly isEnd: boolean;
}

export interface ProcessView {
  readonly pid: number;
  firstAt: string;
  /** Its newest event. */
  last: EventTime;
  start: EventTime | null;
  end: (EventTime & { readonly reason: string | null }) | null;
  gone: EventTime | null;
  attended: boolean | null;
  terminal: Terminal | null;
}

export interface CallView {
  readonly toolUseId: string;
  readonly toolName: string | null;
  /** As recorded; null if missing. */
  readonly toolKind: string | null;
  readonly subject: string | null;
  readonly agentId: string | null;
  readonly promptId: string | null;
  readonly input: unknown;
  readonly at: string;
  readonly strength: number;
}

export interface CallEnd {
  readonly toolUseId: string;
  readonly toolName: string | null;
  readonly agentId: string | null;
  readonly input: unknown;
  readonly at: string;
  /** When it started to run: it had been answered by then. */
  readonly ranAt: string;
  readonly startedAt: string | null;
}

/** A person's answer to a request of an MCP server. */
export interface ElicitationAnswer {
  readonly id: string;
  readonly server: string;
  readonly at: string;
}

export interface WaitView extends EventTime {
  readonly id: string;
  readonly kind: "permission" | "question" | "plan";
  /** The MCP server that asks; null for any other request. */
  readonly server: string | null;
  readonly toolName: string | null;
  readonly toolKind: string | null;
  readonly agentId: string | null;
  readonly promptId: string | null;
  readonly pid: number | null;
  /** Released when the wait is long over. */
  input: unknown;
  /** The part of the input that distinguishes requests. */
  readonly inputKey: string;
  /** The first line of the request. */
  readonly text: string;
  readonly origin: Origin;
  /** The request's id if it was asked through the driver: it is settled only there. */
  drivenId: string | null;
  /** The call it is about: the newest matching call before it. */
  call: { readonly toolUseId: string; readonly at: string } | null;
  /** Ends of calls of that tool and agent by call id, or answers to that MCP server by event id. */
  readonly ends: Map<string, WaitEnd>;
  /** Set once it is long over: its duration is final. */
  closedAt: string | null;
}

export interface WaitEnd {
  readonly at: string;
  readonly ranAt: string;
  /** When the call was announced, before anyone was asked; null if not reported. */
  readonly startedAt: string | null;
  /** Whether the call's input matches the request. */
  readonly isSame: boolean;
}

/** A request of a terminal session while its hook is held for an answer from elsewhere. */
export interface HoldView {
  /** The terminal shows no dialog meanwhile. */
  isBlocking: boolean;
  /** When it was answered, here or in the terminal, or could no longer be. */
  answeredAt: string | null;
  /** When the hook was released; null while it is held. */
  endedAt: string | null;
}

export interface SubagentView {
  readonly agentId: string;
  agentType: string | null;
  description: string | null;
  firstAt: string;
  lastAt: string;
  stoppedAt: string | null;
}

export interface SkillView {
  readonly skillName: string;
  readonly promptId: string | null;
  startAt: string | null;
  endAt: string | null;
}

/** A status from the agent's own registry. */
export interface StatusView {
  readonly status: "busy" | "idle" | "waiting";
  readonly waitingFor: string | null;
  readonly at: string;
  readonly pid: number | null;
}

export interface RetryView {
  readonly status: number | null;
  readonly message: string | null;
  readonly untilIso: string | null;
}

export function createSessionView(sessionId: string, prices: UsageSource): SessionView {
  return {
    sessionId,
    provider: "unknown",
    firstAt: "",
    lastAt: "",
    hasHooks: false,
    project: null,
    cwd: null,
    branch: null,
    model: null,
    permissionMode: null,
    transcriptPath: null,
    title: null,
    generatedTitle: null,
    firstPrompt: null,
    namingPrompt: null,
    lastPrompt: null,
    lastAnswer: null,
    prompts: new Set(),
    turns: new Map(),
    processes: new Map(),
    openCalls: new Map(),
    endedCalls: createIdMap(),
    failedCalls: 0,
    recentCalls: [],
    recentEnds: [],
    recentAnswers: [],
    waits: new Map(),
    holds: new Map(),
    driven: null,
    drivenMode: null,
    settledRequests: new Map(),
    lostRequests: new Map(),
    resumedSeq: 0,
    processTransitions: new Map(),
    subagents: new Map(),
    summarisers: new Set(),
    skills: new Map(),
    statuses: new Map(),
    compactionStarted: null,
    compactionEnded: null,
    retry: null,
    exitedAt: null,
    usage: createUsageFold(prices),
    eventCount: 0,
    seenEvents: createIdMap(),
  };
}

/** Two hook events further apart than this are in order of arrival: only a changed clock says otherwise. */
const MAX_CLOCK_SKEW_MS = 5_000;

export function isAfter(a: EventTime, b: EventTime): boolean {
  const byTime = a.ms - b.ms;
  if (a.isHook && b.isHook && Math.abs(byTime) > MAX_CLOCK_SKEW_MS) return a.order > b.order;
  return byTime > 0;
}
