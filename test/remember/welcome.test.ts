import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { digestCommand } from "../../src/hook/digest-command.ts";
import { runCommand } from "../hook/run-command.ts";
import { until } from "../support/cli.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";

let hookline: Hookline;
beforeEach(() => {
  hookline = openHookline({ config: { memory: { embedder: null } } });
});
afterEach(() => hookline.close());

const project = (): string => join(hookline.root, "shop");
const started = async (name = "startup"): Promise<string> => {
  const env = { ...hookline.env, CLAUDE_PROJECT_DIR: project(), HOOKLINE_AUTOSTART: "0" };
  return (await runCommand(digestCommand(claude, name), { env })).stdout;
};
const base = (): object => ({ session_id: "s1", cwd: project() });

it("introduces Hookline in the first session's start hook, and not in later ones", async () => {
  await hookline.start();
  const { port } = await hookline.status();
  const { systemMessage } = JSON.parse(await started()) as { systemMessage: string };
  expect(systemMessage).toContain(`http://127.0.0.1:${port}`);
  expect(systemMessage).toContain("`hookline top`");
  expect(await started("resume")).toBe("");

  // Its own start does not remove the message: the two hooks run in parallel.
  await hookline.fire({ ...base(), hook_event_name: "SessionStart", source: "startup" });
  await hookline.settle();
  expect(await started()).toContain("systemMessage");
  await hookline.fire({ ...base(), hook_event_name: "UserPromptSubmit", prompt: "hi", prompt_id: "p1" });
  await until(() => !existsSync(hookline.home.welcome));
  expect(await started()).not.toContain("Hookline now records your sessions");
});

it("prints nothing where the notice is off", async () => {
  await hookline.close();
  hookline = openHookline({ config: { memory: { embedder: null, notice: false } } });
  await hookline.start();
  expect([existsSync(hookline.home.welcome), await started()]).toEqual([false, ""]);
});

it("is ready after an installation, before a daemon ever ran", async () => {
  expect(await hookline.run("install")).toMatchObject({ code: 0 });
  expect(JSON.parse(await started())).toEqual({
    systemMessage: expect.stringContaining("http://127.0.0.1:"),
  });
});
