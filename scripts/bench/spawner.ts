// A small process that spawns and times. Starting a child costs more the more memory its parent has, which
// flatters the ratio to `sh -c :` and worsens the share of `node -e 0`. So bash does it, with its own
// microsecond clock: `sh -c :` takes 1.8 ms from it, 3.4 ms from a small Node (medians of 60, alternating).
// The two are not comparable: by this one the hook with 600 KB is over its budget.

import { execFileSync, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { BenchHome } from "./bench-home.ts";

export interface Spawner {
  /** Runs a command, which must succeed and print nothing unless `mayTalk`. Returns milliseconds. */
  time(words: readonly string[], input: string): Promise<number>;
  close(): void;
}

/** Reads a count and as many lines, one word each; prints status and microseconds. Child output is fd 3. */
const SERVE = `
while read -r count; do
  words=()
  while (( count-- > 0 )); do IFS= read -r word; words+=("$word"); done
  from=$EPOCHREALTIME
  "\${words[@]}" <"$0" >&3 2>&3
  status=$? to=$EPOCHREALTIME
  echo "$status $(( \${to/[.,]/} - \${from/[.,]/} ))"
done`;

export function openSpawner(place: BenchHome, { mayTalk = false } = {}): Spawner {
  // As with the agent, input and output are pipes.
  const fifo = join(place.root, "input");
  execFileSync("bash", ["-c", 'mkfifo "$0"', fifo]);
  const child = spawn("bash", ["-c", SERVE, fifo], {
    env: place.env,
    cwd: place.root,
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  const [commands, results, , output] = child.stdio as readonly [
    Writable,
    Readable,
    null,
    Readable,
    ...unknown[],
  ];
  const answers = createInterface({ input: results });
  let said = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    if (!mayTalk) said += text;
  });
  return {
    async time(words, input) {
      const answer = new Promise<string>((resolve, reject) => {
        child.once("exit", () => reject(new Error("the spawner is gone")));
        answers.once("line", resolve);
      }).finally(() => child.removeAllListeners("exit"));
      // Opens when the child does, then writes while it starts, as the agent does.
      const fed = feed(fifo, input);
      commands.write(`${words.length}\n${words.join("\n")}\n`);
      const [status, tookUs] = (await answer).split(" ");
      await fed;
      if (status !== "0" || said !== "")
        throw new Error(`${words.join(" ").slice(0, 60)}: exit ${status}, ${said}`);
      return Number(tookUs) / 1_000;
    },
    close: () => commands.end(),
  };
}

/** A command that ignores its input may exit before it is written. */
async function feed(fifo: string, input: string): Promise<void> {
  const pipe = await open(fifo, "w");
  await pipe.writeFile(input).catch(() => undefined);
  await pipe.close();
}
