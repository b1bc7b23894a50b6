import type { AgentWords } from "../agent-words.ts";
import { genericTools } from "../generic-tools.ts";
import { UNKNOWN_AGENT } from "../hook-delivery.ts";

export const unknownWords = {
  id: UNKNOWN_AGENT,
  label: "unknown agent",
  tools: genericTools,
} as const satisfies AgentWords;
