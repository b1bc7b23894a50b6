import type { AgentAdapter } from "../agent.ts";
import { genericTools } from "../generic-tools.ts";
import { UNKNOWN_AGENT } from "../hook-delivery.ts";
import { translateUnknown } from "./translate-unknown.ts";

/** Whoever runs our hooks and is nobody we know: watched, and told nothing. */
export const unknown = {
  id: UNKNOWN_AGENT,
  label: "unknown agent",
  recognises: () => "possible",
  translateHook: translateUnknown,
  tools: genericTools,
} as const satisfies AgentAdapter;
