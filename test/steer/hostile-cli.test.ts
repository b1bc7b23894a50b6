import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrustReport } from "../../src/control/control-contract.ts";
import { createScratch, type Scratch } from "../support/claude.ts";
import { runHookline } from "../support/cli.ts";
import { needs } from "../support/needs.ts";
import { openTmux } from "../support/tmux.ts";

needs(import.meta.filename, "tmux");

let scratch: Scratch;

beforeAll(async () => {
  scratch = await createScratch();
  await scratch.write(
    ".mcp.json",
    '{ "mcpServers": { "anvils": { "command": "anvils", "args": ["--all"] } } }',
  );
});

afterAll(() => scratch.cleanup());

const run = (...args: string[]) => runHookline(scratch, ["trust", ...args]);
const report = async (...args: string[]) => JSON.parse((await run("--json", ...args)).stdout) as TrustReport;

describe("hookline trust", () => {
  it("shows what would run, approves exactly that by hash, and revokes it", async () => {
    const first = await run();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const { hash, trusted, items } = await report();
    expect({ trusted, items }).toEqual({
      trusted: false,
      items: [{ file: ".mcp.json", kind: "mcp", lines: ["anvils: anvils --all"], problem: null }],
    });
    expect(first.stdout).toBe(
      [
        ".mcp.json (mcp)",
        "  anvils: anvils --all",
        "",
        `${scratch.project} is not trusted. Driven sessions ignore these files.`,
        `To approve it: hookline trust --yes ${hash}`,
        "",
      ].join("\n"),
    );
    expect((await run("--yes", hash!)).stdout).toContain(`${scratch.project} is trusted since `);
    expect((await report(join(scratch.project, "src"))).trusted).toBe(true);
    expect((await report("--revoke")).trusted).toBe(false);
  });

  it("reports invalid requests", async () => {
    const wrong = await run("--yes", "0".repeat(64));
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("has changed. Review it again");
    expect((await run("--yes", "x", "--revoke")).code).toBe(2);
    expect((await run("/no/such/folder")).stderr).toContain("Folder /no/such/folder not found.");
    mkdirSync(join(scratch.root, "empty"));
    expect((await run(join(scratch.root, "empty"))).stdout).toContain("has nothing to approve");
  });

  it("refuses to run for an agent", async () => {
    const { hash } = await report();
    const answered = await runHookline(scratch, ["trust", "--yes", hash!], { CLAUDECODE: "1" });
    expect(answered.code).toBe(1);
    expect(answered.stderr).toContain("An agent cannot approve a project.");
    expect((await report()).trusted).toBe(false);
  });

  it("asks on a terminal", async () => {
    const env = {
      PATH: process.env["PATH"]!,
      HOME: scratch.home,
      TERM: "xterm-256color",
      TMUX_TMPDIR: scratch.root,
    };
    const bin = join(import.meta.dirname, "../../bin/hookline");
    const terminal = await openTmux({ command: [bin, "trust"], cwd: scratch.project, env });
    scratch.onCleanup(() => terminal.kill());
    await terminal.waitFor(/Approve all of this for driven sessions\? \[y\/N\]/);
    await terminal.type("y");
    await terminal.keys("Enter");
    await terminal.waitFor(/is trusted since/);
    expect((await report()).trusted).toBe(true);
  });
});
