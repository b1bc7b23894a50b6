import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { HandoverRequest, type HandoverResult } from "./contract.ts";
import { fail } from "./guard.ts";

export interface HandoverPorts {
  /** Throws when it does not hand over. What it closes of the ports it closes after `answered`. */
  handOver(request: HandoverRequest, answered: Promise<void>): HandoverResult;
}

export function handoverRoute(ports: HandoverPorts): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>();
  return app.post("/api/handover", async (c) => {
    const request = HandoverRequest.safeParse(await c.req.json().catch(() => undefined));
    if (!request.success) return fail(c, 400, "body_invalid", "the body is not valid", request.error.issues);
    const { outgoing } = c.env ?? {};
    const answered = new Promise<void>((resolve) => {
      if (outgoing === undefined) resolve();
      else outgoing.once("close", resolve);
    });
    return c.json(ports.handOver(request.data, answered));
  });
}
