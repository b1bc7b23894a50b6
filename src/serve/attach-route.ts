import { Hono } from "hono";
import { openAttachStream } from "./attach-stream.ts";
import type { ControlPorts } from "./control-ports.ts";
import { AttachQuery } from "./control-queries.ts";
import { refuse } from "./control-refusal.ts";
import { readQuery } from "./read-request.ts";

const HEADERS = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

export function attachRoute(ports: ControlPorts): Hono {
  return new Hono().onError(refuse).get("/api/control/sessions/:id/attach", async (c) => {
    const query = readQuery(c, AttachQuery);
    if (!query.ok) return query.response;
    // Nobody would read it.
    if (c.req.method === "HEAD") return c.body(null, 200, HEADERS);
    // A browser that comes back sends the header to the address it began with, so the header is the newer one.
    const after = placeOf(c.req.header("last-event-id")) ?? query.data.after;
    return c.body(await openAttachStream(ports.driven, c.req.param("id"), after), 200, HEADERS);
  });
}

/** Of `<epoch>-<seq>`. `seq` counts on over every epoch, so it alone is the place. */
function placeOf(lastEventId: string | undefined): number | undefined {
  const [, digits] = /^[^-].*-(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
