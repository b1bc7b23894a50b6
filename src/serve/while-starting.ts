import { Hono } from "hono";
import type { ErrorBody, Health } from "./contract.ts";
import { type GuardOptions, guard } from "./guard.ts";

export interface StartingOptions {
  readonly version: string;
  readonly guarding: GuardOptions;
  readonly waitMs?: number;
}

const WAIT_MS = 2_000;

/**
 * Serves before there is anything to serve: health is answered at once, everything else waits a moment for
 * the rest to be there and is then told to come again.
 */
export function whileStarting(app: Promise<Hono>, options: StartingOptions): Hono["fetch"] {
  let ready: Hono | null = null;
  // One that never comes ends the process: whoever promised it says why.
  app.then(
    (made) => {
      ready = made;
    },
    () => undefined,
  );
  const starting = new Hono();
  starting.use(guard(options.guarding));
  const health: Health = { ok: true, version: options.version, pid: process.pid, starting: true };
  for (const path of ["/api/health", "/health"])
    starting.get(path, (c) => c.json({ ...health, status: "ok" }));
  starting.all("*", async (c) => {
    const made = await soon(app, options.waitMs ?? WAIT_MS);
    if (made !== null) return made.fetch(c.req.raw, c.env);
    const body: ErrorBody = {
      error: { code: "starting", message: "the daemon is starting: log and database are being opened" },
    };
    return c.json(body, 503, { "retry-after": "1" });
  });
  return (request, ...rest) => (ready ?? starting).fetch(request, ...rest);
}

async function soon<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([promise.catch(() => null), late]).finally(() => clearTimeout(timer));
}
