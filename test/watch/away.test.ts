import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AwayReport, type WaitTotals } from "../../src/serve/contract.ts";
import { type FakeAgent, openFakeAgent } from "../support/fake-agent.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
const agents: FakeAgent[] = [];
beforeEach(async () => {
  hookline = openHookline();
  await hookline.start();
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.kill();
  await hookline.close();
});

async function begin(sessionId: string): Promise<FakeAgent> {
  const agent = openFakeAgent(hookline, sessionId);
  agents.push(agent);
  await agent.fire("SessionStart", { source: "startup" });
  await agent.fire("UserPromptSubmit", { prompt_id: `${sessionId}-p`, prompt: "go" });
  return agent;
}

const away = async (): Promise<AwayReport> => AwayReport.parse(await hookline.ask("GET", "/api/away"));
const names = (sessions: readonly { sessionId: string }[]): string[] =>
  sessions.map(({ sessionId }) => sessionId).sort();

describe("a user who comes back", () => {
  it("sees which sessions need a person and what ended, and later only what is new", async () => {
    const [asks, ends, fails] = [await begin("asks"), await begin("ends"), await begin("fails")];
    const bash = { tool_name: "Bash", tool_input: { command: "rm -r dist" }, prompt_id: "asks-p" };
    await asks.fire("PreToolUse", { ...bash, tool_use_id: "t1" });
    await asks.fire("PermissionRequest", bash);
    const file = { file_path: "/home/dev/a.ts", content: "a" };
    const write = { tool_name: "Write", tool_input: file, prompt_id: "ends-p", tool_use_id: "t2" };
    await ends.fire("PostToolUse", { ...write, tool_response: { type: "create" } });
    await ends.fire("SessionEnd", { reason: "other" });
    await fails.fire("StopFailure", { prompt_id: "fails-p", error: "billing_error" });
    await hookline.settle();

    // Never looked before: covers the last day.
    const report = await away();
    expect(Date.parse(report.untilIso) - Date.parse(report.sinceIso)).toBe(24 * 3_600_000);
    expect(names(report.needsPerson)).toEqual(["asks", "fails"]);
    expect(names(report.finished)).toEqual(["ends"]);
    expect(report.failures).toMatchObject([{ sessionId: "fails", what: "billing_error" }]);
    expect(report.filesChanged).toMatchObject([{ path: "/home/dev/a.ts", count: 1 }]);
    expect(report.humanWaitMs).toBeGreaterThan(0);

    await hookline.ask("POST", "/api/away/seen", { atIso: report.untilIso });
    expect(existsSync(hookline.home.lastSeen)).toBe(true);
    const second = await away();
    expect(second).toMatchObject({ sinceIso: report.untilIso, finished: [], failures: [], filesChanged: [] });
    // A waiting session is listed no matter when it started.
    expect(names(second.needsPerson)).toEqual(["asks", "fails"]);

    await asks.fire("PostToolUse", { ...bash, tool_use_id: "t1", tool_response: { stdout: "" } });
    await hookline.settle();
    expect(names((await away()).needsPerson)).toEqual(["fails"]);
    const { totals } = await hookline.ask<WaitTotals>("GET", "/api/waits?by=session");
    expect(totals).toMatchObject([{ key: "asks", count: 1 }]);
    expect(totals[0]!.totalMs).toBeGreaterThan(0);
  });
});
