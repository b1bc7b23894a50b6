import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { positionAt } from "../../test/support/position.ts";
import { claude } from "../agents/claude/claude.ts";
import type { HooklineEvent } from "../event/event.ts";
import { toLine } from "../event/line.ts";
import { openSqliteStore, type SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { foldEvent } from "./fold-event.ts";
import { queryUsage } from "./query-usage.ts";
import { createSessionView } from "./session-view.ts";
import { createUsageFold } from "./usage.ts";

let store: SqliteStore;
let count = 0;
beforeEach(() => {
  store = openSqliteStore(":memory:");
});
afterEach(() => store.close());

function event(eventType: string, atIso: string, fields: Partial<HooklineEvent> = {}): HooklineEvent {
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
    ...fields,
  };
}

const message = (atIso: string, model: string, usage: object, fields: Partial<HooklineEvent> = {}) =>
  event("assistant.message", atIso, { messageId: `m-${count}`, model, usage, ...fields });

const tool = (atIso: string, toolName: string, success: boolean | null) =>
  event("tool_observation", atIso, { payload: { toolName, toolInput: {}, toolOutput: "", success } });

async function apply(...events: readonly HooklineEvent[]): Promise<void> {
  const lines = events.map(toLine);
  count++;
  await store.facts.apply({ lines, part: 1, next: positionAt(count) });
}

const NOW = "2026-03-01T00:00:00.000Z";
const query = (by: "model" | "project" = "model", sinceIso = "2026-01-01T00:00:00.000Z", nowIso = NOW) =>
  queryUsage((work) => work(store.sessions), { prices: claude.usage, sinceIso, nowIso, by, waits: [] });

const usage = {
  input_tokens: 1_000,
  output_tokens: 200,
  cache_read_input_tokens: 50_000,
  cache_creation_input_tokens: 400,
  cache_creation: { ephemeral_1h_input_tokens: 100 },
};

