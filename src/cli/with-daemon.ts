import type { z } from "zod";
import { askDaemon } from "../client/ask-daemon.ts";
import { type Daemon, startDaemon } from "../daemon/daemon.ts";
import type { Home } from "../home.ts";
import { commandName } from "./command-name.ts";
import { readDaemonProgress, withProgress } from "./progress.ts";

/** Delegates to the running daemon, which owns log and database; runs here if there is none. */
export async function withDaemon<T>(
  home: Home,
  request: { path: string; schema: z.ZodType<T>; body?: unknown },
  runHere: (daemon: Daemon) => Promise<T>,
): Promise<T> {
  const answerPromise = askDaemon(home, request.schema, request.path, {
    method: "POST",
    body: request.body ?? {},
  });
  const answer = await withProgress(() => readDaemonProgress(home), answerPromise);
  if (answer !== null) return answer;
  const daemon = await startDaemon(home, process.env, { serve: false, command: commandName() });
  try {
    return await withProgress(async () => (await daemon.status()).progress, runHere(daemon));
  } finally {
    await daemon.stop();
  }
}
