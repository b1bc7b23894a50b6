import type { ModelUsage } from "../monitor/session-detail.ts";
import { SESSION_STATES, type SessionSnapshot } from "../monitor/session-snapshot.ts";
import type { MeterReading } from "./meters.ts";
import { formatFamily, formatHistogram, type Sample } from "./prometheus-text.ts";

/** The input of `/metrics`. Sessions are only counted: no label identifies one. */
export interface MetricsInput extends MeterReading {
  readonly version: string;
  readonly sessions: Iterable<Pick<SessionSnapshot, "state" | "provider" | "waiting">>;
  /** Of all sessions in the database; a model may occur more than once. */
  readonly usage: Iterable<ModelUsage>;
  /** From the creation of the last event to its row; null before the first. */
  readonly lagMs: number | null;
  readonly spoolDepth: number;
  readonly events: number;
  readonly quarantined: number;
  readonly refused: number;
  readonly stream: { readonly clients: number; readonly gaps: number };
  /** Of the process, in bytes, by kind. */
  readonly memory: Readonly<Record<string, number>>;
}

/** Model and provider names come from outside; past this many, the rest is `other`. */
const MAX_NAMES = 50;
const WAIT_KINDS = ["permission", "question", "plan"] as const;
const TOKEN_TYPES = ["input", "output", "cacheRead", "cacheWrite"] as const;
const TOKEN_LABELS = {
  input: "input",
  output: "output",
  cacheRead: "cache_read",
  cacheWrite: "cache_write",
} as const;

export function toPrometheus(input: MetricsInput): string {
  const sessions = [...input.sessions];
  const usage = sumByModel(input.usage);
  const toSamples = (value: number | null): Sample[] => (value === null ? [] : [{ value }]);
  return [
    formatFamily("hookline_build_info", "gauge", "The version that runs.", [
      { labels: { version: input.version }, value: 1 },
    ]),
    formatFamily("hookline_sessions", "gauge", "Watched sessions.", countSessions(sessions)),
    formatFamily(
      "hookline_sessions_waiting",
      "gauge",
      "Sessions that wait for a person.",
      WAIT_KINDS.map((kind) => ({
        labels: { kind },
        value: sessions.filter(({ waiting }) => waiting?.kind === kind).length,
      })),
    ),
    formatFamily(
      "hookline_tokens_total",
      "counter",
      "Tokens of the recorded sessions.",
      [...usage].flatMap(([model, tokens]) =>
        TOKEN_TYPES.map((type) => ({ labels: { type: TOKEN_LABELS[type], model }, value: tokens[type] })),
      ),
    ),
    formatFamily(
      "hookline_cost_usd_total",
      "counter",
      "Cost of the recorded sessions, of models that have a price.",
      [...usage].flatMap(([model, { costMicros }]) =>
        costMicros === null ? [] : [{ labels: { model }, value: costMicros / 1_000_000 }],
      ),
    ),
    formatHistogram(
      "hookline_tool_duration_seconds",
      "Tool calls that ended since the daemon's start.",
      input.toolDurations,
    ),
    formatHistogram(
      "hookline_wait_seconds",
      "Waits for a person that ended since the daemon's start.",
      input.waits,
    ),
    formatFamily(
      "hookline_ingest_lag_seconds",
      "gauge",
      "From the birth of the last event to its row in the database.",
      toSamples(input.lagMs === null ? null : input.lagMs / 1_000),
    ),
    formatFamily("hookline_spool_depth", "gauge", "Files in the spool.", toSamples(input.spoolDepth)),
    formatFamily("hookline_events_total", "counter", "Events in the database.", toSamples(input.events)),
    formatFamily(
      "hookline_events_quarantined_total",
      "counter",
      "Input that was no event, as far as it is kept.",
      toSamples(input.quarantined),
    ),
    formatFamily(
      "hookline_events_refused_total",
      "counter",
      "Events the database refused.",
      toSamples(input.refused),
    ),
    formatFamily(
      "hookline_stream_clients",
      "gauge",
      "Clients of the stream.",
      toSamples(input.stream.clients),
    ),
    formatFamily(
      "hookline_stream_gaps_total",
      "counter",
      "Clients of the stream that were told of a gap.",
      toSamples(input.stream.gaps),
    ),
    formatFamily(
      "hookline_memory_bytes",
      "gauge",
      "Memory of the daemon: resident, and of its main thread's heap.",
      Object.entries(input.memory).map(([kind, value]) => ({ labels: { kind }, value })),
    ),
  ].join("");
}

/** Counts every state of every known provider, so that an empty state is a 0 instead of a missing series. */
function countSessions(sessions: readonly Pick<SessionSnapshot, "state" | "provider">[]): Sample[] {
  const label = createLabelLimiter();
  const counts = new Map<string, Map<string, number>>();
  for (const { provider, state } of sessions) {
    const name = label(provider);
    const states = counts.get(name) ?? new Map<string, number>();
    counts.set(name, states.set(state, (states.get(state) ?? 0) + 1));
  }
  return [...counts].flatMap(([provider, states]) =>
    SESSION_STATES.map((state) => ({ labels: { state, provider }, value: states.get(state) ?? 0 })),
  );
}

function sumByModel(usage: Iterable<ModelUsage>): Map<string, Omit<ModelUsage, "model">> {
  const label = createLabelLimiter();
  const sums = new Map<string, Omit<ModelUsage, "model">>();
  for (const { model, ...tokens } of usage) {
    const name = label(model);
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? tokens : addUsage(sum, tokens));
  }
  return sums;
}

function addUsage(a: Omit<ModelUsage, "model">, b: Omit<ModelUsage, "model">): Omit<ModelUsage, "model"> {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    costMicros:
      a.costMicros === null && b.costMicros === null ? null : (a.costMicros ?? 0) + (b.costMicros ?? 0),
  };
}

function createLabelLimiter(): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (!names.has(name) && names.size >= MAX_NAMES) return "other";
    names.add(name);
    return name;
  };
}
