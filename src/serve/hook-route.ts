import { Hono } from "hono";
import { z } from "zod";
import type { HookAnswer } from "./contract.ts";
import { readBody } from "./read-request.ts";

export interface HookPorts {
  /** Ingests a payload like a hook's spool file. An unknown agent's is not stored; the answer says why. */
  hook(agent: string, event: string, body: Readonly<Record<string, unknown>>): Promise<HookAnswer>;
}

const Body = z.looseObject({});

/** For agents whose hooks call over HTTP. */
export function hookRoute(ports: HookPorts): Hono {
  return new Hono().post("/hook/:agent/:event", async (c) => {
    const body = await readBody(c, Body);
    if (!body.ok) return body.response;
    const { agent, event } = c.req.param();
    return c.json((await ports.hook(agent, event, body.data)) satisfies HookAnswer);
  });
}
