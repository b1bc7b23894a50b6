import { Hono } from "hono";
import { openAttachStream } from "./attach-stream.ts";
import { toErrorResponse } from "./control-errors.ts";
import type { ControlPorts } from "./control-ports.ts";
import { AttachQuery } from "./control-queries.ts";
import { readQuery } from "./read-request.ts";

const HEADERS = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };

export function attachRoute(ports: ControlPorts): Hono {
  return new Hono().onError(toErrorResponse).get("/api/control/sessions/:id/attach", async (c) => {
    const query = readQuery(c, AttachQuery);
    if (!query.ok) return query.response;
    // A HEAD response has no reader.
    if (c.req.method === "HEAD") return c.body(null, 200, HEADERS);
    // A reconnecting browser sends the header to its original URL, so the header is newer than the query.
    const after = positionOf(c.req.header("last-event-id")) ?? query.data.after;
    return c.body(await openAttachStream(ports.driven, c.req.param("id"), after), 200, HEADERS);
  });
}

/** Parses `<epoch>-<seq>`. `seq` continues across epochs, so it alone is the position. */
function positionOf(lastEventId: string | undefined): number | undefined {
  const [, digits] = /^[^-].*-(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
