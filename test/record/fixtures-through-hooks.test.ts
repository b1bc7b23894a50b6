import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp, queryDatabase, runHookline, spoolFiles, until } from "../support/cli.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/claude/2.1.325");
const names = readdirSync(FIXTURES).filter((name) => !name.startsWith("_"));

interface Handler {
  readonly command: string;
}
interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Handler[];
}

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
  await installAndUp(scratch);
});
afterAll(() => scratch?.cleanup());

describe("every captured payload, through the installed commands as Claude Code runs them", () => {
  it("becomes at least one event; nothing is quarantined or printed, and the spool is empty", async () => {
    const settings = JSON.parse(readFileSync(join(scratch.home, ".claude/settings.json"), "utf8")) as {
      hooks: Record<string, Group[]>;
    };
    const notInstalled = new Set(["WorktreeCreate", "MessageDisplay", "FileChanged"]);
    const sessions = new Set<string>();
    let fired = 0;
    for (const name of names) {
      const payload = JSON.parse(readFileSync(join(FIXTURES, name), "utf8")) as Record<string, unknown>;
      const event = String(payload["hook_event_name"]);
      // Not installed by default; the command is the same for every event, so a user may add it.
      const groups = settings.hooks[notInstalled.has(event) ? "Stop" : event]!;
      const marked = { ...payload, fixture_name: name };
      sessions.add(String(payload["session_id"]));
      for (const group of groups) {
        const subject = String(payload["source"] ?? "");
        if (
          group.matcher !== undefined &&
          group.matcher !== "" &&
          !new RegExp(`^(${group.matcher})$`).test(subject)
        )
          continue;
        for (const { command } of group.hooks) {
          const env = {
            PATH: process.env["PATH"]!,
            HOME: scratch.home,
            HOOKLINE_AUTOSTART: "0",
            CLAUDE_PROJECT_DIR: scratch.project,
          };
          const run = spawnSync("/bin/sh", ["-c", command], {
            input: `${JSON.stringify(marked)}\n`,
            env,
            encoding: "utf8",
          });
          // The first sessions get the welcome message, and a prompt may get context remembered from earlier ones.
          const isGiven =
            /^\{"systemMessage":"Hookline now records|"additionalContext":"<hookline-context>/.test(
              run.stdout,
            );
          const stdout = isGiven ? "" : run.stdout;
          expect({ name, status: run.status, stdout, stderr: run.stderr }).toEqual({
            name,
            status: 0,
            stdout: "",
            stderr: "",
          });
          fired++;
        }
      }
    }
    expect(fired).toBeGreaterThanOrEqual(names.length);
    await until(() => spoolFiles(scratch).length === 0);
    const status = JSON.parse((await runHookline(scratch, ["status", "--json"])).stdout) as Record<
      string,
      number
    >;
    expect(status).toMatchObject({ spoolDepth: 0, torn: 0, quarantined: 0, refused: 0 });
    // The mark is an unknown field: it is kept, and identifies the payload of an event.
    const log = readFileSync(join(homeOf(scratch), "stream/lifecycle.jsonl"), "utf8");
    expect(names.filter((name) => !log.includes(`"fixture_name":"${name}"`))).toEqual([]);
    expect(queryDatabase(scratch, "SELECT claude_session_id FROM sdk_sessions")).toHaveLength(sessions.size);
  });
});
