import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "./app.ts";
import { listen } from "./listen.ts";
import { openLogins } from "./logins.ts";
import { serveWhileStarting } from "./serve-while-starting.ts";

// Every route, present or future: an unauthorized client gets nothing from it. No ports are behind the routes, so an
// answer of 404, 500 or 200 means that a request got through.

const dir = mkdtempSync(join(tmpdir(), "hookline-routes-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const logins = openLogins({ file: join(dir, "logins.json"), nowMs: Date.now });
const authorization = { token: "secret-token", via: "tcp", port: () => 4000, logins } as const;
const app = createApp({ version: "1" } as AppPorts, authorization);
const login = logins.redeemCode(logins.createCode(60_000), "a browser")!;

type Headers = Readonly<Record<string, string>>;
const host = "127.0.0.1:4000";
const origin = `http://${host}`;
const token = { authorization: "Bearer secret-token" };
const cookie = { cookie: `hookline-4000=${login.secret}` };

/** Everything that is open to any client on this machine. */
const OPEN = ["GET /", "GET /api/health", "GET /health", "GET /sessions/x", "POST /api/login"];

const routes = [
  ...new Set(
    app.routes
      .filter(({ method, path }) => !(method === "ALL" && path === "/*"))
      .flatMap(({ method, path }) =>
        (method === "ALL" ? ["GET", "POST", "DELETE"] : [method]).map(
          (verb) => `${verb} ${path.replace("/*", "/").replace(/:\w+(\{[^}]*\})?/g, "x")}`,
        ),
      ),
  ),
];
const closed = routes.filter((route) => !OPEN.includes(route));
const isRead = (route: string): boolean => route.startsWith("GET ");

async function ask(route: string, headers: Headers): Promise<Response> {
  const [method, path] = route.split(" ");
  const response = await app.request(path!, { method, headers: { host, ...headers } });
  expectLocked(route, response);
  return response;
}

/** Expects an answer that runs nothing, cannot be framed and cannot be read by another site. */
function expectLocked(route: string, { headers }: Response): void {
  const csp = headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
    expect(csp, route).toContain(part);
  expect(csp, route).not.toMatch(/unsafe|\*/);
  expect(
    [
      "x-content-type-options",
      "x-frame-options",
      "referrer-policy",
      "cross-origin-opener-policy",
      "cross-origin-resource-policy",
    ].map((name) => headers.get(name)),
    route,
  ).toEqual(["nosniff", "DENY", "no-referrer", "same-origin", "same-origin"]);
  expect(
    [...headers.keys()].filter((name) => name.startsWith("access-control")),
    route,
  ).toEqual([]);
}

/** The routes that answered with another status. */
async function routesNotAnswering(
  status: number,
  tested: readonly string[],
  headers: Headers,
): Promise<string[]> {
  const others: string[] = [];
  for (const route of tested) {
    const response = await ask(route, headers);
    const text = await response.text();
    if (response.status !== status || !text.startsWith('{"error":'))
      others.push(`${route} ${response.status}`);
  }
  return others;
}

describe("every route", () => {
  it("is tested, and requires authorization except health, the pages and sign-in", async () => {
    expect(routes.length).toBeGreaterThan(90);
    expect(OPEN.filter((route) => !routes.includes(route))).toEqual(["GET /sessions/x"]);
    const open = await routesNotAnswering(401, [...routes, "GET /sessions/x"], {});
    expect(open.map((route) => route.replace(/ \d+$/, "")).sort()).toEqual([...OPEN].sort());
  });

  it.each<[string, Headers]>([
    ["a wrong token", { authorization: "Bearer secret-tokem" }],
    ["the beginning of the token", { authorization: "Bearer secret-toke" }],
    ["the token as a password", { authorization: `Basic ${btoa("x:secret-token")}` }],
    ["an empty token", { authorization: "Bearer " }],
    ["the token in a cookie", { cookie: "hookline-4000=secret-token" }],
    ["a wrong cookie", { cookie: "hookline-4000=wrong", origin }],
    ["another daemon's cookie", { cookie: `hookline-4001=${login.secret}`, origin }],
    ["a wrong token beside a good cookie", { ...cookie, authorization: "Bearer wrong", origin }],
  ])("returns nothing for %s", async (_what, headers) => {
    expect(await routesNotAnswering(401, closed, headers)).toEqual([]);
  });

  it.each([
    "evil.test",
    "evil.test:4000",
    "127.0.0.1.evil.test:4000",
    "127.0.0.1",
    "127.0.0.1:4001",
    "127.0.0.1:40000",
    "localhost",
    "localhost.evil.test:4000",
    "127.0.0.1:4000@evil.test",
    "0.0.0.0:4000",
    "2130706433:4000",
    "",
  ])("refuses the Host %j with any credentials, even on open routes", async (name) => {
    for (const headers of [token, { ...cookie, origin }, {}])
      expect(await routesNotAnswering(403, routes, { ...headers, host: name })).toEqual([]);
  });

  it.each([
    "https://evil.test",
    "http://evil.test:4000",
    "null",
    "http://127.0.0.1",
    "http://127.0.0.1:4001",
    "https://127.0.0.1:4000",
    "http://127.0.0.1:4000.evil.test",
    "http://localhost:4001",
    "file://",
    "",
  ])("refuses the Origin %j with any credentials, even on open routes", async (foreign) => {
    for (const headers of [token, cookie, {}])
      expect(await routesNotAnswering(403, routes, { ...headers, origin: foreign })).toEqual([]);
  });

  it.each(["cross-site", "same-site", "anything"])(
    "refuses the cookie from %s, also to read",
    async (site) => {
      expect(await routesNotAnswering(403, closed, { ...cookie, origin, "sec-fetch-site": site })).toEqual(
        [],
      );
      expect(await routesNotAnswering(403, closed, { ...cookie, "sec-fetch-site": site })).toEqual([]);
    },
  );

  it("refuses a cookie without an origin for requests that change something", async () => {
    const changing = closed.filter((route) => !isRead(route));
    expect(changing.length).toBeGreaterThan(50);
    expect(await routesNotAnswering(403, changing, cookie)).toEqual([]);
  });

  it("refuses preflights from other sites", async () => {
    const preflightHeaders = { origin: "https://evil.test", "access-control-request-method": "POST" };
    const preflights = routes.map((route) => `OPTIONS ${route.split(" ")[1]}`);
    expect(await routesNotAnswering(403, preflights, preflightHeaders)).toEqual([]);
  });

  it("accepts the token and our own page", async () => {
    for (const route of closed) {
      if (/\/mcp|logout|logins|login\/code/.test(route)) continue;
      for (const headers of [token, { ...cookie, origin }])
        expect([401, 403], route).not.toContain((await ask(route, headers)).status);
    }
  });

  it("is just as closed while the daemon starts", async () => {
    const never = new Promise<never>(() => undefined);
    const fetch = serveWhileStarting(never, { version: "1", authorization, waitMs: 0 });
    for (const route of closed) {
      const [method, path] = route.split(" ");
      const answer = async (headers: Headers): Promise<number> => {
        const response = await fetch(
          new Request(`http://${host}${path}`, { method, headers: { host, ...headers } }),
        );
        expectLocked(route, response);
        return response.status;
      };
      const statuses = [await answer({}), await answer({ ...token, host: "evil.test" }), await answer(token)];
      expect([route, ...statuses]).toEqual([route, 401, 403, 503]);
    }
  });

  it.each([
    "/%61pi/events",
    "/api/%65vents",
    "//api/events",
    "/./api/events",
    "/x/../api/events",
    "/api//events",
    "/API/events",
    "/api%2fevents",
    "/api;x/events",
    "/api/events/",
    "/api/events?token=secret-token",
    "/api/events#x",
    "/metrics/",
    "/%6detrics",
  ])("is not reachable through another spelling of its path: %s", async (path) => {
    const response = await app.request(path, { headers: { host } });
    const type = response.headers.get("content-type") ?? "";
    if (response.status !== 401 && response.status !== 404) expect([200, 503]).toContain(response.status);
    if (response.status === 200 || response.status === 503) expect(type).toContain("text/html");
  });
});

describe("on the wire", () => {
  it("the Host header is checked, in every form", async () => {
    const listener = await listen(Promise.resolve({ version: "1" } as AppPorts), {
      version: "1",
      port: 0,
      sock: join(dir, "sock"),
      token: "secret-token",
    });
    const port = listener.port!;
    const ourHeaders = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer secret-token\r\n`;
    const firstResponseLine = (head: string): Promise<string> =>
      firstLine(port, `${head}Connection: close\r\n\r\n`);
    try {
      expect(await firstResponseLine(`GET /api/events?limit=x HTTP/1.1\r\n${ourHeaders}`)).toContain(" 400 ");
      const foreignHeaders = `Host: evil.test:${port}\r\nAuthorization: Bearer secret-token\r\n`;
      expect(await firstResponseLine(`GET /api/events HTTP/1.1\r\n${foreignHeaders}`)).toContain(" 403 ");
      expect(
        await firstResponseLine(`GET http://127.0.0.1:${port}/api/events HTTP/1.1\r\n${foreignHeaders}`),
      ).toContain(" 403 ");
      expect(await firstResponseLine(`GET /api/health HTTP/1.0\r\n`)).toMatch(/ 40[03] /);
      expect(await firstResponseLine(`GET /api/health HTTP/1.1\r\n`)).toMatch(/ 400 /);
      const twoHosts = `Host: 127.0.0.1:${port}\r\nHost: evil.test\r\n`;
      expect(await firstResponseLine(`GET /api/events HTTP/1.1\r\n${twoHosts}`)).toMatch(/ 40[013] /);
    } finally {
      await listener.close();
    }
  });
});

function firstLine(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(request));
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.on("error", reject).on("close", () => resolve(text.split("\r\n", 1)[0] ?? ""));
  });
}
