// A daemon starts whatever an earlier one left in its log about held requests.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import type { Card } from "../../src/control/control-contract.ts";
import { permissionCommand } from "../../src/hook/ask-command.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
let daemon: DaemonChild;

beforeEach(async () => {
  hookline = openHookline({ config: { approve: { on: true, holdSeconds: 60 } } });
  mkdirSync(join(hookline.root, "shop"));
  daemon = await hookline.start();
});
afterEach(() => hookline.close());

const payload = (event: string, more: object) => ({
  hook_event_name: event,
  session_id: "s1",
  prompt_id: "p1",
  cwd: join(hookline.root, "shop"),
  ...more,
});

async function hold(prompt: string, command: string): Promise<void> {
  await hookline.fire(payload("UserPromptSubmit", { prompt }));
  const env = { ...hookline.env, CLAUDE_CODE_SESSION_ATTENDED: "1" };
  const hook = spawn("/bin/sh", ["-c", permissionCommand(claude, 60)], { env });
  hook.stdin.end(
    `${JSON.stringify(payload("PermissionRequest", { tool_name: "Bash", tool_input: { command } }))}\n`,
  );
  const cards = async () => (await hookline.ask<{ cards: Card[] }>("GET", "/api/control/cards")).cards;
  await expect.poll(async () => (await cards()).length).toBe(1);
  await hookline.settle();
}

it("for a request of a private turn", async () => {
  await hold("<private>deploy it</private>", "npm run deploy");
  await daemon.kill("SIGKILL");
  await hookline.start();
  expect((await hookline.settle()).recording).toBe(true);
});

it("for a forgotten request", async () => {
  await hold("deploy it", "npm run deploy");
  await daemon.kill("SIGKILL");
  daemon = await hookline.start();
  const forgot = await hookline.run("forget", "--match", "npm run deploy", "--yes");
  expect(forgot).toMatchObject({ code: 0, stderr: "" });
  await daemon.kill();
  await hookline.start();
  await hookline.settle();
  const remaining = hookline.query(
    "SELECT count(*) AS n FROM events WHERE payload_json LIKE '%npm run deploy%'",
  );
  expect(remaining).toEqual([{ n: 0 }]);
});
