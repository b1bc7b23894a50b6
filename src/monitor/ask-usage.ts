import { setImmediate as nextTurn } from "node:timers/promises";
import type { CountedUsage, UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { AskSessionRows, ToolCountRow, TurnCountRow, UsageRow, WaitRow } from "../store/session-rows.ts";
import { countUsage } from "./count-usage.ts";
import { localDay } from "./local-day.ts";
import type { Cost, Tokens } from "./session-snapshot.ts";

/** What was used by a day, a project or a model. */
export interface Used {
  readonly costMicros: number | null;
  readonly tokens: Tokens;
}

export interface UsageAnswer {
  readonly since: string;
  readonly cost: Cost;
  readonly pricesOf: string;
  readonly sessions: number;
  readonly days: readonly (Counts & { readonly day: string; readonly parts: readonly Part[] })[];
  readonly projects: readonly (Counts & { readonly project: string | null })[];
  readonly models: readonly (Used & {
    readonly model: string;
    readonly sessions: number;
    readonly source: Cost["source"];
  })[];
  readonly tools: readonly { readonly tool: string; readonly count: number; readonly failed: number }[];
}

interface Counts extends Used {
  readonly sessions: number;
  readonly turns: number;
  readonly waitMs: number;
}

type Part = Used & { readonly key: string | null };

export interface UsageAsked {
  readonly prices: UsageSource;
  readonly sinceIso: string;
  readonly nowIso: string;
  readonly by: "model" | "project";
  /** Waits at or after that time, and how long each lasted in it. */
  readonly waits: readonly { readonly wait: WaitRow; readonly ms: number }[];
}

/**
 * All that was used since a time, from messages of transcripts alone: every figure of it adds up to every other. Over
 * 10,000 sessions that takes half a second: it is asked for in parts, and between them others have their turn.
 */
export async function askUsage(
  rows: AskSessionRows,
  { prices, sinceIso, nowIso, by, waits }: UsageAsked,
): Promise<UsageAnswer> {
  const days = new Map<string, Tally>();
  const projects = new Map<string | null, Tally>();
  const models = new Map<string, Tally>();
  const parts = new Map<string, Map<string | null, Tally>>();
  const tools = new Map<string, { count: number; failed: number }>();
  const dayOf = createDayOf();

  const addShare = (share: Share): void => {
    const day = dayOf(share.hour);
    const model = prices.modelName(share.model);
    const ofDay = at(parts, day, () => new Map<string | null, Tally>());
    const tallies = [
      at(days, day, newTally),
      at(projects, share.projectPath, newTally),
      at(models, model, newTally),
      at(ofDay, by === "model" ? model : share.projectPath, newTally),
    ];
    for (const tally of tallies) add(tally, share);
  };
  const addTurns = (turns: readonly TurnCountRow[]): void => {
    for (const { sessionId, hour, projectPath, count } of turns) {
      for (const tally of [at(days, dayOf(hour), newTally), at(projects, projectPath, newTally)]) {
        tally.turns += count;
        tally.sessions.add(sessionId);
      }
    }
  };
  const addTools = (counts: readonly ToolCountRow[]): void => {
    for (const { toolName, count, failed } of counts) {
      const total = at(tools, toolName, () => ({ count: 0, failed: 0 }));
      total.count += count;
      total.failed += failed;
    }
  };

  const firstIso = await rows((store) => store.firstUseSince(sinceIso));
  if (firstIso !== null)
    for (const [from, to] of partsOf(firstIso, nowIso)) {
      for (const row of await rows((store) => store.usageBetween(from, to))) addShare(toShare(row, prices));
      addTurns(await rows((store) => store.turnsBetween(from, to)));
      addTools(await rows((store) => store.toolsBetween(from, to)));
      await nextTurn();
    }
  const advised = await rows((store) => store.advisedSince(sinceIso));
  for (const share of advised.flatMap((event) => toAdvisedShares(event, prices))) addShare(share);
  for (const { wait, ms } of waits) {
    at(days, localDay(new Date(wait.startedAtIso)), newTally).waitMs += ms;
    at(projects, wait.projectPath, newTally).waitMs += ms;
  }
  return {
    since: sinceIso,
    cost: costOf(models, prices),
    pricesOf: prices.pricesOf,
    sessions: new Set([...projects.values()].flatMap(({ sessions }) => [...sessions])).size,
    days: [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([day, tally]) => ({
        day,
        ...countsOf(tally),
        parts: dearest(parts.get(day) ?? new Map()).map(([key, part]) => ({ key, ...usedOf(part) })),
      })),
    projects: dearest(projects).map(([project, tally]) => ({ project, ...countsOf(tally) })),
    models: dearest(models).map(([model, tally]) => ({
      model,
      ...usedOf(tally),
      sessions: tally.sessions.size,
      source: prices.isPriced(model) ? "estimate" : "unpriced",
    })),
    tools: [...tools]
      .map(([tool, total]) => ({ tool, ...total }))
      .sort((a, b) => b.count - a.count || (a.tool < b.tool ? -1 : 1)),
  };
}

const DAY_MS = 24 * 3_600_000;
const MOST_PARTS = 120;
/** After all times that anybody could tell. */
const NEVER = "9999";

/** Times that follow on each other, a day each unless that would be too many; the last has no end. */
function* partsOf(firstIso: string, nowIso: string): Iterable<readonly [from: string, to: string]> {
  const [firstMs, nowMs] = [Date.parse(firstIso), Date.parse(nowIso)];
  const stepMs = Math.max(DAY_MS, (nowMs - firstMs) / MOST_PARTS);
  let from = firstIso;
  for (let toMs = firstMs + stepMs; toMs < nowMs; toMs += stepMs) {
    const to = new Date(toMs).toISOString();
    yield [from, to];
    from = to;
  }
  yield [from, NEVER];
}

interface Share {
  readonly sessionId: string;
  readonly hour: string;
  readonly projectPath: string | null;
  readonly model: string;
  readonly usage: CountedUsage;
  readonly micros: number | undefined;
}

function toShare(row: UsageRow, prices: UsageSource): Share {
  const { sessionId, hour, projectPath, model } = row;
  const usage = usageOf(row);
  return {
    sessionId,
    hour,
    projectPath,
    model,
    usage,
    micros: prices.priceOf(model, usage, row.size * 100_000 + 1),
  };
}

/** What other models used that were asked within messages. */
function toAdvisedShares(event: HooklineEvent, prices: UsageSource): Share[] {
  const { sessionId, projectPath, occurredAtIso } = event;
  // The first is the message's own, which is counted.
  return countUsage(String(event["model"]), event["usage"])
    .slice(1)
    .map(({ model, usage }) => ({
      sessionId,
      projectPath,
      hour: occurredAtIso.slice(0, 13),
      model,
      usage,
      micros: prices.priceOf(model, usage),
    }));
}

function usageOf(row: UsageRow): CountedUsage {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, webSearches, speed, geo } = row;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, cacheWrite1h),
    webSearches,
    isFast: speed === "fast",
    isUsOnly: geo === "us",
  };
}

