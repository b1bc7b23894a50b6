import { isDeniedCall } from "../agents/denied-call.ts";
import type { UsageSource } from "../agents/usage-source.ts";
import type { FailedCallRow, ToolCountRow, TurnCountRow, WaitRow } from "../store/session-rows.ts";
import { localDay } from "./local-day.ts";
import type { Cost, Tokens } from "./session-snapshot.ts";
import type { UsageShare } from "./usage-share.ts";

/** Usage of a day, a project or a model. */
export interface UsageTotal {
  readonly costMicros: number | null;
  readonly tokens: Tokens;
}

export interface UsageTotals {
  readonly since: string;
  readonly cost: Cost;
  readonly pricesOf: string;
  readonly sessions: number;
  readonly days: readonly (UsageCounts & { readonly day: string; readonly parts: readonly Part[] })[];
  readonly projects: readonly (UsageCounts & { readonly project: string | null })[];
  readonly models: readonly (UsageTotal & {
    readonly model: string;
    readonly sessions: number;
    readonly source: Cost["source"];
  })[];
  readonly tools: readonly { readonly tool: string; readonly count: number; readonly failed: number }[];
}

interface UsageCounts extends UsageTotal {
  readonly sessions: number;
  readonly turns: number;
  readonly waitMs: number;
}

type Part = UsageTotal & { readonly key: string | null };

/** Sums usage by day, project, model and tool. */
export interface UsageTallies {
  addShare(share: UsageShare): void;
  addTurns(turns: readonly TurnCountRow[]): void;
  addTools(counts: readonly ToolCountRow[], failed: readonly FailedCallRow[]): void;
  addWait(wait: WaitRow, ms: number): void;
  total(): Omit<UsageTotals, "since" | "pricesOf">;
}

/** `by`: how days are split. */
export function createUsageTallies(prices: UsageSource, by: "model" | "project"): UsageTallies {
  const days = new Map<string, Tally>();
  const projects = new Map<string | null, Tally>();
  const models = new Map<string, Tally>();
  const parts = new Map<string, Map<string | null, Tally>>();
  const tools = new Map<string, { count: number; failed: number }>();
  const dayOf = createDayOf();

  return {
    addShare(share) {
      const day = dayOf(share.hour);
      const model = prices.canonicalModelName(share.model);
      const partsOfDay = getOrCreate(parts, day, () => new Map<string | null, Tally>());
      const tallies = [
        getOrCreate(days, day, newTally),
        getOrCreate(projects, share.projectPath, newTally),
        getOrCreate(models, model, newTally),
        getOrCreate(partsOfDay, by === "model" ? model : share.projectPath, newTally),
      ];
      for (const tally of tallies) add(tally, share);
    },
    addTurns(turns) {
      for (const { sessionId, hour, projectPath, count } of turns) {
        for (const tally of [
          getOrCreate(days, dayOf(hour), newTally),
          getOrCreate(projects, projectPath, newTally),
        ]) {
          tally.turns += count;
          tally.sessions.add(sessionId);
        }
      }
    },
    addTools(counts, failed) {
      const totalOf = (toolName: string) => getOrCreate(tools, toolName, () => ({ count: 0, failed: 0 }));
      for (const { toolName, count } of counts) totalOf(toolName).count += count;
      // Like a session's own count (`recordCallEnd`).
      for (const call of failed) if (!isDeniedCall({ ...call })) totalOf(call.toolName).failed++;
    },
    addWait(wait, ms) {
      getOrCreate(days, localDay(new Date(wait.startedAtIso)), newTally).waitMs += ms;
      getOrCreate(projects, wait.projectPath, newTally).waitMs += ms;
    },
    total: () => ({
      cost: costOf(models, prices),
      sessions: new Set([...projects.values()].flatMap(({ sessions }) => [...sessions])).size,
      days: [...days]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, tally]) => ({
          day,
          ...countsOf(tally),
          parts: byCost(parts.get(day) ?? new Map()).map(([key, part]) => ({ key, ...toUsageTotal(part) })),
        })),
      projects: byCost(projects).map(([project, tally]) => ({ project, ...countsOf(tally) })),
      models: byCost(models).map(([model, tally]) => ({
        model,
        ...toUsageTotal(tally),
        sessions: tally.sessions.size,
        source: tally.micros === null ? "unpriced" : "estimate",
      })),
      tools: [...tools]
        .map(([tool, total]) => ({ tool, ...total }))
        .sort((a, b) => b.count - a.count || (a.tool < b.tool ? -1 : 1)),
    }),
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

function add(tally: Tally, { sessionId, usage, micros }: UsageShare): void {
  tally.sessions.add(sessionId);
  for (const key of ["input", "output", "cacheRead", "cacheWrite"] as const) tally.tokens[key] += usage[key];
  if (micros !== undefined) tally.micros = (tally.micros ?? 0) + micros;
}

function toUsageTotal({ tokens, micros }: Tally): UsageTotal {
  return { costMicros: micros === null ? null : Math.round(micros), tokens };
}

function countsOf(tally: Tally): UsageCounts {
  return { ...toUsageTotal(tally), sessions: tally.sessions.size, turns: tally.turns, waitMs: tally.waitMs };
}

function costOf(models: ReadonlyMap<string, Tally>, prices: UsageSource): Cost {
  const unpricedModels = [...models.keys()].filter((model) => !prices.isPriced(model)).sort();
  const priced = [...models.values()].flatMap(({ micros }) => micros ?? []);
  const micros = priced.length === 0 ? null : Math.round(priced.reduce((sum, amount) => sum + amount, 0));
  return {
    micros,
    source: micros === null && unpricedModels.length > 0 ? "unpriced" : "estimate",
    unpricedModels,
  };
}

function byCost<K>(tallies: ReadonlyMap<K, Tally>): [K, Tally][] {
  const weight = ({ tokens }: Tally): number => tokens.input + tokens.output + tokens.cacheWrite;
  return [...tallies].sort(([, a], [, b]) => (b.micros ?? 0) - (a.micros ?? 0) || weight(b) - weight(a));
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const built = make();
  map.set(key, built);
  return built;
}

/** Each hour is computed once. In zones with a half-hour offset, day boundaries are off by half an hour. */
function createDayOf(): (hour: string) => string {
  const days = new Map<string, string>();
  return (hour) => getOrCreate(days, hour, () => localDay(new Date(`${hour}:00:00.000Z`)));
}
