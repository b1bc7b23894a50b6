import { spawn } from "node:child_process";
import { claude } from "../../src/agents/claude/claude.ts";
import { recordCommand } from "../../src/hook/commands.ts";
import type { BenchHome } from "./bench-home.ts";

/** A record hook as Claude Code runs it: `/bin/sh -c`, the payload on stdin, then EOF. */
export const recordArgv = ["/bin/sh", "-c", recordCommand(claude)] as const;

export function fireHook(place: BenchHome, input: string): Promise<void> {
  const [file, ...args] = recordArgv;
  const child = spawn(file, args, { env: place.env, cwd: place.root, stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the hook ended with ${code}`))));
  });
}
