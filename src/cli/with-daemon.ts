import type { z } from "zod";
import { askDaemon } from "../client/ask-daemon.ts";
import { type Daemon, startDaemon } from "../daemon/daemon.ts";
import type { Home } from "../home.ts";
import { commandName } from "./command-name.ts";
import { daemonProgress, withProgress } from "./progress.ts";

/** Lets the running daemon do it, which owns log and database; or does it here when none runs. */
export async function withDaemon<T>(
  home: Home,
  ask: { path: string; schema: z.ZodType<T>; body?: unknown },
  here: (daemon: Daemon) => Promise<T>,
): Promise<T> {
  const asked = askDaemon(home, ask.schema, ask.path, { method: "POST", body: ask.body ?? {} });
  const answer = await withProgress(() => daemonProgress(home), asked);
  if (answer !== null) return answer;
  const daemon = await startDaemon(home, process.env, { serve: false, command: commandName() });
  try {
    return await withProgress(async () => (await daemon.status()).progress, here(daemon));
  } finally {
    await daemon.stop();
  }
}
