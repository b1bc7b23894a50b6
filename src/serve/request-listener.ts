import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type AppPorts, createApp } from "./app.ts";
import type { AuthorizeOptions } from "./authorize.ts";
import { serveWhileStarting } from "./serve-while-starting.ts";
import { writeStreams } from "./write-streams.ts";

/** Answers everything but plain health checks, which `listen.ts` answers before this is loaded. */
export function openRequestListener(
  ports: Promise<AppPorts>,
  version: string,
  authorization: AuthorizeOptions,
): RequestListener {
  const app = ports.then((opened) => createApp(opened, authorization));
  return getRequestListener(writeStreams(serveWhileStarting(app, { version, authorization })));
}
