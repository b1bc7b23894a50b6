import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ProgramOptions, runProgram } from "./run-program.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-program-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));

const sh = (command: string, fields: Partial<ProgramOptions> = {}): ProgramOptions => ({
  file: "/bin/sh",
  args: ["-c", command],
  cwd: dir,
  env: { PATH: "/usr/bin:/bin" },
  stdin: "",
  timeoutMs: 10_000,
  ...fields,
});

describe("a program", () => {
  it("gets its input, arguments and environment, and returns how it ended", async () => {
    const program = sh('cat; echo "$1 $NAME" >&2; exit 4', { stdin: "in", env: { NAME: "x", PATH: "/bin" } });
    expect(await runProgram({ ...program, args: [...program.args, "sh", "a b"] })).toEqual({
      type: "ended",
      code: 4,
      stdout: "in",
      stderr: "a b x\n",
    });
  });

  it("may print without limit: only the first part is kept", async () => {
    const result = await runProgram(sh("head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2"));
    expect(result).toMatchObject({ type: "ended", code: 0, stderr: "end\n" });
    expect("stdout" in result && result.stdout.length).toBe(65_536);
  });

  it("need not read its input", async () => {
    expect(await runProgram(sh("exit 0", { stdin: "x".repeat(1_000_000) }))).toMatchObject({ code: 0 });
  });

  it("does not block on its children, which are killed with it", async () => {
    const result = await runProgram(sh("(sleep 1; touch late) & echo begun"));
    expect(result).toMatchObject({ type: "ended", stdout: "begun\n" });
    await sleep(1_100);
    expect(existsSync(join(dir, "late"))).toBe(false);
  });

  it("is killed if it ignores TERM", async () => {
    const result = await runProgram(sh("trap '' TERM; while :; do sleep 0.1; done", { timeoutMs: 200 }));
    expect(result).toMatchObject({ type: "killed", why: "it took longer than 0.2 s" });
  });

  it("is reported as missing if its folder does not exist", async () => {
    expect(await runProgram(sh("exit 0", { cwd: join(dir, "gone") }))).toMatchObject({ type: "missing" });
  });

  it("does not outlive our process if that is killed", async () => {
    const command = "touch begun; sleep 1; touch late";
    const script = `import { runProgram } from ${JSON.stringify(join(import.meta.dirname, "run-program.ts"))};
      await runProgram(${JSON.stringify(sh(command))});`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
    await expect.poll(() => existsSync(join(dir, "begun"))).toBe(true);
    host.kill("SIGKILL");
    await sleep(1_200);
    expect(existsSync(join(dir, "late"))).toBe(false);
    expect(execFileSync("ls", [dir], { encoding: "utf8" })).toBe("begun\n");
  });
});
