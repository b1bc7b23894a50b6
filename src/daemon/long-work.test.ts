import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RUNS_DIR } from "../../test/support/pipeline.ts";
import { resolveHome } from "../home.ts";
import { type Daemon, startDaemon } from "./daemon.ts";

const SESSION = "5df8a8cc-cc91-4fde-9c5a-768d6a6459ab";

let root: string;
let daemon: Daemon;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "hookline-long-"));
  cpSync(join(RUNS_DIR, "tools/projects"), join(root, "projects"), { recursive: true });
  const env = { HOME: root, HOOKLINE_HOME: join(root, ".hookline"), HOOKLINE_PORT: "0" };
  daemon = await startDaemon(resolveHome(env), env, { serve: false });
});
afterEach(async () => {
  await daemon.stop();
  rmSync(root, { recursive: true, force: true });
});

async function forget(session: string): Promise<Response> {
  const body = JSON.stringify({ session });
  return daemon.ask("/api/forget", { method: "POST", headers: { "content-type": "application/json" }, body });
}

it("forgets a session of a running import after waiting for it", async () => {
  // The first request loads the routes.
  await daemon.ask("/api/health");
  const imported = daemon.importTranscripts(join(root, "projects"));
  const [forgotten, unknown] = await Promise.all([forget(SESSION), forget("nobody")]);
  expect((await imported).events).toBeGreaterThan(0);
  expect([forgotten.status, await forgotten.json()]).toMatchObject([200, { sessions: 1 }]);
  expect([unknown.status, await unknown.json()]).toMatchObject([409, { error: { code: "session_unknown" } }]);
  expect(await daemon.status()).toMatchObject({ sessions: 0 });
});

it("aborts a rebuild when the daemon stops, and leaves nothing behind", async () => {
  await daemon.importTranscripts(join(root, "projects"));
  const rebuilt = expect(daemon.rebuild()).rejects.toMatchObject({ code: "rebuild_stopped" });
  await daemon.stop();
  await rebuilt;
  expect(readdirSync(join(root, ".hookline")).filter((name) => name.includes("rebuild"))).toEqual([]);
});
