import { Hono } from "hono";
import { z } from "zod";
import { errorResponse } from "./authorize.ts";
import type { PagePorts } from "./page-ports.ts";
import { readBody, readQuery } from "./read-request.ts";
import { ConfigChange } from "./settings-contract.ts";

const SessionEvents = z.object({
  after: z.coerce.number().int().min(0).default(0),
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(5_000).default(500),
});

/** The daemon's own settings and health, the sample, and a session's events in pages. */
export function settingsRoutes(pages: PagePorts): Hono {
  return new Hono()
    .get("/api/config", (c) => c.json(pages.config()))
    .put("/api/config", async (c) => {
      const read = await readBody(c, ConfigChange);
      return read.ok ? c.json(pages.setConfig(read.data)) : read.response;
    })
    .get("/api/doctor", async (c) => c.json(await pages.doctor({ fix: false })))
    .post("/api/doctor/fix", async (c) => c.json(await pages.doctor({ fix: true })))
    .get("/api/sample", async (c) => c.json(await pages.sample()))
    .post("/api/sample", async (c) => c.json(await pages.loadSample()))
    .delete("/api/sample", async (c) => c.json(await pages.removeSample()))
    .get("/api/sessions/:id/events", async (c) => {
      const query = readQuery(c, SessionEvents);
      if (!query.ok) return query.response;
      const rows = await pages.sessionEvents({ sessionId: c.req.param("id"), ...query.data });
      const next = rows.at(-1)?.seq ?? query.data.before ?? query.data.after;
      return c.json({ events: rows.map(({ seq, event }) => ({ seq, ...event })), next });
    })
    .get("/api/blobs/:hash", async (c) => {
      const content = await pages.blob(c.req.param("hash"));
      if (content === undefined) return errorResponse(c, 404, "blob_unknown", "content not found");
      return c.body(content, 200, { "Content-Type": "application/json" });
    });
}
