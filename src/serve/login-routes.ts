import type { Socket } from "node:net";
import { type Context, Hono } from "hono";
import { setCookie } from "hono/cookie";
import { AppError } from "../app-error.ts";
import { uidOfPort } from "../port-owner.ts";
import { browserName } from "./browser-name.ts";
import { cookieName, fail, type GuardOptions, loginOf } from "./guard.ts";
import {
  type CodeAnswer,
  CodeRequest,
  type LoginAnswer,
  LoginRequest,
  type LoginsAnswer,
} from "./login-contract.ts";
import { LOGIN_MS, type Logins } from "./logins.ts";
import { readBody, readBodyIfAny } from "./read-request.ts";

/** How a browser is let in: the one at the terminal asks for a code, the browser brings it and is given a cookie. */
export function loginRoutes(logins: Logins, guarding: GuardOptions): Hono {
  return new Hono()
    .post("/api/login/code", async (c) => {
      // A browser cannot let in others, which would outlive it.
      if (loginOf(c, guarding) !== null) return fail(c, 403, "token_required", "only the terminal lets in");
      const read = await readBodyIfAny(c, CodeRequest);
      if (!read.ok) return read.response;
      const port = guarding.port();
      if (port === null) return fail(c, 409, "port_missing", "no port of 127.0.0.1 could be had");
      const validMs = read.data.seconds * 1_000;
      const code = logins.createCode(validMs);
      const address = `http://127.0.0.1:${port}/#login=${code}`;
      const expiresAtIso = new Date(Date.now() + validMs).toISOString();
      return c.json({ address, expiresAtIso } satisfies CodeAnswer);
    })
    .post("/api/login", async (c) => {
      const read = await readBody(c, LoginRequest);
      if (!read.ok) return read.response;
      const entered = enter(c, logins, read.data.code);
      if (entered instanceof Response) return entered;
      const { login, secret } = entered;
      putCookie(c, guarding, secret, LOGIN_MS / 1_000);
      return c.json({ login } satisfies LoginAnswer);
    })
    .get("/api/login", (c) => {
      const login = loginOf(c, guarding);
      return c.json({ login } satisfies LoginAnswer);
    })
    .post("/api/logout", (c) => {
      const login = loginOf(c, guarding);
      if (login !== null) logins.revoke(login.id);
      putCookie(c, guarding, "", 0);
      return c.json({ login: null } satisfies LoginAnswer);
    })
    .get("/api/logins", (c) => {
      const own = loginOf(c, guarding);
      const all = logins.list().map((login) => ({ ...login, isThis: login.id === own?.id }));
      return c.json({ logins: all } satisfies LoginsAnswer);
    })
    .delete("/api/logins/:id", (c) => {
      const id = c.req.param("id");
      return logins.revoke(id) ? c.json({ id }) : fail(c, 404, "login_unknown", "there is no such login");
    });
}

function enter(
  c: Context,
  logins: Logins,
  code: string,
): { login: LoginAnswer["login"]; secret: string } | Response {
  try {
    const agent = c.req.header("user-agent") ?? "";
    const entered = logins.enter(code, browserName(agent), clientOf(c, agent));
    return entered ?? fail(c, 401, "code_refused", "the code is not good: it was used, or is too old");
  } catch (error) {
    if (error instanceof AppError) return fail(c, 429, "login_limited", error.message);
    throw error;
  }
}

/** Who asks, as well as it can be known: the user whose socket it is, and the program's own name. */
function clientOf(c: Context, agent: string): string {
  const socket = (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket;
  return `${uidOfPort(socket?.remotePort) ?? ""} ${agent.slice(0, MAX_AGENT)}`;
}

const MAX_AGENT = 200;

function putCookie(c: Context, guarding: GuardOptions, secret: string, maxAge: number): void {
  setCookie(c, cookieName(guarding), secret, { httpOnly: true, sameSite: "Strict", path: "/", maxAge });
}
