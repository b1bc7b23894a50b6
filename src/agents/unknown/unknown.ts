import type { AgentAdapter } from "../agent.ts";
import { translateUnknown } from "./translate-unknown.ts";
import { unknownWords } from "./words.ts";

/** Whoever runs our hooks and is nobody we know: watched, and told nothing. */
export const unknown = {
  ...unknownWords,
  recognises: () => "possible",
  translateHook: translateUnknown,
} as const satisfies AgentAdapter;
