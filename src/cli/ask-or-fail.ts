import type { z } from "zod";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import type { Home } from "../home.ts";

const TIMEOUT_MS = 10_000;

/** For data that only the daemon has: without one, the command fails with a message. */
export async function askOrFail<T>(
  home: Home,
  schema: z.ZodType<T>,
  path: string,
  options: { method?: string; body?: unknown; timeoutMs?: number } = {},
): Promise<T> {
  const answer = await askDaemon(home, schema, path, { timeoutMs: TIMEOUT_MS, ...options });
  if (answer === null)
    throw new AppError("daemon_down", "the daemon is not running; start it with `hookline up`.");
  return answer;
}
