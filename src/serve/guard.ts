import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { ErrorBody } from "./contract.ts";

export type Via = "tcp" | "socket";

export interface GuardOptions {
  readonly token: string;
  /** The unix socket is a file that only its owner may open: no token is asked there. */
  readonly via: Via;
  readonly port: () => number | null;
  /** `serve.compat`: the worker's routes without a token, for programs that know no other way. */
  readonly compat?: boolean | undefined;
}

/** Routes that say nothing about anybody. */
const OPEN_PATHS = new Set(["/api/health", "/health"]);

const WORKER_ROUTES: Readonly<Record<string, RegExp>> = {
  GET: /^(?:\/api)?\/context\/inject$/,
  POST: /^(?:\/api)?\/(?:sessions\/(?:init|observations|summarize|complete|[^/]+\/init)|processing)$/,
};

/**
 * Who may ask: a page of another site may reach 127.0.0.1 through a browser, so the name it was reached by and
 * the page that asks are both checked, and everything but health needs the token.
 */
export function guard(options: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    if (options.via === "tcp") {
      if (!isOurHost(c.req.header("host"), options.port()))
        return fail(c, 403, "host_refused", "unknown Host header");
      const origin = c.req.header("origin");
      if (origin !== undefined && !isOurOrigin(origin, options.port())) {
        return fail(c, 403, "origin_refused", "requests from other sites are refused");
      }
      const isOpen = OPEN_PATHS.has(c.req.path) || (options.compat === true && isWorkers(c));
      if (!isOpen && !hasToken(c, options.token)) {
        return fail(c, 401, "token_required", "send the token of the file `token` as a bearer token");
      }
    }
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
    return next();
  };
}

export function fail(
  c: Context,
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 424 | 500,
  code: string,
  message: string,
  issues?: unknown[],
): Response {
  const body: ErrorBody = { error: { code, message, ...(issues && { issues }) } };
  return c.json(body, status);
}

function isOurHost(host: string | undefined, port: number | null): boolean {
  return port !== null && [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host ?? "");
}

function isOurOrigin(origin: string, port: number | null): boolean {
  return port !== null && [`http://127.0.0.1:${port}`, `http://localhost:${port}`].includes(origin);
}

/** Never for a page: a browser names the page that asks, or at least says that it is a browser. */
function isWorkers(c: Context): boolean {
  if (c.req.header("origin") !== undefined || c.req.header("sec-fetch-site") !== undefined) return false;
  return WORKER_ROUTES[c.req.method]?.test(c.req.path) ?? false;
}

function hasToken(c: Context, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
  // Hashed, so that the comparison takes equal lengths.
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
