import { describePortOwner, findPortOwner } from "../port-owner.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";

export const portChecks: readonly Check[] = [{ code: "port_free", run: checkPort }];

async function checkPort(context: CheckContext): Promise<Outcome> {
  const port = context.config()?.port;
  if (port === undefined) return { status: "skipped", found: "The configuration is not valid." };
  if (port === 0) return { status: "skipped", found: "Configured to use any free port." };
  const daemon = await context.daemon();
  const served = daemon.type === "answers" ? daemon.status?.port : undefined;
  if (served === port) return { status: "ok", found: `The daemon serves on http://127.0.0.1:${port}.` };
  const owner = await findPortOwner(port, context.platform);
  const remedy =
    "Free the port, or choose another with `hookline config port <number>`; then `hookline down` and `hookline up`.";
  if (owner !== null) {
    const instead =
      served === undefined
        ? "the daemon will use one of the next"
        : served === null
          ? "no nearby port was free either, so only the socket is served"
          : `the daemon serves on ${served}`;
    return {
      status: "warn",
      found: `Port ${port} is taken by ${describePortOwner(owner)}; ${instead}.`,
      remedy,
    };
  }
  if (served === undefined) return { status: "ok", found: `Port ${port} is free.` };
  return {
    status: "warn",
    found: `The daemon serves on ${served ?? "no port"}, though ${port} is configured and free now.`,
    remedy: "Run `hookline down` and `hookline up`.",
  };
}
