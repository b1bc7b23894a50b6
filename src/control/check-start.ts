import { realpath, stat } from "node:fs/promises";
import { AppError } from "../app-error.ts";
import type { ClaudeReport } from "./control-contract.ts";

/** The folder with its links resolved. Claude Code's own words for a missing one are about the C library. */
export async function checkFolder(cwd: string): Promise<string> {
  const found = await stat(cwd).catch(() => null);
  if (found === null) throw new AppError("cwd_missing", `There is no folder ${cwd}.`);
  if (!found.isDirectory()) throw new AppError("cwd_missing", `${cwd} is not a folder.`);
  return realpath(cwd);
}

/** Refuses what cannot work, each with its own code. */
export function checkClaude({ sdk, claude, login, usable, billing }: ClaudeReport): void {
  if (!sdk.found) throw new AppError("sdk_missing", sdk.message ?? "The Agent SDK is not installed.");
  if (sdk.message !== null) throw new AppError("sdk_too_old", sdk.message);
  if (claude.path === null)
    throw new AppError("claude_missing", claude.message ?? "There is no claude to run.");
  if (claude.message !== null)
    throw new AppError(claude.version === null ? "claude_missing" : "claude_too_old", claude.message);
  if (!usable) throw new AppError(login === "subscription" ? "billing_choice" : "login_missing", billing);
}
