import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import { createMeters } from "./meters.ts";
import { type MetricsInput, toPrometheus } from "./metrics.ts";
import { snapshotOf } from "./snapshot.testing.ts";

const waitingFor = (kind: "permission" | "question" | "plan"): SessionSnapshot["waiting"] => ({
  kind,
  requestId: randomUUID(),
  toolName: "Bash",
  toolUseId: `toolu_${randomUUID()}`,
  text: "rm -rf build",
  description: null,
  questions: [],
  agentId: null,
  agentType: null,
  sinceIso: "2026-01-01T00:00:00.000Z",
});
const usageOf = (model: string, costMicros: number | null) => ({
  model,
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  costMicros,
});

function pageOf(input: Partial<MetricsInput> = {}): string {
  return toPrometheus({
    version: "1.2.3",
    sessions: [],
    usage: [],
    lagMs: null,
    spoolDepth: 0,
    events: 0,
    quarantined: 0,
    refused: 0,
    stream: { clients: 0, gaps: 0 },
    memory: {},
    ...createMeters().read(),
    ...input,
  });
}

const samples = (page: string, name: string): string[] =>
  page.split("\n").filter((line) => new RegExp(`^${name}[{ ]`).test(line));

describe("the metrics", () => {
  it("are all named and typed, even without samples", () => {
    const types = [...pageOf().matchAll(/^# HELP (\w+) .+\n# TYPE \1 (\w+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    expect(types).toEqual([
      "hookline_build_info gauge",
      "hookline_sessions gauge",
      "hookline_sessions_waiting gauge",
      "hookline_tokens_total counter",
      "hookline_cost_usd_total counter",
      "hookline_tool_duration_seconds histogram",
      "hookline_wait_seconds histogram",
      "hookline_ingest_lag_seconds gauge",
      "hookline_spool_depth gauge",
      "hookline_events_total counter",
      "hookline_events_quarantined_total counter",
      "hookline_events_refused_total counter",
      "hookline_stream_clients gauge",
      "hookline_stream_gaps_total counter",
      "hookline_memory_bytes gauge",
    ]);
    expect(samples(pageOf(), "hookline_ingest_lag_seconds")).toEqual([]);
  });

  it("follow the Prometheus text format, and end with a line break", () => {
    const meters = createMeters();
    meters.toolEnded("Bash", 70);
    const page = pageOf({ usage: [usageOf('a"b\\c\nd', 1)], sessions: [snapshotOf("s")], ...meters.read() });
    expect(page.endsWith("\n")).toBe(true);
    expect(page).toContain('hookline_cost_usd_total{model="a\\"b\\\\c\\nd"} 0.000001\n');
    const form = /^(# (HELP|TYPE) .+|[a-z_]+(\{([a-z]+="([^"\\]|\\["\\n])*",?)+\})? (\+Inf|-?[\d.e+-]+))$/;
    for (const line of page.trimEnd().split("\n")) expect(line).toMatch(form);
  });

  it("count sessions by state and provider, and waiting ones, including zeros", () => {
    const page = pageOf({
      sessions: [
        snapshotOf("a"),
        snapshotOf("b", { waiting: waitingFor("question") }),
        snapshotOf("c", { state: "lost", provider: "codex" }),
      ],
    });
    expect(samples(page, "hookline_sessions")).toEqual([
      'hookline_sessions{state="active",provider="claude"} 2',
      'hookline_sessions{state="idle",provider="claude"} 0',
      'hookline_sessions{state="completed",provider="claude"} 0',
      'hookline_sessions{state="lost",provider="claude"} 0',
      'hookline_sessions{state="active",provider="codex"} 0',
      'hookline_sessions{state="idle",provider="codex"} 0',
      'hookline_sessions{state="completed",provider="codex"} 0',
      'hookline_sessions{state="lost",provider="codex"} 1',
    ]);
    expect(samples(page, "hookline_sessions_waiting")).toEqual([
      'hookline_sessions_waiting{kind="permission"} 0',
      'hookline_sessions_waiting{kind="question"} 1',
      'hookline_sessions_waiting{kind="plan"} 0',
    ]);
  });

  it("sum tokens and cost by model, and omit the cost of unpriced models", () => {
    const page = pageOf({
      usage: [usageOf("opus", 1_500_000), usageOf("opus", null), usageOf("mystery", null)],
    });
    expect(samples(page, "hookline_tokens_total").slice(0, 4)).toEqual([
      'hookline_tokens_total{type="input",model="opus"} 2',
      'hookline_tokens_total{type="output",model="opus"} 4',
      'hookline_tokens_total{type="cache_read",model="opus"} 6',
      'hookline_tokens_total{type="cache_write",model="opus"} 8',
    ]);
    expect(samples(page, "hookline_cost_usd_total")).toEqual(['hookline_cost_usd_total{model="opus"} 1.5']);
  });

  it("describe the daemon itself", () => {
    const page = pageOf({
      lagMs: 42,
      spoolDepth: 1,
      events: 2,
      quarantined: 3,
      refused: 4,
      stream: { clients: 5, gaps: 6 },
      memory: { rss: 7, heap_used: 8 },
    });
    for (const line of [
      'hookline_build_info{version="1.2.3"} 1',
      "hookline_ingest_lag_seconds 0.042",
      "hookline_spool_depth 1",
      "hookline_events_total 2",
      "hookline_events_quarantined_total 3",
      "hookline_events_refused_total 4",
      "hookline_stream_clients 5",
      "hookline_stream_gaps_total 6",
      'hookline_memory_bytes{kind="rss"} 7',
      'hookline_memory_bytes{kind="heap_used"} 8',
    ])
      expect(page.split("\n")).toContain(line);
  });

  it("never identify a session, call or request", () => {
    const sessions = Array.from({ length: 20 }, () =>
      snapshotOf(randomUUID(), {
        waiting: waitingFor("permission"),
        transcriptPath: `/t/${randomUUID()}.jsonl`,
      }),
    );
    const meters = createMeters();
    for (const { sessionId } of sessions) meters.toolEnded(`mcp__${sessionId}__run`, 5);
    const page = pageOf({ sessions, usage: [usageOf("claude-opus-4-6", 1)], ...meters.read() });
    expect(page).toContain('hookline_sessions_waiting{kind="permission"} 20');
    expect(page).toContain('hookline_tool_duration_seconds_count{tool="other"} 20');
    expect(page).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|toolu_/);
  });

  it("stay bounded, however many names occur", () => {
    const many = Array.from({ length: 500 }, (_, n) => `name-${n}`);
    const meters = createMeters();
    for (const name of many) meters.toolEnded(name, 1);
    const page = pageOf({
      usage: many.map((name) => usageOf(name, 1)),
      sessions: many.map((provider, n) => snapshotOf(`${n}`, { provider })),
      ...meters.read(),
    });
    expect(samples(page, "hookline_cost_usd_total")).toHaveLength(51);
    expect(page).toContain('hookline_cost_usd_total{model="other"} 0.00045\n');
    expect(samples(page, "hookline_sessions")).toHaveLength(51 * 4);
    expect(samples(page, "hookline_tool_duration_seconds_count")).toHaveLength(1);
  });
});

