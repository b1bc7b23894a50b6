import { openTrust, type Trust } from "../control/trust/trust.ts";
import type { Home } from "../home.ts";
import { agent } from "./agent.ts";

/** What projects may do, as approved by the user of this terminal. */
export function openUserTrust(home: Home): Trust {
  return openTrust({ file: home.trust, nowMs: Date.now, driving: agent.driving });
}
