import type { Agent } from "../agent.ts";
import { translateUnknown } from "../unknown/translate-unknown.ts";
import { isFromClaude } from "../who-called.ts";
import { translateHook } from "./translate-hook.ts";
import { openClaudeTranscript } from "./translate-transcript.ts";

export const claude: Agent = {
  provider: "claude",
  translateHook: (delivery, projectOf) =>
    delivery.isNamed === true || isFromClaude(delivery.payload)
      ? translateHook(delivery, projectOf)
      : translateUnknown(delivery, projectOf),
  openTranscript: openClaudeTranscript,
};
