import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { driveReactions } from "./drive-reactions.ts";
import { openReactionWorld, rule } from "./reaction-world.testing.ts";

it("writes a line of metrics and the summary at a session's end, to the file that the rule names", async () => {
  const world = openReactionWorld();
  const snapshot = {
    title: "Prices",
    model: "claude-test",
    gitBranch: "main",
    startedAtIso: "2026-11-15T10:00:00.000Z",
    lastEventAtIso: "2026-11-15T10:05:00.000Z",
    endedAtIso: null,
    endReason: null,
    humanWaitMs: 0,
    turnCount: 2,
    toolCount: 5,
    failedToolCount: 1,
    tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    cost: { micros: 12_500, source: "estimate", unpricedModels: [] },
  } as unknown as SessionSnapshot;
  const summary = { request: "fix the price", completed: "fixed" };
  const file = join(world.root, "figures.jsonl");
  world.rules.push(
    rule("default", { on: "SessionEnd", do: { type: "builtin", name: "session_metrics" } }),
    rule("named", {
      on: "SessionEnd",
      do: { type: "builtin", name: "session_metrics", options: { file: "~/figures.jsonl" } },
    }),
    rule("bad", {
      on: "SessionEnd",
      do: { type: "builtin", name: "session_metrics", options: { file: "here" } },
    }),
  );
  const driver = driveReactions({ ...world.options, sessionSummary: async () => ({ snapshot, summary }) });
  driver.onEvents(world.emit({ hook_event_name: "SessionEnd", reason: "clear" }));
  await driver.idle();
  await driver.close();
  for (const path of [file, world.options.metricsFile]) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      sessionId: "s1",
      project: world.project,
      endReason: "clear",
      durationMs: 300_000,
      turns: 2,
      tools: 5,
      failedTools: 1,
      costUsd: 0.0125,
      ...summary,
    });
  }
  expect(world.reactions().map(({ rule: id, ok }) => [id, ok])).toEqual(
    expect.arrayContaining([
      ["default", true],
      ["named", true],
      ["bad", false],
    ]),
  );
  world.close();
});
