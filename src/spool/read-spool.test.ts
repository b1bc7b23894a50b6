import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { listSpool, readSpoolFile, type SpoolRead } from "./read-spool.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-spool-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function read(content: string | Buffer, name = "77-88-0"): SpoolRead {
  writeFileSync(join(dir, name), content);
  return readSpoolFile(listSpool(dir)[0]!, new Set(claude.installer.recordedEnv));
}

describe("spool files", () => {
  it("lists files by birth time, and nothing when the folder is missing", async () => {
    for (const name of ["9-9-0", "1-9-0", "1-10-0"]) {
      writeFileSync(join(dir, name), "{}\n");
      if (name === "9-9-0") await setTimeout(20);
    }
    // A changed mtime does not reorder a file: its birth time counts.
    utimesSync(join(dir, "9-9-0"), 2_000_000_000, 2_000_000_000);
    mkdirSync(join(dir, "folder"));
    expect(listSpool(dir).map((file) => file.name)).toEqual(["9-9-0", "1-9-0", "1-10-0"]);
    expect(listSpool(join(dir, "none"))).toEqual([]);
  });

  it("reads a payload and the agent's pid", () => {
    const result = read('{"a":1}\n');
    expect(result).toMatchObject({ type: "complete", delivery: { payload: { a: 1 }, pid: 77, env: {} } });
  });

  it.each([
    ["claude-77-88-0", { hookOwner: "claude", pid: 77 }],
    ["77-88-0", { hookOwner: null, pid: 77 }],
    ["Claude-77-88-0", { hookOwner: null, pid: null }],
    ["claude-77", { hookOwner: null, pid: null }],
    ["odd", { hookOwner: null, pid: null }],
  ])("reads the hook's owner and the agent's pid from the name %s", (name, expected) => {
    expect(read('{"a":1}\n', name)).toMatchObject({ type: "complete", delivery: expected });
  });

  it("orders files with equal times by hook pid, whichever agent wrote them", () => {
    const names = ["claude-1-9-0", "1-10-0", "codex-1-10-1", "claude-2-1-0", "odd"];
    for (const name of [...names].reverse()) {
      writeFileSync(join(dir, name), "{}\n");
      utimesSync(join(dir, name), 1_000_000_000, 1_000_000_000);
    }
    expect(listSpool(dir).map((file) => file.name)).toEqual(names);
  });

  it("reads only allow-listed variables from a SessionStart environment", () => {
    const result = read('env\tCLAUDE_PID=12\tTMUX=\tANTHROPIC_API_KEY=sk\tSSH_TTY=/dev/pts/0\n{"a":1}\n');
    expect(result).toMatchObject({
      delivery: { env: { CLAUDE_PID: "12", TMUX: "", SSH_TTY: "/dev/pts/0" } },
    });
    expect(JSON.stringify(result)).not.toContain("sk");
  });

  it.each([
    ["nothing", ""],
    ["half a payload", '{"a":'],
    ["an environment without a payload", "env\tTMUX=x\n"],
    ["half an environment", "env\tTMU"],
    ["no JSON", "hello\n"],
  ])("reports a file with %s as incomplete", (_what, content) => {
    expect(read(content).type).toBe("incomplete");
  });

  it("keeps an event with invalid UTF-8, U+2028 or NUL", () => {
    const result = read(
      Buffer.concat([Buffer.from('{"a":"x\u2028y\\u0000'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
    );
    expect(result).toMatchObject({ delivery: { payload: { a: "x\u2028y\u0000\ufffd\ufffd" } } });
  });
});
