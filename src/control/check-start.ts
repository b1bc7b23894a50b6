import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { AppError } from "../app-error.ts";
import type { ClaudeReport } from "./control-contract.ts";

/** Resolves links. Checked here because Claude Code reports a missing folder as a C library problem. */
export async function checkFolder(cwd: string): Promise<string> {
  // A relative path would resolve against the daemon's own folder.
  if (!isAbsolute(cwd)) throw new AppError("cwd_missing", `${cwd} is not an absolute path.`);
  const stats = await stat(cwd).catch(() => null);
  if (stats === null) throw new AppError("cwd_missing", `Folder ${cwd} not found.`);
  if (!stats.isDirectory()) throw new AppError("cwd_missing", `${cwd} is not a folder.`);
  return realpath(cwd);
}

/** Claude Code matches anything but an id against session titles, and could resume one we didn't lock. */
export function checkResume(claudeSessionId: string): void {
  if (!SESSION_ID.test(claudeSessionId))
    throw new AppError("resume_unknown", `${claudeSessionId} is not the id of a Claude session.`);
}

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws if no session can start, with a distinct code for each cause. */
export function checkClaude({ sdk, claude, login, usable, billing }: ClaudeReport): void {
  if (!sdk.found) throw new AppError("sdk_missing", sdk.message ?? "The Agent SDK is not installed.");
  if (sdk.message !== null) throw new AppError("sdk_too_old", sdk.message);
  if (claude.path === null)
    throw new AppError("claude_missing", claude.message ?? "Claude Code is not installed.");
  if (claude.message !== null)
    throw new AppError(claude.version === null ? "claude_missing" : "claude_too_old", claude.message);
  if (!usable) throw new AppError(login === "subscription" ? "billing_choice" : "login_missing", billing);
}
