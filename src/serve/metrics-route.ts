import { Hono } from "hono";
import { toPrometheus } from "./metrics.ts";
import type { WatchPorts } from "./watch-ports.ts";

export function metricsRoute(watch: WatchPorts): Hono {
  return new Hono().get("/metrics", async (c) =>
    c.body(toPrometheus(await watch.metrics()), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    }),
  );
}
