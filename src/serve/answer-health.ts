import type { IncomingMessage, ServerResponse } from "node:http";
import type { Health } from "./contract.ts";
import { isOurHost } from "./our-host.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

export interface HealthOptions {
  readonly version: string;
  readonly via: "tcp" | "socket";
  readonly port: () => number | null;
  readonly isStarting: () => boolean;
}

/**
 * Answers a program's health check without loading the routes: they take 10 MB, and a daemon that only records may
 * never need them. Returns false for anything else, browsers included; the routes answer those.
 */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  options: HealthOptions,
): boolean {
  const { method, url, headers } = request;
  if (method !== "GET" || (url !== "/api/health" && url !== "/health")) return false;
  if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) return false;
  if (headers.accept?.includes("text/html")) return false;
  if (options.via === "tcp" && !isOurHost(headers.host, options.port())) return false;
  const health: Health & { status: string } = {
    ok: true,
    status: "ok",
    version: options.version,
    pid: process.pid,
    ...(options.isStarting() && { starting: true }),
  };
  response.writeHead(200, {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...PAGE_HEADERS,
    "Content-Type": "application/json",
  });
  response.end(JSON.stringify(health));
  return true;
}
