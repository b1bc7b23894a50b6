import type { Agent } from "../agent.ts";
import { translateHook } from "./translate-hook.ts";
import { openClaudeTranscript } from "./translate-transcript.ts";

export const claude: Agent = { provider: "claude", translateHook, openTranscript: openClaudeTranscript };
