import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createScratch, runClaude, type Scratch } from "../support/claude.ts";
import { homeOf, runHookline, spoolFiles, until } from "../support/cli.ts";
import { type FakeApi, openFakeApi } from "../support/fake-api.ts";
import { dumpTables } from "../support/pipeline.ts";

const scratches: Scratch[] = [];
afterAll(async () => {
  for (const scratch of scratches) await scratch.cleanup();
});

/** One scripted session: two parallel calls, a failure, a subagent in the background. */
async function run(isUp: boolean): Promise<Record<string, unknown[]>> {
  const scratch = await createScratch();
  scratches.push(scratch);
  await runHookline(scratch, ["install"]);
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
  if (isUp) await runHookline(scratch, ["up"]);
  const bash = (command: string, id: string) => ({ name: "Bash", input: { command, description: "Do" }, id });
  const api: FakeApi = await openFakeApi({
    main: [
      { tools: [bash("echo one", "toolu_one"), bash("echo two", "toolu_two")] },
      { tools: [bash("exit 3", "toolu_three")] },
      {
        tools: [
          {
            name: "Agent",
            input: {
              description: "Look",
              prompt: "look",
              subagent_type: "general-purpose",
              run_in_background: false,
            },
            id: "toolu_agent",
          },
        ],
      },
      { text: "Done." },
    ],
    agent: [{ tools: [bash("echo child", "toolu_child")] }, { text: "Child is done." }],
  });
  scratch.onCleanup(() => api.close());
  const args = ["--allowedTools", "Bash,Agent", "--session-id", "11111111-2222-4333-8444-555555555555"];
  const done = await runClaude(scratch, {
    prompt: "go",
    api,
    args,
    env: { HOOKLINE_AUTOSTART: "0", HOOKLINE_PORT: "0" },
  });
  expect(done).toMatchObject({ code: 0 });
  if (!isUp) {
    expect(spoolFiles(scratch).length).toBeGreaterThan(10);
    await runHookline(scratch, ["up"]);
  }
  await until(() => spoolFiles(scratch).length === 0);
  await runHookline(scratch, ["down"]);
  const store = openSqliteStore(join(homeOf(scratch), "hookline.db"), { readOnly: true });
  const dump = dumpTables(store);
  store.close();
  return normalise(dump, scratch.root);
}

/** Two runs may differ only in times, paths, process ids and random ids. */
function normalise(dump: Record<string, unknown[]>, root: string): Record<string, unknown[]> {
  const text = JSON.stringify(dump)
    .replaceAll(root, "/root")
    .replaceAll(root.replace(/[^a-zA-Z0-9]/g, "-"), "-root")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "uuid")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "time")
    .replace(/((?:durationMs|pid|totalDurationMs|CLAUDE_PID)\\*":\\*"?)\d+/gi, "$1n")
    .replace(/duration_ms: \d+/g, "duration_ms: n")
    .replace(/((?:total\w*Duration\w*|startTime)\\*":)\d+/g, "$1n")
    .replace(/"byte_offset":\d+,/g, "")
    .replace(/"inode":"\d+-[0-9a-f]+"/g, '"inode":"n"')
    .replace(/msg_01[0-9a-f]+/g, "msg")
    .replace(/"id":\d+/g, '"id":0')
    .replace(/agent-a[0-9a-f]+|\ba[0-9a-f]{16}\b/g, "agent");
  const tables = JSON.parse(text) as Record<string, unknown[]>;
  for (const rows of Object.values(tables))
    rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return tables;
}

describe("a complete real run with the daemon down", () => {
  let up: Record<string, unknown[]>;
  beforeAll(async () => {
    up = await run(true);
  });

  it("gives the same tables once the daemon is started as with it up", async () => {
    const down = await run(false);
    expect(up["observations"]).toHaveLength(5);
    expect(down).toEqual(up);
  });
});
