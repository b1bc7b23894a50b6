import type { Socket } from "node:net";
import { type Context, Hono } from "hono";
import { setCookie } from "hono/cookie";
import { AppError } from "../app-error.ts";
import { uidOfPort } from "../port-owner.ts";
import { type AuthorizeOptions, cookieName, errorResponse, loginOf } from "./authorize.ts";
import { browserName } from "./browser-name.ts";
import {
  type CodeAnswer,
  CodeRequest,
  type LoginAnswer,
  LoginRequest,
  type LoginsAnswer,
} from "./login-contract.ts";
import { LOGIN_LIFETIME_MS, type Logins } from "./logins.ts";
import { readBody, readBodyIfAny } from "./read-request.ts";

/** Signs a browser in: the user requests a code in a terminal, and the browser exchanges it for a cookie. */
export function loginRoutes(logins: Logins, authorization: AuthorizeOptions): Hono {
  return new Hono()
    .post("/api/login/code", async (c) => {
      // A browser must not sign in others that outlive it.
      if (loginOf(c, authorization) !== null)
        return errorResponse(c, 403, "token_required", "logins start in the terminal: run `hookline open`");
      const read = await readBodyIfAny(c, CodeRequest);
      if (!read.ok) return read.response;
      const port = authorization.port();
      if (port === null) return errorResponse(c, 409, "port_missing", "no port on 127.0.0.1 is available");
      const validMs = read.data.seconds * 1_000;
      const code = logins.createCode(validMs);
      const address = `http://127.0.0.1:${port}/#login=${code}`;
      const expiresAtIso = new Date(Date.now() + validMs).toISOString();
      return c.json({ address, expiresAtIso } satisfies CodeAnswer);
    })
    .post("/api/login", async (c) => {
      const read = await readBody(c, LoginRequest);
      if (!read.ok) return read.response;
      const redeemed = redeemCode(c, logins, read.data.code);
      if (redeemed instanceof Response) return redeemed;
      const { login, secret } = redeemed;
      setLoginCookie(c, authorization, secret, LOGIN_LIFETIME_MS / 1_000);
      return c.json({ login } satisfies LoginAnswer);
    })
    .get("/api/login", (c) => {
      const login = loginOf(c, authorization);
      return c.json({ login } satisfies LoginAnswer);
    })
    .post("/api/logout", (c) => {
      const login = loginOf(c, authorization);
      if (login !== null) logins.revoke(login.id);
      setLoginCookie(c, authorization, "", 0);
      return c.json({ login: null } satisfies LoginAnswer);
    })
    .get("/api/logins", (c) => {
      const currentLogin = loginOf(c, authorization);
      const all = logins.list().map((login) => ({ ...login, isThis: login.id === currentLogin?.id }));
      return c.json({ logins: all } satisfies LoginsAnswer);
    })
    .delete("/api/logins/:id", (c) => {
      const id = c.req.param("id");
      return logins.revoke(id) ? c.json({ id }) : errorResponse(c, 404, "login_unknown", "login not found");
    });
}

function redeemCode(
  c: Context,
  logins: Logins,
  code: string,
): { login: LoginAnswer["login"]; secret: string } | Response {
  try {
    const userAgent = c.req.header("user-agent") ?? "";
    const redeemed = logins.redeemCode(code, browserName(userAgent), clientOf(c, userAgent));
    return redeemed ?? errorResponse(c, 401, "code_refused", "the code has expired or was already used");
  } catch (error) {
    if (error instanceof AppError) return errorResponse(c, 429, "login_limited", error.message);
    throw error;
  }
}

/** The client, as well as it can be known: the user who owns the socket, and the program's own name. */
function clientOf(c: Context, userAgent: string): string {
  const socket = (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket;
  return `${uidOfPort(socket?.remotePort) ?? ""} ${userAgent.slice(0, MAX_USER_AGENT_CHARS)}`;
}

const MAX_USER_AGENT_CHARS = 200;

function setLoginCookie(c: Context, authorization: AuthorizeOptions, secret: string, maxAge: number): void {
  setCookie(c, cookieName(authorization), secret, { httpOnly: true, sameSite: "Strict", path: "/", maxAge });
}
