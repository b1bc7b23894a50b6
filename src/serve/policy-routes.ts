import { Hono } from "hono";
import { errorResponse } from "./authorize.ts";
import type { PagePorts } from "./page-ports.ts";
import { PolicyQuery, ReplayRequest, RulesChange, VerdictsQuery } from "./policy-contract.ts";
import { readBody, readBodyIfAny, readQuery } from "./read-request.ts";

/** Shows, changes and tests the rules. */
export function policyRoutes(pages: PagePorts): Hono {
  return new Hono()
    .get("/api/policy", async (c) => {
      const query = readQuery(c, PolicyQuery);
      return query.ok ? c.json(await pages.policy(query.data.project ?? null)) : query.response;
    })
    .put("/api/rules", async (c) => {
      const read = await readBody(c, RulesChange);
      if (!read.ok) return read.response;
      const written = pages.writeRules(read.data.text, read.data.was);
      switch (written.type) {
        case "written":
          return c.json(await pages.policy(null));
        case "changed":
          return errorResponse(c, 409, "rules_changed", "the rules have changed in the meantime");
        case "invalid":
          return errorResponse(c, 400, "rules_invalid", "nothing was saved: the rules are invalid", [
            ...written.problems,
          ]);
        default:
          return written satisfies never;
      }
    })
    .get("/api/verdicts", async (c) => {
      const query = readQuery(c, VerdictsQuery);
      return query.ok ? c.json(await pages.verdicts(query.data)) : query.response;
    })
    .post("/api/policy/replay", async (c) => {
      const read = await readBodyIfAny(c, ReplayRequest);
      return read.ok ? c.json(await pages.replay(read.data)) : read.response;
    });
}
