import type { Call } from "../conversation/entry.ts";
import type { Subagent } from "./read-subagents.ts";

/** A session as lanes over time: the main agent first, then its subagents in order of their start. */
export interface Lane {
  readonly key: string;
  /** Null for the main agent. */
  readonly agent: Subagent | null;
  readonly bars: readonly Bar[];
  /** The maximum number of stacked bars. */
  readonly rows: number;
}

export interface Bar {
  readonly call: Call;
  readonly fromMs: number;
  readonly toMs: number;
  readonly row: number;
}

const MAX_ROWS = 4;

export function toLanes(calls: readonly Call[], agents: readonly Subagent[], nowMs: number): Lane[] {
  const byAgent = new Map<string | null, Call[]>([[null, []]]);
  for (const { agentId } of agents) byAgent.set(agentId, []);
  for (const call of calls) {
    const lane = byAgent.get(call.agentId);
    if (lane === undefined) byAgent.set(call.agentId, [call]);
    else lane.push(call);
  }
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  return [...byAgent].map(([agentId, laneCalls]) => {
    const bars = stackBars(laneCalls, nowMs);
    return {
      key: agentId ?? "main",
      agent: agentId === null ? null : (byId.get(agentId) ?? null),
      bars,
      rows: Math.max(1, ...rowsOf(bars)),
    };
  });
}

function* rowsOf(bars: readonly Bar[]): Generator<number> {
  const seenRows = new Set<number>();
  for (const { row } of bars)
    if (!seenRows.has(row)) {
      seenRows.add(row);
      yield row + 1;
    }
}

/** Concurrent calls are stacked; beyond four rows they share the last. */
function stackBars(calls: readonly Call[], nowMs: number): Bar[] {
  const rowEnds: number[] = [];
  return [...calls]
    .sort((a, b) => a.startMs - b.startMs)
    .map((call) => {
      const toMs = Math.max(call.startMs, call.endMs ?? nowMs);
      let row = rowEnds.findIndex((endMs) => endMs <= call.startMs);
      if (row === -1) row = rowEnds.length < MAX_ROWS ? rowEnds.length : MAX_ROWS - 1;
      rowEnds[row] = Math.max(rowEnds[row] ?? 0, toMs);
      return { call, fromMs: call.startMs, toMs, row };
    });
}

/** The bar at a time in a row, or the nearest one within the tolerance. */
export function barAt(bars: readonly Bar[], atMs: number, row: number, toleranceMs: number): Bar | null {
  let best: Bar | null = null;
  let bestMs = toleranceMs;
  for (const bar of bars) {
    if (bar.row !== row) continue;
    const distanceMs = atMs < bar.fromMs ? bar.fromMs - atMs : atMs > bar.toMs ? atMs - bar.toMs : 0;
    if (distanceMs <= bestMs) {
      best = bar;
      bestMs = distanceMs;
    }
    if (bar.fromMs - toleranceMs > atMs) break;
  }
  return best;
}
