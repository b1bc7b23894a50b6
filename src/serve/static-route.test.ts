import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authorize } from "./authorize.ts";
import { staticRoute } from "./static-route.ts";

const host = "127.0.0.1:4000";
let root: string;
let app: Hono;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-web-"));
  mkdirSync(join(root, "web/assets"), { recursive: true });
  writeFileSync(join(root, "secret.txt"), "secret");
  writeFileSync(join(root, "web/index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(root, "web/icon.svg"), "<svg/>");
  writeFileSync(join(root, "web/manifest.webmanifest"), "{}");
  writeFileSync(join(root, "web/assets/app-1a2b.js"), "run()");
  app = new Hono();
  app.use(authorize({ token: "t", via: "tcp", port: () => 4000 }));
  app.route("/", staticRoute(join(root, "web")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ask = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { host, ...headers } });

describe("the pages", () => {
  it.each(["/", "/sessions", "/s/abc", "/search?q=%3Cscript%3E", "/index.html"])(
    "are one page at %s, revalidated each time",
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(path === "/index.html" ? 404 : 200);
      if (response.status !== 200) return;
      expect(await response.text()).toContain("<title>page</title>");
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache");
    },
  );

  it("run only their own code, connect only to us, and cannot be framed", async () => {
    for (const path of ["/", "/assets/app-1a2b.js", "/api/events"]) {
      const { headers } = await ask(path);
      const policy = headers.get("content-security-policy")!.split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "worker-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy.join()).not.toMatch(/unsafe|\*|http/);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("have immutable assets, and an icon and a manifest that are revalidated", async () => {
    const asset = await ask("/assets/app-1a2b.js");
    expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    for (const [path, type] of [
      ["/icon.svg", "image/svg+xml"],
      ["/manifest.webmanifest", "application/manifest+json"],
    ] as const) {
      const response = await ask(path);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
    expect((await app.request("/icon.svg", { method: "HEAD", headers: { host } })).status).toBe(200);
  });

  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/..%5csecret.txt",
    "//etc/passwd",
    "/assets/gone.js",
    "/favicon.ico",
  ])("never serve files outside their folder: %s", async (path) => {
    const response = await ask(path);
    expect(await response.text()).not.toMatch(/secret$|root:/);
    if (path !== "//etc/passwd") expect(response.status).toBe(404);
  });

  it("are not served under another host name or to another site", async () => {
    expect((await ask("/", { host: "evil.example:4000" })).status).toBe(403);
    expect((await ask("/", { origin: "https://evil.example" })).status).toBe(403);
  });

  it("open nothing else: other routes need the token", async () => {
    for (const path of ["/api/events", "/metrics", "/mcp", "/hook/claude/Stop", "/context/inject"])
      expect((await ask(path, { accept: "text/html" })).status).toBe(401);
    const post = await app.request("/sessions", { method: "POST", headers: { host } });
    expect(post.status).toBe(401);
  });

  it("are compressed for clients that accept it, and plain for others", async () => {
    const text = "run();\n".repeat(500);
    writeFileSync(join(root, "web/assets/app-1a2b.js"), text);
    for (const _attempt of [1, 2]) {
      const compressed = await ask("/assets/app-1a2b.js", { "accept-encoding": "gzip, deflate, br" });
      expect(compressed.headers.get("content-encoding")).toBe("gzip");
      expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
      expect(compressed.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      const bytes = Buffer.from(await compressed.arrayBuffer());
      expect(bytes.length).toBeLessThan(200);
      expect(gunzipSync(bytes).toString()).toBe(text);
    }
    for (const acceptEncoding of ["", "br", "gzip;q=0", "gzip; q=0.0, br"]) {
      const plain = await ask("/assets/app-1a2b.js", { "accept-encoding": acceptEncoding });
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(await plain.text()).toBe(text);
    }
    writeFileSync(join(root, "web/index.html"), "<!doctype html><title>other</title>");
    const later = new Date(Date.now() + 5_000);
    utimesSync(join(root, "web/index.html"), later, later);
    const other = await ask("/", { "accept-encoding": "gzip;q=0.5" });
    expect(gunzipSync(Buffer.from(await other.arrayBuffer())).toString()).toContain("other");
  });

  it("are listed again after a new build", async () => {
    expect((await ask("/assets/app-3c4d.js")).status).toBe(404);
    writeFileSync(join(root, "web/assets/app-3c4d.js"), "run()");
    const later = new Date(Date.now() + 5_000);
    utimesSync(join(root, "web/index.html"), later, later);
    expect((await ask("/assets/app-3c4d.js")).status).toBe(200);
  });

  it("say how to build them if they are missing", async () => {
    rmSync(join(root, "web"), { recursive: true });
    const response = await ask("/");
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("npm run build:web");
  });
});
