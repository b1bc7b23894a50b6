import type { AgentAdapter } from "../agent.ts";
import { unknownProfile } from "./profile.ts";
import { translateUnknown } from "./translate-unknown.ts";

/** Any unrecognised agent that runs our hooks: watched, never answered. */
export const unknown = {
  ...unknownProfile,
  recognises: () => "possible",
  translateHook: translateUnknown,
} as const satisfies AgentAdapter;
