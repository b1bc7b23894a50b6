import { Hono } from "hono";
import { errorResponse } from "./authorize.ts";
import { type SessionsPage, SessionsQuery, WaitsQuery } from "./contract.ts";
import { readQuery } from "./read-request.ts";
import { MIN_ID_PREFIX } from "./resolve-ids.ts";
import { UsageQuery } from "./usage-contract.ts";
import type { WatchPorts } from "./watch-ports.ts";

export function sessionRoutes(watch: WatchPorts): Hono {
  return new Hono()
    .get("/api/sessions", async (c) => {
      const query = SessionsQuery.safeParse(c.req.query());
      if (!query.success) return errorResponse(c, 400, "query_invalid", "invalid query", query.error.issues);
      // Read before the page: the page may be newer than the id, never older.
      const streamId = watch.stream.position();
      const { sessions, next } = await watch.sessions(query.data);
      return c.json({ sessions: [...sessions], next, streamId } satisfies SessionsPage);
    })
    .get("/api/sessions/:id", async (c) => {
      const id = c.req.param("id");
      const found = await watch.session(id);
      if (found === undefined)
        return errorResponse(
          c,
          404,
          "session_unknown",
          `session ${id} not found${id.length < MIN_ID_PREFIX ? `; a prefix needs at least ${MIN_ID_PREFIX} characters` : ""}`,
        );
      if ("ambiguous" in found) {
        const message = `${id} matches several sessions`;
        return errorResponse(c, 409, "session_ambiguous", message, [...found.ambiguous]);
      }
      return c.json(found);
    })
    .get("/api/usage", async (c) => {
      const query = readQuery(c, UsageQuery);
      return query.ok ? c.json(await watch.usage(query.data)) : query.response;
    })
    .get("/api/waits", async (c) => {
      const query = WaitsQuery.safeParse(c.req.query());
      if (!query.success) return errorResponse(c, 400, "query_invalid", "invalid query", query.error.issues);
      return c.json(await watch.waits(query.data));
    });
}
