import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Context, Hono } from "hono";

/** The output of `npm run build:web`: beside `src` in a clone, beside the modules in a package. */
const WEB_ROOT = join(import.meta.dirname, "../../dist/web");

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** Paths outside `/api` that clients request and that are not pages. */
const NON_PAGE_PATHS = /^\/(?:api|metrics|mcp|hook|context)(?:\/|$)/;

/** Whether a request is for a page or an asset: these reveal nothing about any user. */
export function isPage(c: Context): boolean {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return false;
  // The same path is a route for clients of the worker, which do not accept HTML.
  if (c.req.path === "/health") return (c.req.header("accept") ?? "").includes("text/html");
  return !NON_PAGE_PATHS.test(c.req.path);
}

/**
 * Serves the built pages: files of the folder by name, and the single page for every other path, because routing is
 * client-side. Only names found by listing are opened, so no path leads out of the folder.
 */
export function staticRoute(root = WEB_ROOT): Hono {
  const files = createFileLister(root);
  const compress = createCompressor(root);
  return new Hono().get("/*", (c, next) => {
    if (!isPage(c)) return next();
    const { path } = c.req;
    const names = files();
    if (names === null) return c.html(NOT_BUILT, 503);
    const isFile = path !== "/index.html" && names.has(path);
    // A missing asset is not the page.
    if (!isFile && (path.startsWith("/assets/") || extname(path) !== "")) return next();
    const name = isFile ? path : "/index.html";
    c.header("Content-Type", CONTENT_TYPES[extname(name)] ?? "application/octet-stream");
    // The names of built assets contain a content hash.
    c.header(
      "Cache-Control",
      name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    );
    const compressed = compress(name, names, c.req.header("accept-encoding") ?? "");
    if (compressed === null) return c.body(readFileSync(join(root, name)));
    c.header("Content-Encoding", "gzip");
    c.header("Vary", "Accept-Encoding");
    return c.body(compressed);
  });
}

/** Images and fonts are compressed already. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|webmanifest)$/;

/** Compresses each file on first request, and caches the result until the next build. */
function createCompressor(
  root: string,
): (name: string, built: ReadonlySet<string>, accepted: string) => Uint8Array<ArrayBuffer> | null {
  let cachedBuild: ReadonlySet<string> | null = null;
  const cache = new Map<string, Uint8Array<ArrayBuffer>>();
  return (name, built, accepted) => {
    if (!COMPRESSIBLE.test(name) || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return null;
    if (cachedBuild !== built) cache.clear();
    cachedBuild = built;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const compressed = gzipSync(readFileSync(join(root, name)));
    cache.set(name, compressed);
    return compressed;
  };
}

/** Lists the built files, again after each build; null when nothing is built. */
function createFileLister(root: string): () => ReadonlySet<string> | null {
  let listedBuildMs = 0;
  let names: ReadonlySet<string> | null = null;
  return () => {
    const builtMs = statSync(join(root, "index.html"), { throwIfNoEntry: false })?.mtimeMs;
    if (builtMs === undefined) return null;
    if (names === null || builtMs !== listedBuildMs)
      names = new Set(
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`.replaceAll("\\", "/")),
      );
    listedBuildMs = builtMs;
    return names;
  };
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hookline</title>
<p>Hookline is running, but its pages are not built. In its folder, run <code>npm run build:web</code></p>
</html>
`;
