import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AppPorts } from "./app.ts";
import { type HttpListener, listen } from "./listen.ts";

let dir: string;
let listener: HttpListener;
let ports: PromiseWithResolvers<AppPorts>;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "hookline-health-"));
  ports = Promise.withResolvers();
  listener = await listen(ports.promise, { version: "1", port: 0, sock: join(dir, "sock"), token: "t" });
});
afterEach(async () => {
  await listener.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

function ask(headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: "127.0.0.1", port: listener.port, path: "/api/health", headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => {
          const {
            date: _date,
            "content-length": _length,
            "transfer-encoding": _coding,
            ...rest
          } = response.headers;
          resolve({ status: response.statusCode!, headers: rest, body: JSON.parse(text) });
        });
      },
    );
    call.on("error", reject).end();
  });
}

it("reports that the daemon is starting until there is something to serve", async () => {
  expect(await ask()).toMatchObject({ status: 200, body: { ok: true, starting: true, pid: process.pid } });
  ports.resolve({ version: "1" } as AppPorts);
  await ports.promise;
  expect((await ask()).body).toEqual({ ok: true, status: "ok", version: "1", pid: process.pid });
});

it("answers a program exactly as the routes answer a browser, headers included", async () => {
  ports.resolve({ version: "1" } as AppPorts);
  const [program, browser] = [await ask(), await ask({ "sec-fetch-site": "same-origin" })];
  expect(program).toEqual(browser);
  expect(program.headers["content-security-policy"]).toContain("default-src 'none'");
});

const FOREIGN: readonly Record<string, string>[] = [{ host: "evil.test" }, { origin: "http://evil.test" }];

it.each(FOREIGN)("refuses %o", async (headers) => {
  expect((await ask(headers)).status).toBe(403);
});