describe("usage", () => {
  it("counts a session once even if it continued in another project, on another day and with another model", async () => {
    await apply(
      message("2026-01-02T12:00:00.000Z", "claude-opus-4-5", usage),
      message("2026-01-03T12:00:00.000Z", "claude-haiku-4-5", usage, { projectPath: "/q" }),
      message("2026-01-03T12:00:00.000Z", "claude-haiku-4-5", usage, { sessionId: "s2", projectPath: "/q" }),
    );
    const { sessions, projects } = await query();
    expect(sessions).toBe(2);
    expect(projects.map((project) => project.sessions).sort()).toEqual([1, 2]);
  });

  it("adds up to the messages' usage, however it is split", async () => {
    const events = [
      message("2026-01-02T12:00:00.000Z", "claude-opus-4-5", usage),
      message("2026-01-02T12:10:00.000Z", "claude-haiku-4-5", { ...usage, speed: "fast" }),
      message(
        "2026-01-04T12:00:00.000Z",
        "claude-opus-4-5",
        { ...usage, input_tokens: 250_000 },
        {
          sessionId: "s2",
          projectPath: "/q",
        },
      ),
      message("2026-01-04T12:00:00.000Z", "claude-opus-4-5", {
        ...usage,
        server_tool_use: { web_search_requests: 2 },
        inference_geo: "us",
        iterations: [
          { type: "advisor_message", model: "claude-haiku-4-5", input_tokens: 10, output_tokens: 5 },
        ],
      }),
    ];
    await apply(...events, message("2025-12-31T00:00:00.000Z", "claude-opus-4-5", usage));
    const fold = createUsageFold(claude.usage);
    for (const fact of events) fold.apply(fact);
    const { cost, tokens } = fold.read();
    const report = await query();
    // The fold rounds each message, the query only the sum.
    expect(report.cost).toEqual({ ...cost, micros: expect.closeTo(cost.micros!, -1) });
    for (const parts of [report.days, report.projects, report.models]) {
      const micros = parts.reduce((sum, part) => sum + (part.costMicros ?? 0), 0);
      expect(Math.abs(micros - cost.micros!)).toBeLessThanOrEqual(parts.length);
      expect(parts.reduce((sum, part) => sum + part.tokens.input, 0)).toBe(tokens.input);
      expect(parts.reduce((sum, part) => sum + part.tokens.cacheWrite, 0)).toBe(tokens.cacheWrite);
    }
    expect(report.days.map(({ day, sessions }) => [day, sessions])).toEqual([
      ["2026-01-02", 1],
      ["2026-01-04", 2],
    ]);
    expect(report.days[0]!.parts.map(({ key }) => key)).toEqual(["claude-opus-4-5", "claude-haiku-4-5"]);
    expect((await query("project")).days[1]!.parts.map(({ key }) => key)).toEqual(["/q", "/p"]);
  });

  it("reports a model without a known price as unpriced", async () => {
    await apply(message("2026-01-02T12:00:00.000Z", "homemade-1", usage));
    const { cost, models } = await query();
    expect(cost).toEqual({ micros: null, source: "unpriced", unpricedModels: ["homemade-1"] });
    expect(models).toMatchObject([{ model: "homemade-1", costMicros: null, source: "unpriced" }]);
  });

  it("omits synthetic messages, and counts a repeated message once", async () => {
    const repeated = message("2026-01-02T12:00:00.000Z", "claude-opus-4-5", usage);
    await apply(repeated, repeated, message("2026-01-02T12:00:00.000Z", "<synthetic>", usage));
    await apply(repeated);
    expect((await query()).models).toMatchObject([{ model: "claude-opus-4-5", tokens: { input: 1_000 } }]);
  });

  it("counts turns started by people, and tools with their failures", async () => {
    await apply(
      event("turn.start", "2026-01-02T12:00:00.000Z", { prompt: "a", promptId: "p1" }),
      event("turn.start", "2026-01-02T13:00:00.000Z", { prompt: "b", promptId: "p2" }),
      event("turn.start", "2026-01-02T13:30:00.000Z", { prompt: "c", promptId: "p3", machine: true }),
      tool("2026-01-02T12:00:00.000Z", "Bash", true),
      tool("2026-01-02T12:00:00.000Z", "Bash", false),
      tool("2026-01-02T12:00:00.000Z", "Read", null),
      { ...tool("2026-01-02T12:00:00.000Z", "Write", false), denial: "user-rejected" },
      { ...tool("2026-01-02T12:00:00.000Z", "Write", false), permissionDecision: { decision: "reject" } },
    );
    const { days, tools } = await query();
    expect(days).toMatchObject([{ day: "2026-01-02", turns: 2, sessions: 1, costMicros: null }]);
    expect(tools).toEqual([
      { tool: "Bash", count: 2, failed: 1 },
      { tool: "Write", count: 2, failed: 0 },
      { tool: "Read", count: 1, failed: 0 },
    ]);
  });

  it("counts failed calls like the session's view", async () => {
    const failed = (toolName: string, output: string, fields: Partial<HooklineEvent> = {}): HooklineEvent =>
      event("tool_observation", "2026-01-02T12:00:00.000Z", {
        toolUseId: `t-${count}`,
        payload: { toolName, toolInput: {}, toolOutput: output, success: false, errorMessage: output },
        ...fields,
      });
    const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    const cutOff = "[Tool call interrupted: the session ended before this call's result was recorded";
    const ended = [
      failed("CutOff", cutOff, { denial: "interrupted" }),
      failed("RejectedByWords", rejected, { origin: "hook" }),
      failed("Rejected", "no", { denial: "user-rejected" }),
      failed("DeniedByRule", "no", { permissionDecision: { decision: "deny" } }),
      failed("Broken", "Exit code 1"),
      failed("Printed", "x", {
        payload: {
          toolName: "Printed",
          toolInput: {},
          toolOutput: rejected,
          success: false,
          metadata: { exitCode: 1 },
        },
      }),
    ];
    await apply(...ended);
    const { tools } = await query();
    const inUsage = Object.fromEntries(tools.map(({ tool, failed }) => [tool, failed]));
    const inSession = ended.map((fact) => {
      const view = createSessionView("s1", claude.usage);
      foldEvent(view, fact);
      return [fact.payload!.toolName, view.failedCalls];
    });
    expect(inUsage).toEqual(Object.fromEntries(inSession));
    expect(inUsage).toMatchObject({ CutOff: 1, RejectedByWords: 0, Broken: 1, Printed: 1 });
  });

  it.each(["2026-03-01", "2036-01-01", "2025-01-01"])(
    "is the same in any number of parts: as of %s",
    async (today) => {
      const events = [1, 2, 3, 5, 8, 13, 21].flatMap((day) => {
        const atIso = new Date(Date.UTC(2026, 0, day, 12)).toISOString();
        return [
          message(atIso, "claude-opus-4-5", usage),
          event("turn.start", atIso, { prompt: "a", promptId: `p${day}`, sessionId: `t${day}` }),
          tool(atIso, "Bash", day % 2 === 0),
        ];
      });
      await apply(...events);
      const report = await query("model", "1970-01-01T00:00:00.000Z", `${today}T00:00:00.000Z`);
      expect(report.days.map(({ sessions, turns, tokens }) => [sessions, turns, tokens.input])).toEqual(
        Array.from({ length: 7 }, () => [2, 1, 1_000]),
      );
      expect(report.projects).toMatchObject([{ sessions: 8, turns: 7 }]);
      expect(report.tools).toEqual([{ tool: "Bash", count: 7, failed: 5 }]);
    },
  );

  it("yields while it is computed", async () => {
    await apply(message("2026-01-02T12:00:00.000Z", "claude-opus-4-5", usage));
    let [ticks, isDone] = [0, false];
    const count = (): void => {
      ticks++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await query();
    isDone = true;
    expect(ticks).toBeGreaterThan(20);
  });

  it("is read from indexes only", async () => {
    await apply(message("2026-01-02T12:00:00.000Z", "claude-opus-4-5", usage));
    const plan = store.db.raw
      .prepare(
        `EXPLAIN QUERY PLAN SELECT json_extract(event_json, '$.model') FROM facts INDEXED BY facts_by_usage
         WHERE event_type = 'assistant.message' AND timestamp >= '2026' LIMIT -1 OFFSET 0`,
      )
      .all()
      .map((row) => row["detail"]);
    expect(plan.join()).toContain("COVERING INDEX facts_by_usage");
  });
});