describe("durations", () => {
  it("fall into cumulative buckets", () => {
    const meters = createMeters();
    for (const ms of [50, 51, 700_000, -5, Number.NaN]) meters.toolEnded("Bash", ms);
    meters.toolEnded("mcp__anvils__weigh", 1_000);
    const page = pageOf(meters.read());
    const bash = samples(page, "hookline_tool_duration_seconds_bucket").filter((line) =>
      line.includes("Bash"),
    );
    expect(bash).toHaveLength(13);
    expect(bash[0]).toBe('hookline_tool_duration_seconds_bucket{tool="Bash",le="0.05"} 2');
    expect(bash[1]).toBe('hookline_tool_duration_seconds_bucket{tool="Bash",le="0.1"} 3');
    expect(bash[11]).toBe('hookline_tool_duration_seconds_bucket{tool="Bash",le="600"} 3');
    expect(bash[12]).toBe('hookline_tool_duration_seconds_bucket{tool="Bash",le="+Inf"} 4');
    expect(page).toContain('hookline_tool_duration_seconds_sum{tool="Bash"} 700.101\n');
    expect(page).toContain('hookline_tool_duration_seconds_count{tool="other"} 1\n');
  });

  it("of waits are grouped by kind", () => {
    const meters = createMeters();
    meters.waitEnded("plan", 20_000);
    const page = pageOf(meters.read());
    expect(page).toContain('hookline_wait_seconds_bucket{kind="plan",le="15"} 0\n');
    expect(page).toContain('hookline_wait_seconds_bucket{kind="plan",le="30"} 1\n');
    expect(page).toContain('hookline_wait_seconds_sum{kind="plan"} 20\n');
  });

  it("already read do not change", () => {
    const meters = createMeters();
    meters.toolEnded("Read", 1);
    const before = meters.read();
    meters.toolEnded("Read", 1);
    expect(before.toolDurations[0]!.counts[0]).toBe(1);
  });
});
