// A small process that spawns and takes the time. Starting a child costs more the more memory its parent has
// (3 ms from the bench, half of that from here), and that cost would stand in every figure.

import { spawn } from "node:child_process";
import type { Place } from "./place.ts";

export interface Spawner {
  /** Runs a command with its input to the end, as one that must say nothing and succeed. Milliseconds. */
  time(words: readonly string[], input: string): Promise<number>;
  close(): void;
}

interface Answer {
  readonly tookMs: number;
  readonly status: number | null;
  readonly said: string;
}

export function openSpawner(place: Place): Spawner {
  // Plain text, so that the child need not load what strips types.
  const child = spawn(process.execPath, ["-e", `(${serve})()`], {
    env: place.env,
    cwd: place.root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return {
    async time(words, input) {
      const answer = await new Promise<Answer>((resolve, reject) => {
        child.once("exit", () => reject(new Error("the spawner is gone")));
        child.once("message", (message) => resolve(message as Answer));
        child.send({ words, input });
      }).finally(() => child.removeAllListeners("exit"));
      const { status, said, tookMs } = answer;
      if (status !== 0 || said !== "")
        throw new Error(`${words.join(" ").slice(0, 60)}: exit ${status}, ${said}`);
      return tookMs;
    },
    close: () => child.disconnect(),
  };
}

/** Runs in the child: nothing from outside it is known here. */
function serve(): void {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  process.on("message", ({ words, input }: { words: [string, ...string[]]; input: string }) => {
    const [file, ...args] = words;
    const startedAt = performance.now();
    const { status, stdout, stderr } = spawnSync(file, args, { input });
    const tookMs = performance.now() - startedAt;
    process.send?.({ tookMs, status, said: `${stdout}${stderr}` });
  });
}
