import { Hono } from "hono";
import { errorResponse } from "./authorize.ts";
import { AwayQuery, SeenRequest, type SeenResult } from "./contract.ts";
import type { WatchPorts } from "./watch-ports.ts";

export function awayRoutes(watch: WatchPorts): Hono {
  return new Hono()
    .get("/api/away", async (c) => {
      const query = AwayQuery.safeParse(c.req.query());
      if (!query.success) return errorResponse(c, 400, "query_invalid", "invalid query", query.error.issues);
      return c.json(await watch.away(query.data.since));
    })
    .post("/api/away/seen", async (c) => {
      const request = SeenRequest.safeParse(await c.req.json().catch(() => undefined));
      if (!request.success)
        return errorResponse(c, 400, "body_invalid", "invalid body", request.error.issues);
      const { atIso } = request.data;
      watch.seen(atIso);
      return c.json({ atIso } satisfies SeenResult);
    });
}
