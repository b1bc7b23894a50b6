import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type AppPorts, createApp } from "./app.ts";
import type { GuardOptions } from "./guard.ts";
import { whileStarting } from "./while-starting.ts";
import { writeStreams } from "./write-stream.ts";

/** Answers everything but a plain question for health, which `listen.ts` answers before this is loaded. */
export function openRequestListener(
  ports: Promise<AppPorts>,
  version: string,
  guarding: GuardOptions,
): RequestListener {
  const app = ports.then((opened) => createApp(opened, guarding));
  return getRequestListener(writeStreams(whileStarting(app, { version, guarding })));
}
