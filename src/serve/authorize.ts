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

export interface AuthorizeOptions {
  readonly token: string;
  /** Only the owner can open the unix socket file, so no token is required there. */
  readonly via: Via;
  readonly port: () => number | null;
  /** `serve.compat`: serves the worker's routes without a token, for clients that cannot send one. */
  readonly compat?: boolean | undefined;
  /** Signed-in browsers; without it only the token counts. */
  readonly logins?: Logins | undefined;
}

/** Routes that reveal nothing about any user. */
const OPEN_PATHS = new Set(["/api/health", "/health"]);

const WORKER_ROUTES: Readonly<Record<string, RegExp>> = {
  GET: /^(?:\/api)?\/context\/inject$/,
  POST: /^(?:\/api)?\/(?:sessions\/(?:init|observations|summarize|complete|[^/]+\/init)|processing)$/,
};

const SEND_TOKEN = "send the token of the file `token` as a bearer token";
const USE_COMPAT =
  "for a program that cannot, `hookline config serve.compat true` and `hookline up --restart` open this route without one to this machine";

/**
 * Controls access. A page of another site can reach 127.0.0.1 through a browser, so both the Host and the Origin are
 * checked. Health, the pages themselves (which hold no data) and sign-in are open; everything else needs the token or
 * the cookie of a signed-in browser.
 */
export function authorize(options: AuthorizeOptions): MiddlewareHandler {
  return async (c, next) => {
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
    if (options.via === "tcp") {
      if (!isOurHost(c.req.header("host"), options.port()))
        return errorResponse(c, 403, "host_refused", "unknown Host header");
      const origin = c.req.header("origin");
      if (origin !== undefined && !isOurOrigin(origin, options.port())) {
        return errorResponse(c, 403, "origin_refused", "requests from other sites are refused");
      }
      if (!isOpen(c, options) && !hasToken(c, options.token)) {
        const login = loginOf(c, options);
        if (login === null)
          return errorResponse(
            c,
            401,
            "token_required",
            isWorkerRequest(c) ? `${SEND_TOKEN}; ${USE_COMPAT}` : SEND_TOKEN,
          );
        if (!isFromOurPage(c))
          return errorResponse(c, 403, "origin_refused", "only our own page may send the cookie");
        closeOnRevoke(c, login, options);
      }
    }
    return next();
  };
}

/** The login of the requesting browser, if it is signed in and not revoked. */
export function loginOf(c: Context, options: AuthorizeOptions): Login | null {
  if (options.via !== "tcp" || c.req.header("authorization") !== undefined) return null;
  const secret = getCookie(c, cookieName(options));
  return secret === undefined || secret === "" ? null : (options.logins?.check(secret) ?? null);
}

/** Cookies ignore ports, so each daemon's cookie has its own name. */
export function cookieName({ port }: Pick<AuthorizeOptions, "port">): string {
  return `hookline-${port() ?? 0}`;
}

function isOpen(c: Context, options: AuthorizeOptions): boolean {
  if (OPEN_PATHS.has(c.req.path) || isPage(c)) return true;
  if (c.req.path === "/api/login" && c.req.method === "POST") return true;
  return options.compat === true && isWorkerRequest(c);
}

/**
 * Pages on other ports of this machine send the cookie too, so a request that changes something must name our page as
 * its origin, and one that only reads must not come from another origin.
 */
function isFromOurPage(c: Context): boolean {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (!isRead && c.req.header("origin") === undefined) return false;
  return ["same-origin", "none"].includes(c.req.header("sec-fetch-site") ?? "same-origin");
}

/** Closes what a login holds open, such as a stream, when it is revoked. */
function closeOnRevoke(c: Context, login: Login, { logins }: AuthorizeOptions): void {
  const socket = (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket;
  if (socket === undefined || watchedSockets.has(socket)) return;
  watchedSockets.add(socket);
  // Lets the answer out first when a client revokes its own login.
  const unsubscribe = logins?.onRevoked(login.id, () => setTimeout(() => socket.destroy(), 200).unref());
  socket.once("close", () => unsubscribe?.());
}

const watchedSockets = new WeakSet<Socket>();

export function errorResponse(
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

/** Never true for a page: a browser sends an Origin, or at least identifies itself as a browser. */
function isWorkerRequest(c: Context): boolean {
  if (c.req.header("origin") !== undefined || c.req.header("sec-fetch-site") !== undefined) return false;
  return WORKER_ROUTES[c.req.method]?.test(c.req.path) ?? false;
}

function hasToken(c: Context, token: string): boolean {
  const sentToken = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
  // Hashed, because the comparison needs equal lengths.
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(sentToken), digest(token));
}
