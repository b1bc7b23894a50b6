import type { AgentAdapter } from "../agent.ts";
import { answers } from "./answers.ts";
import { configDir } from "./config-dir.ts";
import { readHttpHook } from "./http-hook.ts";
import { installer } from "./installer.ts";
import { liveness } from "./liveness.ts";
import { findLogin } from "./login.ts";
import { claudeProfile } from "./profile.ts";
import { prompts } from "./prompts.ts";
import { recognises } from "./recognise.ts";
import { statusLine } from "./status-line.ts";
import { transcripts } from "./transcripts.ts";
import { translateHook } from "./translate-hook.ts";
import { usage } from "./usage.ts";

export const claude = {
  ...claudeProfile,
  recognises,
  translateHook,
  readHttpHook,
  prompts,
  transcripts,
  liveness,
  usage,
  answers,
  installer,
  statusLine,
  driving: { configDir, findLogin },
} as const satisfies AgentAdapter;
