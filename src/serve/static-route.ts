import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Context, Hono } from "hono";

/** The pages as `npm run build:web` leaves them: beside `src` in a clone, beside the modules in a package. */
const WEB_ROOT = join(import.meta.dirname, "../../dist/web");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** What others ask for without `/api`, and no page of ours. */
const NOT_PAGES = /^\/(?:api|metrics|mcp|hook|context)(?:\/|$)/;

/** Whether a request is for a page or a part of one: these say nothing about anybody. */
export function isPage(c: Context): boolean {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return false;
  // The same address is a route of the worker's clients, which do not ask for HTML.
  if (c.req.path === "/health") return (c.req.header("accept") ?? "").includes("text/html");
  return !NOT_PAGES.test(c.req.path);
}

/**
 * Serves the built pages: what is in the folder by its name, and the one page for every other address, since which
 * page is shown is decided there. Only names that a listing found are opened, so no path leads out of the folder.
 */
export function staticRoute(root = WEB_ROOT): Hono {
  const files = followFiles(root);
  const pack = createPacker(root);
  return new Hono().get("/*", (c, next) => {
    if (!isPage(c)) return next();
    const { path } = c.req;
    const names = files();
    if (names === null) return c.html(NOT_BUILT, 503);
    const isFile = path !== "/index.html" && names.has(path);
    // A part of a page that is gone is not the page.
    if (!isFile && (path.startsWith("/assets/") || extname(path) !== "")) return next();
    const name = isFile ? path : "/index.html";
    c.header("Content-Type", TYPES[extname(name)] ?? "application/octet-stream");
    // Built parts have their content in their name.
    c.header(
      "Cache-Control",
      name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    );
    const packed = pack(name, names, c.req.header("accept-encoding") ?? "");
    if (packed === null) return c.body(readFileSync(join(root, name)));
    c.header("Content-Encoding", "gzip");
    c.header("Vary", "Accept-Encoding");
    return c.body(packed);
  });
}

/** Pictures and fonts are packed as they are. */
const PACKED = /\.(?:html|js|css|svg|webmanifest)$/;

/** Each file is packed when it is first asked for, and that is kept as long as what was built is the same. */
function createPacker(
  root: string,
): (name: string, built: ReadonlySet<string>, accepted: string) => Uint8Array<ArrayBuffer> | null {
  let of: ReadonlySet<string> | null = null;
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  return (name, built, accepted) => {
    if (!PACKED.test(name) || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return null;
    if (of !== built) kept.clear();
    of = built;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const packed = gzipSync(readFileSync(join(root, name)));
    kept.set(name, packed);
    return packed;
  };
}

/** The names of what was built, listed again when it was built again; null when there is nothing. */
function followFiles(root: string): () => ReadonlySet<string> | null {
  let seen = 0;
  let names: ReadonlySet<string> | null = null;
  return () => {
    const builtMs = statSync(join(root, "index.html"), { throwIfNoEntry: false })?.mtimeMs;
    if (builtMs === undefined) return null;
    if (names === null || builtMs !== seen)
      names = new Set(
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`.replaceAll("\\", "/")),
      );
    seen = builtMs;
    return names;
  };
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hookline</title>
<p>Hookline runs, but its pages are not built. In the folder it runs from: <code>npm run build:web</code></p>
</html>
`;
