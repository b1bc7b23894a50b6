import type { UsageSource } from "../agents/usage-source.ts";
import type { Origin } from "../event/event.ts";
import { createIdMap, type IdMap } from "./id-map.ts";
import type { BackgroundTask, Terminal } from "./session-snapshot.ts";
import { createUsage, type UsageFold } from "./usage.ts";

/**
 * What the monitor keeps of one session: facts by what they are about (a call by its id, a turn by its prompt, a
 * process by its number), never "the last thing that came". So the order of arrival does not show, and being told
 * twice changes nothing. Changed in place by `fold-event.ts`, read by `read-session.ts`.
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
  /** A name that somebody gave, then one that the agent made up. */
  title: Dated<string> | null;
  madeTitle: Dated<string> | null;
  firstPrompt: Dated<string> | null;
  lastPrompt: (Mark & Dated<string>) | null;
  lastAnswer: (Mark & Dated<string>) | null;
  readonly prompts: Set<string>;
  readonly turns: Map<string, TurnView>;
  readonly processes: Map<number, ProcessView>;
  readonly openCalls: Map<string, CallView>;
  /** Whether each call that ended succeeded, and how sure its teller was (`ended-calls.ts`). */
  readonly endedCalls: IdMap;
  failedCalls: number;
  /** The newest calls and ends, for requests that are told after the call they were about. */
  readonly recentCalls: CallView[];
  readonly recentEnds: CallEnd[];
  readonly waits: Map<string, WaitView>;
  /** How requests of a terminal were offered elsewhere, by the request's id. */
  readonly holds: Map<string, HoldView>;
  /** The newest state of a session that is or was driven from here. */
  driven: { readonly seq: number; readonly state: string; readonly at: string } | null;
  /** When requests of a driven session were settled, by their ids. */
  readonly settled: Map<string, string>;
  /** Requests that were lost with their driver, by their ids, and when the driven session last went on. */
  readonly lostRequests: Map<string, { readonly seq: number; readonly at: string }>;
  wentOnSeq: number;
  readonly elicitations: Map<string, Dated<string>>;
  /** Beginnings and ends of its processes, by the events that told them. */
  readonly lives: Map<string, LifeMark>;
  readonly subagents: Map<string, SubagentView>;
  /** Agents that wrote the summary of a compaction: nobody tells that they begin, and they are no subagents. */
  readonly summarisers: Set<string>;
  readonly skills: Map<string, SkillView>;
  readonly statuses: Map<string, StatusView>;
  compactionBegan: Mark | null;
  compactionEnded: Mark | null;
  retry: Dated<RetryView> | null;
  /** When the agent's process wrote its last totals: its end, for a session without hooks. */
  exitedAt: string | null;
  readonly usage: UsageFold;
  /** Counts what was told: the order of arrival, where clocks cannot tell. */
  told: number;
  /** What hooks and the daemon told, by its id: told again, it must not seem to have come later. */
  readonly heard: IdMap;
}

/** A value and when it was so. */
export interface Dated<T> {
  readonly at: string;
  readonly value: T;
}

/** A moment, with what tells its place when the clock was moved. */
export interface Mark {
  readonly at: string;
  /** The same, as a number. */
  readonly ms: number;
  readonly order: number;
  readonly isHook: boolean;
}

export interface TurnView {
  readonly promptId: string;
  start: Mark | null;
  /** The newest thing it did. */
  active: Mark;
  end: (Mark & TurnEnd) | null;
}

export interface TurnEnd {
  readonly kind: "ended" | "failed" | "interrupted";
  /** Of the one whose word on how it ended counts. */
  readonly told: Mark;
  readonly error: string | null;
  readonly message: string | null;
  readonly tasks: readonly BackgroundTask[];
}

/** A process of a session began or ended. */
export interface LifeMark {
  readonly pid: number;
  readonly at: string;
  readonly isEnd: boolean;
}

export interface ProcessView {
  readonly pid: number;
  firstAt: string;
  /** The newest thing that was heard of it. */
  last: Mark;
  start: Mark | null;
  end: (Mark & { readonly reason: string | null }) | null;
  gone: Mark | null;
  attended: boolean | null;
  terminal: Terminal | null;
}

export interface CallView {
  readonly toolUseId: string;
  readonly toolName: string | null;
  /** As recorded; null where they were not. */
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
  /** When it began to run: somebody had answered by then. */
  readonly ranAt: string;
  readonly startedAt: string | null;
}

export interface WaitView extends Mark {
  readonly id: string;
  readonly kind: "permission" | "question" | "plan";
  readonly toolName: string | null;
  readonly toolKind: string | null;
  readonly agentId: string | null;
  readonly promptId: string | null;
  readonly pid: number | null;
  /** Let go when the wait is long over. */
  input: unknown;
  /** Of the input, as far as it tells equal requests from others. */
  readonly inputKey: string;
  /** The first line of what was asked. */
  readonly text: string;
  readonly origin: Origin;
  /** The request's id where it was asked through the driver: it is settled there, and nowhere else. */
  drivenId: string | null;
  /** The call it is about: the newest such call from before it. */
  call: { readonly toolUseId: string; readonly at: string } | null;
  /** Ends of calls of that tool and agent, by their ids. */
  readonly ends: Map<string, WaitEnd>;
  /** Once it is long over: how long it lasted will not change. */
  closedAt: string | null;
}

export interface WaitEnd {
  readonly at: string;
  readonly ranAt: string;
  /** When the call was announced, before anybody was asked; null where nobody told. */
  readonly startedAt: string | null;
  /** Whether the call's input is what was asked for. */
  readonly isSame: boolean;
}

/** A request of a terminal session while its hook is held for an answer from elsewhere. */
export interface HoldView {
  /** The terminal shows no dialog meanwhile. */
  isBlocking: boolean;
  /** When somebody answered, here or in the terminal, or nobody could any more. */
  answeredAt: string | null;
  /** When the hook was let go; null while it is held. */
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

/** What the agent's own registry said. */
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

export function createView(sessionId: string, prices: UsageSource): SessionView {
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
    madeTitle: null,
    firstPrompt: null,
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
    waits: new Map(),
    holds: new Map(),
    driven: null,
    settled: new Map(),
    lostRequests: new Map(),
    wentOnSeq: 0,
    elicitations: new Map(),
    lives: new Map(),
    subagents: new Map(),
    summarisers: new Set(),
    skills: new Map(),
    statuses: new Map(),
    compactionBegan: null,
    compactionEnded: null,
    retry: null,
    exitedAt: null,
    usage: createUsage(prices),
    told: 0,
    heard: createIdMap(),
  };
}

/** Two hook events further apart than this are in the order they came: only a moved clock says otherwise. */
const CLOCK_MS = 5_000;

export function isAfter(a: Mark, b: Mark): boolean {
  const byTime = a.ms - b.ms;
  if (a.isHook && b.isHook && Math.abs(byTime) > CLOCK_MS) return a.order > b.order;
  return byTime > 0;
}
