import { createHash, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import type { ErrorBody } from "./contract.ts";
import type { Login, Logins } from "./logins.ts";
import { isOurHost } from "./our-host.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { isPage } from "./static-route.ts";

export type Via = "tcp" | "socket";

export interface GuardOptions {
  readonly token: string;
  /** The unix socket is a file that only its owner may open: no token is asked there. */
  readonly via: Via;
  readonly port: () => number | null;
  /** `serve.compat`: the worker's routes without a token, for programs that know no other way. */
  readonly compat?: boolean | undefined;
  /** Browsers that were let in; without it only the token counts. */
  readonly logins?: Logins | undefined;
}

/** Routes that say nothing about anybody. */
const OPEN_PATHS = new Set(["/api/health", "/health"]);

const WORKER_ROUTES: Readonly<Record<string, RegExp>> = {
  GET: /^(?:\/api)?\/context\/inject$/,
  POST: /^(?:\/api)?\/(?:sessions\/(?:init|observations|summarize|complete|[^/]+\/init)|processing)$/,
};

const SEND_TOKEN = "send the token of the file `token` as a bearer token";
const USE_COMPAT =
  "for a program that cannot, `hookline config serve.compat true` and `hookline up --restart` open this route without one to this machine";

/**
 * Who may ask: a page of another site may reach 127.0.0.1 through a browser, so the name it was reached by and
 * the page that asks are both checked. Health, the pages themselves (which hold nothing) and the way in are open;
 * everything else needs the token, or the cookie of a browser that was let in.
 */
export function guard(options: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
    if (options.via === "tcp") {
      if (!isOurHost(c.req.header("host"), options.port()))
        return fail(c, 403, "host_refused", "unknown Host header");
      const origin = c.req.header("origin");
      if (origin !== undefined && !isOurOrigin(origin, options.port())) {
        return fail(c, 403, "origin_refused", "requests from other sites are refused");
      }
      if (!isOpen(c, options) && !hasToken(c, options.token)) {
        const login = loginOf(c, options);
        if (login === null)
          return fail(c, 401, "token_required", isWorkers(c) ? `${SEND_TOKEN}; ${USE_COMPAT}` : SEND_TOKEN);
        if (!isFromOurPage(c)) return fail(c, 403, "origin_refused", "only our own page may send the cookie");
        endWith(c, login, options);
      }
    }
    return next();
  };
}

/** The browser that asks, when it was let in and was not shown out since. */
export function loginOf(c: Context, options: GuardOptions): Login | null {
  if (options.via !== "tcp" || c.req.header("authorization") !== undefined) return null;
  const secret = getCookie(c, cookieName(options));
  return secret === undefined || secret === "" ? null : (options.logins?.check(secret) ?? null);
}

/** Cookies know no ports: each daemon's has a name of its own. */
export function cookieName({ port }: Pick<GuardOptions, "port">): string {
  return `hookline-${port() ?? 0}`;
}

function isOpen(c: Context, options: GuardOptions): boolean {
  if (OPEN_PATHS.has(c.req.path) || isPage(c)) return true;
  if (c.req.path === "/api/login" && c.req.method === "POST") return true;
  return options.compat === true && isWorkers(c);
}

/**
 * A cookie comes with what any page on this machine's other ports sends: what changes something must name our page
 * as its origin, and what only reads must not come from another.
 */
function isFromOurPage(c: Context): boolean {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isRead && c.req.header("origin") === undefined) return false;
  return ["same-origin", "none"].includes(c.req.header("sec-fetch-site") ?? "same-origin");
}

/** What a login holds open, such as a stream, ends when it is revoked. */
function endWith(c: Context, login: Login, { logins }: GuardOptions): void {
  const socket = (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket;
  if (socket === undefined || watched.has(socket)) return;
  watched.add(socket);
  // The answer to who revokes its own login is let out first.
  const free = logins?.whenRevoked(login.id, () => setTimeout(() => socket.destroy(), 200).unref());
  socket.once("close", () => free?.());
}

const watched = new WeakSet<Socket>();

export function fail(
  c: Context,
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 424 | 429 | 500 | 503,
  code: string,
  message: string,
  issues?: unknown[],
): Response {
  const body: ErrorBody = { error: { code, message, ...(issues && { issues }) } };
  return c.json(body, status);
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
