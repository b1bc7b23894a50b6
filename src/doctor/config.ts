import { devNull } from "node:os";
import { AppError } from "../app-error.ts";
import { pauseText } from "../capture/pause-text.ts";
import { activePauses, readPauses } from "../capture/pauses.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { followRecordingRules } from "../capture/recording-rules.ts";
import { loadConfig } from "../config.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";

export const configChecks: readonly Check[] = [
  { code: "config_valid", run: checkValid },
  { code: "recording_paused", run: checkPauses },
  { code: "project_excluded", run: checkExclude },
];

function checkValid({ home, env }: CheckContext): Outcome {
  try {
    loadConfig(home, env);
    return { status: "ok", found: "The configuration is valid." };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      status: "fail",
      found: `${error.message}.`,
      remedy: `Correct ${error.message.startsWith("HOOKLINE_PORT") ? "the variable" : home.configFile}; the daemon cannot start until then.`,
    };
  }
}

function checkPauses(context: CheckContext): Outcome {
  const now = context.nowMs();
  const active = activePauses(readPauses(context.home.pauses), new Date(now).toISOString());
  if (active.length === 0) return { status: "ok", found: "Recording is not paused." };
  return {
    status: "warn",
    found: active.map((pause) => pauseText(pause, now)).join(" "),
    remedy: "Run `hookline pause --end` to record again.",
  };
}

function checkExclude({ home, cwd, nowMs }: CheckContext): Outcome {
  const projectPath = createProjectOf()(cwd);
  const mayRecord = followRecordingRules(home.configFile, devNull);
  if (mayRecord({ projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() }))
    return { status: "ok", found: "This project is recorded." };
  return {
    status: "warn",
    found: `${projectPath} is not recorded: it matches "exclude" in ${home.configFile}.`,
    remedy: "To record it, change the list with `hookline config exclude '[…]'`.",
  };
}
