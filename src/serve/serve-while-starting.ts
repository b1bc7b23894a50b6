import { Hono } from "hono";
import { type AuthorizeOptions, authorize } from "./authorize.ts";
import type { ErrorBody, Health } from "./contract.ts";

export interface StartingOptions {
  readonly version: string;
  readonly authorization: AuthorizeOptions;
  readonly waitMs?: number;
}

const DEFAULT_WAIT_MS = 2_000;

/**
 * Serves during startup: answers health immediately; every other request waits briefly for the app and is then asked to
 * retry.
 */
export function serveWhileStarting(app: Promise<Hono>, options: StartingOptions): Hono["fetch"] {
  let ready: Hono | null = null;
  // A rejection ends the process, and its source reports why.
  app.then(
    (openedApp) => {
      ready = openedApp;
    },
    () => undefined,
  );
  const starting = new Hono();
  starting.use(authorize(options.authorization));
  const health: Health = { ok: true, version: options.version, pid: process.pid, starting: true };
  for (const path of ["/api/health", "/health"])
    starting.get(path, (c) => c.json({ ...health, status: "ok" }));
  starting.all("*", async (c) => {
    const openedApp = await withTimeout(app, options.waitMs ?? DEFAULT_WAIT_MS);
    if (openedApp !== null) return openedApp.fetch(c.req.raw, c.env);
    const body: ErrorBody = {
      error: { code: "starting", message: "the daemon is starting" },
    };
    return c.json(body, 503, { "retry-after": "1" });
  });
  return (request, ...rest) => (ready ?? starting).fetch(request, ...rest);
}

async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([promise.catch(() => null), timeout]).finally(() => clearTimeout(timer));
}
