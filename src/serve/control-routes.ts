import { Hono } from "hono";
import { attachRoute } from "./attach-route.ts";
import { cardRoutes } from "./card-routes.ts";
import { completionRoutes } from "./completion-routes.ts";
import type { ControlPorts } from "./control-ports.ts";
import { controlSessionRoutes } from "./control-session-routes.ts";
import { trustRoutes } from "./trust-routes.ts";

export function controlRoutes(ports: ControlPorts): Hono {
  const app = new Hono();
  for (const routes of [controlSessionRoutes, attachRoute, cardRoutes, trustRoutes, completionRoutes])
    app.route("/", routes(ports));
  return app;
}
