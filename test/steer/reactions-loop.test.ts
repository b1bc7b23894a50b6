// A reaction that starts the real Claude Code at the end of every turn.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { claudeBinary, claudeEnv, createScratch, runClaude } from "../support/claude.ts";
import { until } from "../support/cli.ts";
import { openFakeApi } from "../support/fake-api.ts";
import { openHookline } from "../support/hookline.ts";

it("does not trigger itself, however it runs", async () => {
  const scratch = await createScratch();
  const hookline = openHookline({ env: { HOME: scratch.home } });
  const api = await openFakeApi([{ text: "All done." }]);
  try {
    const env = { HOOKLINE_HOME: hookline.home.dir, HOOKLINE_AUTOSTART: "0" };
    const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = claudeEnv(scratch, { api, env });
    const claude = `ANTHROPIC_BASE_URL=${ANTHROPIC_BASE_URL} ANTHROPIC_API_KEY=${ANTHROPIC_API_KEY} ${claudeBinary} -p again`;
    // At most three, in case the protection fails.
    const command = (name: string) =>
      `echo "$HOOKLINE_SESSION" >> "$HOME/${name}"; [ "$(wc -l <"$HOME/${name}")" -gt 3 ] || ${claude} </dev/null`;
    const reactions = [
      { on: "Stop", do: { type: "command", command: command("after") } },
      { on: "SessionEnd", do: { type: "command", command: 'echo "$HOOKLINE_SESSION" >> "$HOME/ended"' } },
      { on: "Stop", do: { type: "command", command: command("asked"), answer: "message" } },
    ];
    writeFileSync(hookline.home.rules, JSON.stringify({ reactions }));
    expect(await hookline.run("install")).toMatchObject({ code: 0 });
    await hookline.start();
    const run = await runClaude(scratch, { api, env, prompt: "go" });
    expect(run).toMatchObject({ code: 0, stdout: "All done.\n" });
    const ran = (name: string): string[] => {
      const file = join(scratch.home, name);
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    };
    const sessions = () =>
      hookline.query("SELECT DISTINCT session_id FROM events WHERE event_type = 'turn.end'").length;
    // Its own session, and the two that the rules started.
    await until(() => sessions() === 3 && ran("after").length > 0);
    await hookline.settle();
    await sleep(1_000);
    const [first] = ran("after");
    for (const name of ["after", "asked", "ended"]) expect(ran(name), name).toEqual([first]);
    expect(sessions()).toBe(3);
  } finally {
    await scratch.cleanup();
    await hookline.close();
    await api.close();
  }
});
