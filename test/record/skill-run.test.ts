import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratch, runClaude, type Scratch } from "../support/claude.ts";
import { homeOf, queryDatabase, runHookline, until } from "../support/cli.ts";
import { openFakeApi } from "../support/fake-api.ts";

let scratch: Scratch;
let lines: Record<string, unknown>[];

beforeAll(async () => {
  scratch = await createScratch();
  await scratch.write(
    ".claude/skills/release-notes/SKILL.md",
    "---\nname: release-notes\ndescription: Writes release notes\n---\nWrite the notes for $ARGUMENTS.\n",
  );
  expect(await runHookline(scratch, ["install"])).toMatchObject({ code: 0 });
  scratch.onCleanup(() => runHookline(scratch, ["down"]));
  const api = await openFakeApi([
    { tools: [{ name: "Skill", input: { skill: "release-notes", args: "docs/release.md" } }] },
    { tools: [{ name: "Read", input: { file_path: join(scratch.project, "docs/release.md") } }] },
    { text: "Notes are written." },
  ]);
  scratch.onCleanup(() => api.close());
  const run = await runClaude(scratch, { prompt: "write the notes", api, env: { HOOKLINE_PORT: "0" } });
  expect(run).toMatchObject({ code: 0 });
  await until(
    () => queryDatabase(scratch, "SELECT 1 FROM session_lifecycle_events WHERE phase = 'ended'").length > 0,
    2_000,
  );
  lines = readFileSync(join(homeOf(scratch), "stream/lifecycle.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
});
afterAll(() => scratch?.cleanup());

describe("a real run in which the model calls a skill", () => {
  const story = (): Record<string, unknown>[] =>
    lines.filter(
      (line) =>
        line["eventType"] === "skill.lifecycle" ||
        (line["eventType"] === "session.lifecycle" && ["started", "ended"].includes(String(line["phase"]))),
    );

  it("is in the log in order: started, skill in progress, skill completed, ended", () => {
    expect(story().map(({ eventType, phase }) => `${eventType} ${phase}`)).toEqual([
      "session.lifecycle started",
      "skill.lifecycle in_progress",
      "skill.lifecycle completed",
      "session.lifecycle ended",
    ]);
    for (const skill of story().slice(1, 3)) {
      expect(skill).toMatchObject({
        skillName: "release-notes",
        targetDocPath: "docs/release.md",
        provider: "claude",
      });
    }
    expect(story()[0]).toMatchObject({
      projectPath: scratch.project,
      cwd: scratch.project,
      source: "startup",
    });
  });

  it("is in both lifecycle tables with the same ids", () => {
    const ids = (type: string) =>
      story()
        .filter((line) => line["eventType"] === type)
        .map((line) => line["id"]);
    const stored = (table: string) =>
      queryDatabase(scratch, `SELECT id FROM ${table} ORDER BY occurred_at_iso, phase`).map(
        (row) => row["id"],
      );
    expect(stored("session_lifecycle_events").sort()).toEqual(ids("session.lifecycle").sort());
    expect(stored("skill_lifecycle_events").sort()).toEqual(ids("skill.lifecycle").sort());
    expect(
      queryDatabase(
        scratch,
        "SELECT skill_name, target_doc_path, turn_seq, trigger_command FROM skill_lifecycle_events",
      ),
    ).toEqual(
      Array(2).fill({
        skill_name: "release-notes",
        target_doc_path: "docs/release.md",
        turn_seq: 1,
        trigger_command: "/release-notes docs/release.md",
      }),
    );
  });

  it("is found by the plain SQL of the specification", () => {
    const found = queryDatabase(
      scratch,
      `SELECT * FROM events
       WHERE event_type = 'tool_observation'
         AND JSON_EXTRACT(payload_json, '$.metadata.filePath') LIKE '%release.md%'
       ORDER BY timestamp DESC
       LIMIT 10;`,
    );
    expect(found).toHaveLength(1);
    expect(JSON.parse(String(found[0]!["payload_json"]))).toMatchObject({
      toolName: "Read",
      success: true,
      promptIndex: 1,
      toolIndex: 2,
      metadata: { fileType: "markdown" },
    });
    expect(JSON.parse(String(found[0]!["payload_json"]))).not.toHaveProperty("errorMessage");
    const failed = queryDatabase(
      scratch,
      `SELECT * FROM events
       WHERE event_type = 'tool_observation'
         AND JSON_EXTRACT(payload_json, '$.success') = false
       ORDER BY timestamp DESC;`,
    );
    expect(failed).toEqual([]);
  });

  it("fills sessions, prompts and observations, without tools that have no observation", () => {
    expect(
      queryDatabase(scratch, "SELECT project, first_user_prompt, prompt_counter, status FROM sdk_sessions"),
    ).toEqual([
      {
        project: scratch.project,
        first_user_prompt: "write the notes",
        prompt_counter: 1,
        status: "completed",
      },
    ]);
    expect(queryDatabase(scratch, "SELECT tool_name, prompt_number FROM observations")).toEqual([
      { tool_name: "Read", prompt_number: 1 },
    ]);
  });

  it("can be tailed, and records the agent's terminal but nothing else of its environment", async () => {
    const { stdout } = await runHookline(scratch, ["tail", "-n", "100"]);
    expect(stdout).toMatch(/session\.lifecycle started/);
    expect(Object.keys((story()[0]!["env"] as object) ?? {}).sort()).toEqual([
      "AI_AGENT",
      "CLAUDE_CODE_ENTRYPOINT",
      "CLAUDE_CODE_SESSION_ATTENDED",
      "CLAUDE_PID",
    ]);
  });
});
