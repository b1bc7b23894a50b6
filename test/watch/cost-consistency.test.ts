import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { queryAwayReport, queryUsageWithWaits } from "../../src/monitor/query-away-report.ts";
import { querySessions } from "../../src/monitor/query-sessions.ts";
import { openSessionTracker, type SessionTracker } from "../../src/monitor/session-tracker.ts";
import { openPipeline, type Pipeline, RUNS_DIR } from "../support/pipeline.ts";

const TRANSCRIPTS = join(RUNS_DIR, "..", "transcripts");
const roots = [...readdirSync(RUNS_DIR).map((name) => join(RUNS_DIR, name, "projects")), TRANSCRIPTS].filter(
  existsSync,
);
const BEFORE = "2026-01-01T00:00:00.000Z";
const NOW = "2026-12-31T00:00:00.000Z";

let pipeline: Pipeline;
let tracker: SessionTracker;
afterEach(async () => {
  await tracker.close();
  await pipeline.close();
});

async function open(fill: (pipeline: Pipeline) => Promise<void>): Promise<void> {
  pipeline = await openPipeline();
  await fill(pipeline);
  tracker = await openSessionTracker({
    prices: claude.usage,
    rows: ask,
    nowMs: () => Date.parse(NOW),
    monotonicMs: () => 1e9,
    onChange: () => undefined,
    onDrop: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  await tracker.buildMissingRows();
}

const ask: Parameters<typeof querySessions>[1] = (work) => work(pipeline.store.sessions);

/** The cost each session shows, and the totals over all of them. */
async function figures(since = BEFORE) {
  const { sessions } = await querySessions(tracker.watched, ask, { limit: 500 }, tracker.emit);
  const usage = await queryUsageWithWaits(tracker, ask, { since, by: "model" }, NOW);
  const away = await queryAwayReport(tracker, ask, since, NOW);
  return {
    sessions: sessions.reduce((sum, { cost }) => sum + (cost.micros ?? 0), 0),
    output: sessions.reduce((sum, { tokens }) => sum + tokens.output, 0),
    usage,
    today: away.cost,
  };
}

describe("the cost of recorded sessions", () => {
  it.each(roots.map((root) => ({ name: basename(join(root, "..")), root })))(
    "is the same in sessions, Usage and today, including compactions: $name",
    async ({ root }) => {
      await open(({ importTranscripts }) => importTranscripts(root));
      const { sessions, output, usage, today } = await figures();
      expect(sessions).toBeGreaterThan(0);
      // Every session rounds each of its models.
      const near = (micros: number | null): void =>
        expect(Math.abs((micros ?? 0) - sessions)).toBeLessThanOrEqual(10);
      near(usage.cost.micros);
      near(today.micros);
      for (const parts of [usage.days, usage.projects, usage.models]) {
        near(parts.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0));
        expect(parts.reduce((sum, { tokens }) => sum + tokens.output, 0)).toBe(output);
      }
    },
  );
});

let count = 0;
function told(eventType: string, atIso: string, more: Partial<HooklineEvent>): HooklineEvent {
  return {
    v: 1,
    id: `id-${count++}`,
    eventType,
    occurredAtIso: atIso,
    sessionId: "s1",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
    origin: "transcript",
    ...more,
  };
}

const message = (atIso: string, model: string, output: number): HooklineEvent =>
  told("assistant.message", atIso, { messageId: `m-${count}`, model, usage: { output_tokens: output } });

/** The agent's totals at exit: output tokens and dollars by model. */
function exited(
  atIso: string,
  startIso: string,
  sums: Readonly<Record<string, readonly [output: number, costUSD: number]>>,
): HooklineEvent {
  const startTime = Date.parse(startIso);
  const modelUsage = Object.fromEntries(
    Object.entries(sums).map(([model, [outputTokens, costUSD]]) => [model, { outputTokens, costUSD }]),
  );
  const data = { startTime, totalDuration: Date.parse(atIso) - startTime, modelUsage };
  return told("agent.event", atIso, { phase: "exited", name: "cost-state", data });
}

describe("usage that an agent reports beyond its messages", () => {
  const haiku = "claude-haiku-4-5";

  it("counts on the day it was reported, and once however often the session is resumed", async () => {
    const start = "2026-03-01T10:00:00.000Z";
    await open(({ appendEvents }) =>
      appendEvents([
        message("2026-03-01T10:01:00.000Z", haiku, 1_000),
        exited("2026-03-01T10:02:00.000Z", start, { [haiku]: [1_400, 0.007] }),
        message("2026-03-03T10:01:00.000Z", haiku, 1_000),
        exited("2026-03-03T10:02:00.000Z", start, { [haiku]: [2_600, 0.013] }),
      ]),
    );
    const all = await figures();
    expect(all.sessions).toBe(13_000);
    expect(all.usage.days.map(({ day, costMicros }) => [day, costMicros])).toEqual([
      ["2026-03-01", 7_000],
      ["2026-03-03", 6_000],
    ]);
    const later = await figures("2026-03-03T00:00:00.000Z");
    expect(later.today.micros).toBe(6_000);
    expect(later.usage.cost).toEqual(later.today);
    expect((await figures("2026-03-04T00:00:00.000Z")).today.micros).toBe(0);
  });

  it("uses the agent's price where our table has none", async () => {
    const start = "2026-03-01T10:00:00.000Z";
    await open(({ appendEvents }) =>
      appendEvents([
        message("2026-03-01T10:01:00.000Z", "homemade-1", 1_000),
        exited("2026-03-01T10:02:00.000Z", start, { "homemade-1": [1_000, 0.5] }),
      ]),
    );
    const { sessions, usage, today } = await figures();
    expect([sessions, today.micros, usage.cost.micros]).toEqual([500_000, 500_000, 500_000]);
    expect(usage.models).toMatchObject([{ model: "homemade-1", costMicros: 500_000, source: "estimate" }]);
  });

  it("is zero while the agent has reported nothing", async () => {
    await open(({ appendEvents }) => appendEvents([message("2026-03-01T10:01:00.000Z", haiku, 1_000)]));
    const { sessions, usage, today } = await figures();
    expect([sessions, today.micros, usage.cost.micros]).toEqual([5_000, 5_000, 5_000]);
  });
});
