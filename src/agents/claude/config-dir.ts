import { homedir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../home.ts";

/** Claude Code's own folder: `~/.claude`, unless its environment says otherwise. */
export function configDir(env: Env): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
}

/** The file beside that folder, or in it where it was moved: Claude Code's state and the user's MCP servers. */
export function stateFile(env: Env): string {
  return join(env["CLAUDE_CONFIG_DIR"] || env["HOME"] || homedir(), ".claude.json");
}
