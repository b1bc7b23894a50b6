import { homedir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../home.ts";

/** Claude Code's own folder: `~/.claude`, unless its environment overrides it. */
export function configDir(env: Env): string {
  return env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
}

/** Claude Code's state and the user's MCP servers: beside that folder, or in it if it was moved. */
export function stateFile(env: Env): string {
  return join(env["CLAUDE_CONFIG_DIR"] || env["HOME"] || homedir(), ".claude.json");
}
