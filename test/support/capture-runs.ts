// Recreates test/fixtures/claude/runs with the installed Claude Code: `node test/support/capture-runs.ts [scenario…]`.

import { join } from "node:path";
import { type Scenario, scenarios } from "./capture-scenarios.ts";
import { createScratch, openClaudeTmux, runClaude } from "./claude.ts";
import { openFakeApi } from "./fake-api.ts";
import { recordHooks, saveRun } from "./save-run.ts";

const target = join(import.meta.dirname, "..", "fixtures", "claude", "runs");
const wanted = process.argv.slice(2);

for (const scenario of scenarios) {
  if (wanted.length === 0 || wanted.includes(scenario.name)) await capture(scenario);
}

async function capture(scenario: Scenario): Promise<void> {
  const scratch = await createScratch();
  const api = await openFakeApi(scenario.script(scratch.project));
  try {
    await recordHooks(scratch);
    await scenario.play({
      scratch,
      run: async (prompt, ...args) => {
        const run = await runClaude(scratch, { prompt, api, args, env: scenario.env ?? {} });
        console.log(scenario.name, run.code, JSON.stringify(run.stdout + run.stderr).slice(0, 300));
        return run.sessionId ?? "";
      },
      open: (...args) => openClaudeTmux(scratch, { api, args, env: scenario.env ?? {} }),
    });
    await saveRun(scratch, api.url, join(target, scenario.name));
  } finally {
    await scratch.cleanup();
    await api.close();
  }
}
