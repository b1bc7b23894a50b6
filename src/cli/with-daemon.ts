import type { z } from "zod";
import { askDaemon } from "../client/ask-daemon.ts";
import { type Daemon, startDaemon } from "../daemon/daemon.ts";
import type { Home } from "../home.ts";
import { commandName } from "./command-name.ts";
import { readDaemonProgress, withProgress } from "./progress.ts";

/** Delegates to the running daemon, which owns log and database; runs here if there is none. */
export async function withDaemon<T>(
  home: Home,
  ask: { path: string; schema: z.ZodType<T>; body?: unknown },
  here: (daemon: Daemon) => Promise<T>,
): Promise<T> {
  const asked = askDaemon(home, ask.schema, ask.path, { method: "POST", body: ask.body ?? {} });
  const answer = await withProgress(() => readDaemonProgress(home), asked);
  if (answer !== null) return answer;
  const daemon = await startDaemon(home, process.env, { serve: false, command: commandName() });
  try {
    return await withProgress(async () => (await daemon.status()).progress, here(daemon));
  } finally {
    await daemon.stop();
  }
}
