import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { errorResponse } from "./authorize.ts";
import { HandoverRequest, type HandoverResult } from "./contract.ts";

export interface HandoverPorts {
  /** Throws when it does not hand over. The listeners are closed only after `answered` resolves. */
  handOver(request: HandoverRequest, answered: Promise<void>): HandoverResult;
}

export function handoverRoute(ports: HandoverPorts): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>();
  return app.post("/api/handover", async (c) => {
    const request = HandoverRequest.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return errorResponse(c, 400, "body_invalid", "invalid body", request.error.issues);
    const { outgoing } = c.env ?? {};
    const answered = new Promise<void>((resolve) => {
      if (outgoing === undefined) resolve();
      else outgoing.once("close", resolve);
    });
    return c.json(ports.handOver(request.data, answered));
  });
}
