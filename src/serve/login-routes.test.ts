import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "./app.ts";
import { type Logins, openLogins } from "./logins.ts";

const DAY_MS = 24 * 3_600_000;
const host = "127.0.0.1:4000";
const origin = "http://127.0.0.1:4000";
const ports = { version: "1", events: () => [], flush: async () => undefined, status: () => ({}) };

let dir: string;
let file: string;
let nowMs: number;
let logins: Logins;
let tcp: Hono;
let socket: Hono;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-logins-"));
  file = join(dir, "logins.json");
  nowMs = Date.UTC(2026, 0, 1);
  open();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function open(): void {
  logins = openLogins({ file, nowMs: () => nowMs });
  const all = ports as unknown as AppPorts;
  tcp = createApp(all, { token: "secret", via: "tcp", port: () => 4000, logins });
  socket = createApp(all, { token: "secret", via: "socket", port: () => 4000, logins });
}

type Headers = Record<string, string>;
const ask = (path: string, headers: Headers = {}, method = "GET", body?: unknown) =>
  tcp.request(path, {
    method,
    headers: { host, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function createCode(seconds = 60): Promise<string> {
  const response = await socket.request("/api/login/code", {
    method: "POST",
    body: JSON.stringify({ seconds }),
  });
  const { address } = (await response.json()) as { address: string };
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:4000\/#login=[\w-]{20,}$/);
  return address.split("#login=")[1]!;
}

async function signIn(): Promise<string> {
  const response = await ask("/api/login", { origin, "user-agent": AGENT }, "POST", {
    code: await createCode(),
  });
  expect(response.status).toBe(200);
  return response.headers.get("set-cookie")!.split(";")[0]!;
}

const AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";

describe("a browser", () => {
  it("signs in with a code once, and gets a cookie that no script can read", async () => {
    const code = await createCode();
    const first = await ask("/api/login", { origin, "user-agent": AGENT }, "POST", { code });
    expect(await first.json()).toMatchObject({ login: { browser: "Chrome, Linux" } });
    const cookie = first.headers.get("set-cookie")!;
    expect(cookie).toMatch(/^hookline-4000=[\w-]{40,}; /);
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=2592000"])
      expect(cookie).toContain(part);
    const again = await ask("/api/login", { origin }, "POST", { code });
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ error: { code: "code_refused" } });
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  it("cannot sign in with an expired or invented code", async () => {
    const code = await createCode(60);
    nowMs += 60_000;
    for (const invalidCode of [code, "x".repeat(32)])
      expect((await ask("/api/login", { origin }, "POST", { code: invalidCode })).status).toBe(401);
  });

  it("is not blocked by another client's invalid codes", async () => {
    const guesser = { origin, "user-agent": "guesser" };
    for (let round = 0; round < 30; round++)
      await ask("/api/login", guesser, "POST", { code: `bad-${round}` });
    expect((await ask("/api/login", guesser, "POST", { code: await createCode() })).status).toBe(429);
    const browser = { origin, "user-agent": "Mozilla/5.0 Firefox/140.0" };
    expect((await ask("/api/login", browser, "POST", { code: await createCode() })).status).toBe(200);
  });

  it("is rate limited after many invalid codes, even with a valid one", async () => {
    for (let round = 0; round < 10; round++)
      await ask("/api/login", { origin }, "POST", { code: `bad-${round}` });
    const limited = await ask("/api/login", { origin }, "POST", { code: await createCode(600) });
    expect(limited.status).toBe(429);
    expect(await limited.json()).toMatchObject({ error: { code: "login_limited" } });
    nowMs += 60_000;
    expect((await ask("/api/login", { origin }, "POST", { code: await createCode() })).status).toBe(200);
  });

  it("reads with its cookie, and makes changes only from our own page", async () => {
    const cookie = await signIn();
    expect((await ask("/api/login")).status).toBe(401);
    expect((await ask("/api/login", { cookie })).status).toBe(200);
    expect((await ask("/api/events", { cookie })).status).toBe(200);
    expect((await ask("/api/flush", { cookie, origin }, "POST")).status).toBe(200);
    const withoutOrigin = await ask("/api/flush", { cookie }, "POST");
    expect(withoutOrigin.status).toBe(403);
    expect(await withoutOrigin.json()).toMatchObject({ error: { code: "origin_refused" } });
  });

  it.each([
    ["a foreign origin", { origin: "https://evil.example" }, 403],
    ["another port of this machine", { origin: "http://127.0.0.1:5000" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
    ["a page of another port that only reads", { "sec-fetch-site": "same-site" }, 403],
    ["a page of another site that only reads", { "sec-fetch-site": "cross-site" }, 403],
    ["another name for this machine", { host: "evil.example:4000" }, 403],
  ])("from %s gets nothing with a good cookie", async (_what, headers, status) => {
    const cookie = await signIn();
    const response = await ask("/api/events", { cookie, ...(headers as unknown as Headers) });
    expect(response.status).toBe(status);
    expect(await response.json()).not.toHaveProperty("events");
  });

  it.each(["hookline-4000=", "hookline-4000=wrong", "hookline-4001=SECRET", "other=SECRET"])(
    "with the cookie %s gets nothing",
    async (wrong) => {
      const secret = (await signIn()).split("=")[1]!;
      expect((await ask("/api/events", { cookie: wrong.replace("SECRET", secret) })).status).toBe(401);
    },
  );

  it("never sees the token, and cannot create codes", async () => {
    const cookie = await signIn();
    const response = await ask("/api/login/code", { cookie, origin }, "POST", {});
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("secret");
  });

  it("stays signed in across restarts for 30 days, stored only as a hash", async () => {
    const cookie = await signIn();
    const fileContent = readFileSync(file, "utf8");
    expect(fileContent).not.toContain(cookie.split("=")[1]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    open();
    expect((await ask("/api/login", { cookie })).status).toBe(200);
    nowMs += 30 * DAY_MS;
    expect((await ask("/api/login", { cookie })).status).toBe(401);
  });

  it("can be signed out by another browser, and by itself", async () => {
    const [first, other] = [await signIn(), await signIn()];
    const { logins: all } = (await (await ask("/api/logins", { cookie: first })).json()) as {
      logins: { id: string; isThis: boolean }[];
    };
    expect(all.map(({ isThis }) => isThis)).toEqual([true, false]);
    const ended: string[] = [];
    logins.onRevoked(all[1]!.id, () => ended.push("stream"));
    expect((await ask(`/api/logins/${all[1]!.id}`, { cookie: first, origin }, "DELETE")).status).toBe(200);
    expect(ended).toEqual(["stream"]);
    expect((await ask("/api/login", { cookie: other })).status).toBe(401);
    expect((await ask("/api/logins/none", { cookie: first, origin }, "DELETE")).status).toBe(404);
    const logout = await ask("/api/logout", { cookie: first, origin }, "POST");
    expect(logout.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await ask("/api/login", { cookie: first })).status).toBe(401);
  });

  it("is signed out if the file is damaged, and can sign in again", async () => {
    const cookie = await signIn();
    writeFileSync(file, "{");
    open();
    expect((await ask("/api/login", { cookie })).status).toBe(401);
    expect((await ask("/api/login", { cookie: await signIn() })).status).toBe(200);
  });
});

describe("the token", () => {
  it("still works, and creates codes too", async () => {
    const authorization = "Bearer secret";
    expect(await (await ask("/api/login", { authorization })).json()).toEqual({ login: null });
    expect((await ask("/api/login/code", { authorization }, "POST")).status).toBe(200);
    expect((await ask("/api/login/code", {}, "POST")).status).toBe(401);
  });
});
