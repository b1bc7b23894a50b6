import { Hono } from "hono";
import { errorResponse } from "./authorize.ts";
import type { McpPorts } from "./mcp.ts";

/**
 * MCP over HTTP, without sessions: there is no stream to open or to end. The SDK is loaded on first use (13 MB and 130
 * ms, measured), because most daemons never serve it.
 */
export function mcpRoute(ports: McpPorts): Hono {
  return new Hono().all("/mcp", async (c) => {
    if (c.req.method !== "POST")
      return errorResponse(c, 405, "method_refused", "MCP is asked with POST here");
    const { answerMcp } = await import("./mcp.ts");
    return answerMcp(ports, c.req.raw);
  });
}
