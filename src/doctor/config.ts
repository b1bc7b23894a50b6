import { devNull } from "node:os";
import { AppError } from "../app-error.ts";
import { pauseText } from "../capture/pause-text.ts";
import { openPauses, readPauses } from "../capture/pauses.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { followRules } from "../capture/recording-rules.ts";
import { loadConfig } from "../config.ts";
import type { Check, Outcome } from "./check.ts";
import type { Situation } from "./situation.ts";

export const configChecks: readonly Check[] = [
  { code: "config_valid", look: lookValid },
  { code: "recording_paused", look: lookPauses },
  { code: "project_excluded", look: lookExclude },
];

function lookValid({ home, env }: Situation): Outcome {
  try {
    loadConfig(home, env);
    return { status: "ok", found: "The configuration is valid." };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      status: "fail",
      found: `${error.message}.`,
      remedy: `Correct ${error.message.startsWith("HOOKLINE_PORT") ? "the variable" : home.configFile}: no daemon starts before.`,
    };
  }
}

function lookPauses(situation: Situation): Outcome {
  const now = situation.nowMs();
  const open = openPauses(readPauses(situation.home.pauses), new Date(now).toISOString());
  if (open.length === 0) return { status: "ok", found: "Recording is not paused." };
  return {
    status: "warn",
    found: open.map((pause) => pauseText(pause, now)).join(" "),
    remedy: "Run `hookline pause --end` to record again.",
  };
}

function lookExclude({ home, cwd, nowMs }: Situation): Outcome {
  const projectPath = createProjectOf()(cwd);
  const mayRecord = followRules(home.configFile, devNull);
  if (mayRecord({ projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() }))
    return { status: "ok", found: "The project of this folder is recorded." };
  return {
    status: "warn",
    found: `Nothing of ${projectPath} is recorded: a glob under "exclude" in ${home.configFile} names it.`,
    remedy: "Change it with `hookline config exclude '[…]'` if that is not what you want.",
  };
}
