import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, installAndUp, runHookline } from "../support/cli.ts";

const ONE = "0d5e11aa-1111-4111-8111-111111111111";
const TWINS = ["7c7c7c7c-2222-4222-8222-222222222222", "7c7c7c7c-3333-4333-8333-333333333333"];

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
  await installAndUp(scratch);
  for (const [at, session_id] of [ONE, ...TWINS].entries()) {
    const base = { session_id, cwd: scratch.project };
    drop(`1-${at}-0`, { ...base, hook_event_name: "SessionStart", source: "startup" });
    drop(`2-${at}-0`, {
      ...base,
      hook_event_name: "UserPromptSubmit",
      prompt_id: `p${at}`,
      prompt: `Repair the lighthouse number ${at}`,
    });
  }
  await runHookline(scratch, ["search", "lighthouse"]);
});
afterAll(() => scratch.cleanup());

function drop(name: string, payload: object): void {
  const spool = join(homeOf(scratch), "spool");
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  writeFileSync(join(spool, name), `${JSON.stringify(payload)}\n`);
}

const COMMANDS: readonly (readonly string[])[] = [
  ["session", "ID"],
  ["session", "ID", "--resume-command"],
  ["tail", "--session", "ID"],
  ["search", "lighthouse", "--session", "ID"],
  ["context", "--explain", "--session", "ID"],
  ["context", "--off", "--session", "ID"],
  ["forget", "--session", "ID", "--dry-run"],
];
const withId = (args: readonly string[], id: string): string[] =>
  args.map((arg) => (arg === "ID" ? id : arg));

describe.each(COMMANDS)("hookline %s %s", (...args) => {
  it("accepts eight letters of an id like the full id", async () => {
    const full = await runHookline(scratch, withId(args, ONE));
    expect(full).toMatchObject({ code: 0 });
    const short = await runHookline(scratch, withId(args, ONE.slice(0, 8)));
    const ages = (text: string): string => text.replace(/\b\d+s\b/g, "…s");
    expect({ ...short, stdout: ages(short.stdout) }).toEqual({ ...full, stdout: ages(full.stdout) });
  });

  it("reports an ambiguous prefix", async () => {
    const run = await runHookline(scratch, withId(args, "7c7c7c7c"));
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("7c7c7c7c matches several sessions");
    for (const id of TWINS) expect(run.stderr).toContain(id);
  });
});
