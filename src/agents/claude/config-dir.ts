import { homedir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../home.ts";

/** Claude Code's own folder: `~/.claude`, unless its environment says otherwise. */
export function configDir(env: Env): string {
  return env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude");
}

/** The file beside that folder, in which it keeps its state and the user's MCP servers. */
export function stateFile(env: Env): string {
  return join(env["CLAUDE_CONFIG_DIR"] || userHome(env), ".claude.json");
}

function userHome(env: Env): string {
  return env["HOME"] || homedir();
}
