import { readFileSync } from "node:fs";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { type WaitingHook, waitingHooks } from "../policy/layers.ts";
import type { RuleSource } from "../policy/rule.ts";
import { NO_RULES, type Rules, readRules } from "../policy/rules-file.ts";
import { projectRulesFile } from "./follow-rules.ts";

/**
 * The events at which rules may reply to a session. With `projectDir`, includes those of the project's own
 * file: the hook only asks, and the daemon applies only what is trusted.
 */
export function readWaitingHooks(home: Home, projectDir?: string): WaitingHook[] {
  const files = [rulesIn(home.rules, "user")];
  if (projectDir !== undefined) files.push(rulesIn(projectRulesFile(projectDir), "project"));
  return waitingHooks({
    prompts: files.flatMap(({ prompts }) => prompts),
    reactions: files.flatMap(({ reactions }) => reactions),
  });
}

function rulesIn(file: string, source: RuleSource): Rules {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return NO_RULES;
    throw new AppError("rules_invalid", `${file} cannot be read (${code}). Nothing was written.`);
  }
  const reading = readRules(text, source);
  if (reading.type === "rules") return reading.rules;
  const { line, column, message } = reading.problems[0]!;
  throw new AppError("rules_invalid", `${file}:${line}:${column} ${message}. Nothing was written.`);
}
