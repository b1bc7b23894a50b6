import { Hono } from "hono";
import { errorResponse } from "./authorize.ts";
import type { PagePorts } from "./page-ports.ts";
import {
  PolicyQuery,
  RecipeChange,
  ReplayRequest,
  RulesChange,
  RulesPreviewRequest,
  VerdictsQuery,
} from "./policy-contract.ts";
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
    .post("/api/rules/preview", async (c) => {
      const read = await readBody(c, RulesPreviewRequest);
      if (!read.ok) return read.response;
      const preview = pages.previewRules(read.data.text, read.data.change);
      if (preview === undefined) return errorResponse(c, 404, "rule_unknown", "there is no such rule");
      return c.json(preview);
    })
    .put("/api/recipes/:name", async (c) => {
      const read = await readBodyIfAny(c, RecipeChange);
      return read.ok ? c.json(await pages.addRecipe(c.req.param("name"), read.data)) : read.response;
    })
    .delete("/api/recipes/:name", async (c) => c.json(await pages.removeRecipe(c.req.param("name"))))
    .get("/api/verdicts", async (c) => {
      const query = readQuery(c, VerdictsQuery);
      return query.ok ? c.json(await pages.verdicts(query.data)) : query.response;
    })
    .post("/api/policy/replay", async (c) => {
      const read = await readBodyIfAny(c, ReplayRequest);
      return read.ok ? c.json(await pages.replay(read.data)) : read.response;
    });
}
