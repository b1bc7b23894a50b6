import type { CountedUsage, UsageSource } from "../agents/usage-source.ts";
import type { ToolCountRow, TurnCountRow, WaitRow } from "../store/session-rows.ts";
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

/** What one model used in one hour of a session. */
export interface Share {
  readonly sessionId: string;
  readonly hour: string;
  readonly projectPath: string | null;
  readonly model: string;
  readonly usage: CountedUsage;
  readonly micros: number | undefined;
}

/** Adds up what was used, by day, project, model and tool. */
export interface UsageTallies {
  addShare(share: Share): void;
  addTurns(turns: readonly TurnCountRow[]): void;
  addTools(counts: readonly ToolCountRow[]): void;
  addWait(wait: WaitRow, ms: number): void;
  total(): Omit<UsageAnswer, "since" | "pricesOf">;
}

/** `by`: what a day's parts are of. */
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
      const model = prices.modelName(share.model);
      const ofDay = at(parts, day, () => new Map<string | null, Tally>());
      const tallies = [
        at(days, day, newTally),
        at(projects, share.projectPath, newTally),
        at(models, model, newTally),
        at(ofDay, by === "model" ? model : share.projectPath, newTally),
      ];
      for (const tally of tallies) add(tally, share);
    },
    addTurns(turns) {
      for (const { sessionId, hour, projectPath, count } of turns) {
        for (const tally of [at(days, dayOf(hour), newTally), at(projects, projectPath, newTally)]) {
          tally.turns += count;
          tally.sessions.add(sessionId);
        }
      }
    },
    addTools(counts) {
      for (const { toolName, count, failed } of counts) {
        const total = at(tools, toolName, () => ({ count: 0, failed: 0 }));
        total.count += count;
        total.failed += failed;
      }
    },
    addWait(wait, ms) {
      at(days, localDay(new Date(wait.startedAtIso)), newTally).waitMs += ms;
      at(projects, wait.projectPath, newTally).waitMs += ms;
    },
    total: () => ({
      cost: costOf(models, prices),
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
