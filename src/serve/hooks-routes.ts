import { Hono } from "hono";
import { HooksChange } from "./hooks-contract.ts";
import type { PagePorts } from "./page-ports.ts";
import { readBodyIfAny } from "./read-request.ts";

/** The hooks in the agent's settings, and the switches that decide which there are. */
export function hooksRoutes(pages: PagePorts): Hono {
  return new Hono()
    .get("/api/hooks", async (c) => c.json(await pages.hooks()))
    .put("/api/hooks", async (c) => {
      const read = await readBodyIfAny(c, HooksChange);
      return read.ok ? c.json(await pages.switchHooks(read.data)) : read.response;
    });
}
