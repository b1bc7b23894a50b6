import { spawn, spawnSync } from "node:child_process";
import { recordCommand } from "../../src/hook/commands.ts";
import type { Place } from "./place.ts";

/** `/bin/sh -c command`, the payload on stdin, as Claude Code does it. Gives the milliseconds it took. */
export function timeShell(place: Place, command: string, input: string): number {
  return timeSpawn(place, ["/bin/sh", "-c", command], input);
}

export function timeSpawn(place: Place, words: readonly [string, ...string[]], input: string): number {
  const [file, ...args] = words;
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(file, args, { input, env: place.env, cwd: place.root });
  const took = performance.now() - startedAt;
  // `result.error` may be EPIPE of a command that reads no stdin, which is no failure.
  if (status !== 0 || stdout.length > 0 || stderr.length > 0)
    throw new Error(`${words.join(" ").slice(0, 60)}: exit ${status}, ${stdout}${stderr}`);
  return took;
}

/** The same without standing still meanwhile. */
export function fireHook(place: Place, input: string): Promise<void> {
  const child = spawn("/bin/sh", ["-c", recordCommand], {
    env: place.env,
    cwd: place.root,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the hook ended with ${code}`))));
  });
}
