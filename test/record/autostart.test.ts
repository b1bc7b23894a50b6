import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import { claudeEnv, createScratch, runClaude, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline, spoolFiles, until } from "../support/cli.ts";
import { openFakeApi } from "../support/fake-api.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
  expect(await runHookline(scratch, ["install"])).toMatchObject({ code: 0 });
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
});
afterAll(() => scratch?.cleanup());

const pidOf = (): number => Number(readFileSync(join(homeOf(scratch), "daemon.pid"), "utf8"));

describe("a session that starts while no daemon runs", () => {
  it("starts one that inherits nothing of the agent's environment", async () => {
    const api = await openFakeApi([{ text: "Hello." }]);
    scratch.onCleanup(() => api.close());
    const env = { HOOKLINE_PORT: "0", MY_TOKEN: "of-the-agent", GITHUB_TOKEN: "of-the-agent-too" };
    expect(await runClaude(scratch, { prompt: "hi", api, env })).toMatchObject({
      code: 0,
      stdout: "Hello.\n",
    });
    const pid = await until(() => existsSync(join(homeOf(scratch), "daemon.pid")) && pidOf());
    const environ = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    const allowed = [
      "HOME",
      "PATH",
      "LANG",
      "LC_ALL",
      "TMPDIR",
      "USER",
      "LOGNAME",
      "HOOKLINE_HOME",
      "HOOKLINE_PORT",
    ];
    expect(environ.map((pair) => pair.split("=")[0]!).filter((key) => !allowed.includes(key))).toEqual([]);
    expect(environ.join()).not.toContain("of-the-agent");
    await until(() => spoolFiles(scratch).length === 0);
    await until(
      () => queryDatabase(scratch, "SELECT status FROM sdk_sessions")[0]?.["status"] === "completed",
    );
  });

  it("is not delayed: the hook returns while the daemon is still starting", async () => {
    await runHookline(scratch, ["down"]);
    const give = hookEntries(claude)["SessionStart"]!.find((group) => group.matcher === "startup|clear")!
      .hooks[0]!.command;
    const payload = `${JSON.stringify({ hook_event_name: "SessionStart", session_id: "s", source: "startup", cwd: "/" })}\n`;
    const env = { ...claudeEnv(scratch), HOOKLINE_PORT: "0" };
    const timed = (autostart: string): number => {
      const begin = performance.now();
      const run = spawnSync("/bin/sh", ["-c", give], {
        input: payload,
        env: { ...env, HOOKLINE_AUTOSTART: autostart },
      });
      expect(run.status).toBe(0);
      return performance.now() - begin;
    };
    timed("0");
    const begin = performance.now();
    const tookMs = timed("1");
    await until(() => existsSync(join(homeOf(scratch), "daemon.pid")) && pidOf() > 0);
    expect(tookMs).toBeLessThan(performance.now() - begin);
  });
});
