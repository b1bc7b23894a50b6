// A terminal's request while the daemon stops and restarts: the hook's own command against the real daemon.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { Card } from "../../src/control/control-contract.ts";
import { permissionCommand } from "../../src/hook/ask-command.ts";
import { hashShown, showRequest } from "../../src/shown/show-request.ts";
import { runCommand } from "../hook/run-command.ts";
import { openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";

it("returns a request to the terminal however the daemon ends, and holds the next one", async () => {
  const hookline = openHookline();
  try {
    const project = join(hookline.root, "acme-shop");
    mkdirSync(project);
    expect(await hookline.run("install", "--approve")).toMatchObject({ code: 0 });
    const request = {
      ...{ hook_event_name: "PermissionRequest", session_id: "s-1", cwd: project, prompt_id: "p1" },
      ...{ tool_name: "Bash", tool_input: { command: "npm publish" } },
    };
    const ask = () =>
      runCommand(permissionCommand(claude, 60), {
        env: { PATH: "/usr/bin:/bin", HOOKLINE_HOME: hookline.home.dir, CLAUDE_CODE_SESSION_ATTENDED: "1" },
        input: `${JSON.stringify(request)}\n`,
      });
    const cardId = async (): Promise<string> => {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
        const { cards } = await hookline.ask<{ cards: { id: string; status: string }[] }>(
          "GET",
          "/api/control/cards",
        );
        const [first, second] = cards.filter(({ status }) => status === "pending");
        expect(second).toBeUndefined();
        if (first !== undefined) return first.id;
      }
      throw new Error("no card came");
    };
    const seen = new Set<string>();
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const daemon = await hookline.start();
      const asked = ask();
      seen.add(await cardId());
      await daemon.kill(signal);
      expect(await asked).toMatchObject({ code: 0, stdout: "", stderr: "" });
    }
    await hookline.start();
    const asked = ask();
    const id = await cardId();
    expect(seen.size).toBe(2);
    expect(seen.has(id)).toBe(false);
    const card = await hookline.ask<Card>("GET", `/api/control/cards/${id}`);
    const shown = await hashShown(showRequest(card));
    await hookline.ask("POST", `/api/control/cards/${id}/answer`, {
      decision: "allow",
      who: "a test",
      shown,
    });
    expect(JSON.parse((await asked).stdout)).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "allow" } },
    });
  } finally {
    await hookline.close();
  }
});
