import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { realRun } from "../durability/payloads.ts";
import { allBytes } from "../support/cli.ts";
import { type Hookline, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { RUNS_DIR } from "../support/pipeline.ts";

let hookline: Hookline;
beforeEach(() => {
  hookline = openHookline({ config: { rotateBytes: 40_000 } });
});
afterEach(() => hookline.close());

const SESSION = "5df8a8cc-cc91-4fde-9c5a-768d6a6459ab";

/** Runs the hooks as the agent does, then writes its transcript. */
async function record(): Promise<void> {
  cpSync(join(RUNS_DIR, "tools/projects"), join(hookline.root, "projects"), { recursive: true });
  for (const { payload } of realRun("tools"))
    if (payload["hook_event_name"] !== "PostToolBatch") await hookline.fire(payload);
  await hookline.settle();
  await importAll();
  expect(await hookline.run("search", "anvils", "--json")).toMatchObject({
    stdout: expect.stringMatching(/anvils/i),
  });
}

async function importAll(): Promise<void> {
  expect(await hookline.run("import", join(hookline.root, "projects"))).toMatchObject({ code: 0 });
  await hookline.settle();
}

function filesWith(text: string): string[] {
  return allBytes(hookline.home.dir)
    .filter(({ bytes }) => bytes.toString("latin1").toLowerCase().includes(text))
    .map(({ path }) => path.slice(hookline.home.dir.length + 1));
}

/** Expects it to be gone from every view, and never to come back. */
async function expectGone(): Promise<void> {
  expect(filesWith("anvils")).toEqual([]);
  await importAll();
  expect(filesWith("anvils")).toEqual([]);
  const before = hookline.query("SELECT id, event_json, payload_json FROM facts ORDER BY id");
  expect(await hookline.run("rebuild")).toMatchObject({ code: 0 });
  await hookline.settle();
  expect(hookline.query("SELECT id, event_json, payload_json FROM facts ORDER BY id")).toEqual(before);
  expect(filesWith("anvils")).toEqual([]);
  const search = await hookline.run("search", "anvils", "--json");
  expect(JSON.parse(search.stdout)).toMatchObject({ hits: [] });
}

it("leaves the text in no byte of the home, also after import, rebuild and restart, and keeps the session listed", async () => {
  const daemon = await hookline.start();
  await record();
  expect(filesWith("anvils").length).toBeGreaterThan(2);
  const forgot = await hookline.run("forget", "--match", "Anvils", "--yes", "--json");
  expect(forgot).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(forgot.stdout)).toMatchObject({ sessions: 0, dryRun: false });
  await vi.waitFor(
    async () => expect((await hookline.run("sessions", "--all", "--json")).stdout).toContain(SESSION),
    PATIENCE_MS,
  );
  await expectGone();
  await daemon.kill("SIGTERM");
  await hookline.start();
  await vi.waitFor(() => hookline.settle(), PATIENCE_MS);
  await expectGone();
});

it("is finished by the next start when killed at any moment", async () => {
  const first = await hookline.start();
  await record();
  const asking = hookline.run("forget", "--match", "anvils", "--yes");
  let daemon = first;
  // Until the request is recorded there is nothing to finish.
  await expect.poll(() => filesWith("memory.forgotten").length, { interval: 5 }).toBeGreaterThan(0);
  for (let kill = 0; kill < 5; kill++) {
    await setTimeout(Math.random() * 60);
    await daemon.kill();
    daemon = hookline.spawn();
  }
  await daemon.kill();
  await asking;
  await hookline.start();
  // It is finished before anything is served.
  await vi.waitFor(() => hookline.settle(), PATIENCE_MS);
  await expectGone();
});

it("accepts an id prefix and a project name, and reports when nothing matches", async () => {
  await hookline.start();
  await record();
  const [{ project, n }] = hookline.query(
    "SELECT project, count(*) AS n FROM memory_items GROUP BY 1 ORDER BY 2 DESC",
  ) as [{ project: string; n: number }];
  const name = project.split("/").at(-1)!;
  const lines = (text: string): number => text.split("\n").filter((line) => line !== "").length;
  const all = await hookline.run("export");
  expect(lines(all.stdout)).toBeGreaterThan(n);
  expect(lines((await hookline.run("export", "--project", name)).stdout)).toBe(n);
  expect((await hookline.run("export", "--project", "nowhere")).stdout).toBe("");
  const dry = await hookline.run("forget", "--session", SESSION.slice(0, 8), "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toMatchObject({ sessions: 1, dryRun: true });
  expect(await hookline.run("forget", "--match", "ab", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("at least 3 characters"),
  });
  // Two Korean characters count as a word.
  expect(await hookline.run("forget", "--match", "비밀", "--dry-run")).toMatchObject({ code: 0 });
  expect(await hookline.run("forget", "--session", "0000", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("session 0000 not found"),
  });
});