interface Tally {
  readonly sessions: Set<string>;
  readonly tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  micros: number | null;
  turns: number;
  waitMs: number;
}

function newTally(): Tally {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { sessions: new Set(), tokens, micros: null, turns: 0, waitMs: 0 };
}

function add(tally: Tally, { sessionId, usage, micros }: Share): void {
  tally.sessions.add(sessionId);
  for (const key of ["input", "output", "cacheRead", "cacheWrite"] as const) tally.tokens[key] += usage[key];
  if (micros !== undefined) tally.micros = (tally.micros ?? 0) + micros;
}

function usedOf({ tokens, micros }: Tally): Used {
  return { costMicros: micros === null ? null : Math.round(micros), tokens };
}

function countsOf(tally: Tally): Counts {
  return { ...usedOf(tally), sessions: tally.sessions.size, turns: tally.turns, waitMs: tally.waitMs };
}

function costOf(models: ReadonlyMap<string, Tally>, prices: UsageSource): Cost {
  const unpricedModels = [...models.keys()].filter((model) => !prices.isPriced(model)).sort();
  const priced = [...models.values()].flatMap(({ micros }) => micros ?? []);
  const micros = priced.length === 0 ? null : Math.round(priced.reduce((sum, one) => sum + one, 0));
  return {
    micros,
    source: micros === null && unpricedModels.length > 0 ? "unpriced" : "estimate",
    unpricedModels,
  };
}

function dearest<K>(tallies: ReadonlyMap<K, Tally>): [K, Tally][] {
  const weight = ({ tokens }: Tally): number => tokens.input + tokens.output + tokens.cacheWrite;
  return [...tallies].sort(([, a], [, b]) => (b.micros ?? 0) - (a.micros ?? 0) || weight(b) - weight(a));
}

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Each hour is worked out once. Where a zone is off by half an hour, so is the border between its days. */
function createDayOf(): (hour: string) => string {
  const known = new Map<string, string>();
  return (hour) => at(known, hour, () => localDay(new Date(`${hour}:00:00.000Z`)));
}
