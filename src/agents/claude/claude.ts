import type { AgentAdapter } from "../agent.ts";
import { answers } from "./answers.ts";
import { installer } from "./installer.ts";
import { liveness } from "./liveness.ts";
import { prompts } from "./prompts.ts";
import { recognises } from "./recognise.ts";
import { claudeTools } from "./tools.ts";
import { transcripts } from "./transcripts.ts";
import { translateHook } from "./translate-hook.ts";
import { usage } from "./usage.ts";

export const claude = {
  id: "claude",
  label: "Claude Code",
  recognises,
  translateHook,
  prompts,
  tools: claudeTools,
  transcripts,
  liveness,
  usage,
  resume: (sessionId) => ["claude", "--resume", sessionId],
  answers,
  installer,
} as const satisfies AgentAdapter;
