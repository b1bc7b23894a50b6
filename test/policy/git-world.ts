import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { realWorld } from "../../src/control/real-world.ts";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";

export interface GitWorld {
  readonly home: string;
  /** Writes a file below the home. */
  put(path: string, text?: string): void;
  /** Runs git in a folder of the home, and returns its output. */
  git(folder: string, ...args: readonly string[]): string;
  /** The verdict on a command in a folder of the home, which is the workspace. */
  judge(command: string, folder: string): string;
  close(): void;
}

/** A home for real repositories. */
export function openGitWorld(): GitWorld {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "hookline-git-")));
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  return {
    home,
    put: (path, text = "x\n") => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
    git: (folder, ...args) =>
      execFileSync("git", [...who, ...args], {
        cwd: join(home, folder),
        env: { PATH: process.env["PATH"], HOME: home },
        stdio: "pipe",
        encoding: "utf8",
      }).trim(),
    judge: (command, folder) => {
      const cwd = join(home, folder);
      const request = { toolName: "Bash", toolInput: { command }, mode: "default", cwd, workspace: [cwd] };
      return decide(EMPTY_POLICY, request, realWorld({ HOME: home })).verdict;
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
