import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { ProjectTrust } from "../control-ports.ts";
import { INSTRUCTIONS, locate } from "./read-project.ts";

/**
 * What lies on the way to a session's folder and has no effect in it, because nobody approved it as it is. In the
 * user's home folder itself lie the user's own settings.
 */
export async function unusedParts(trust: ProjectTrust, cwd: string, userHome: string): Promise<string[]> {
  const { root, folders } = locate(cwd);
  const names = [".mcp.json", ".claude", ".hookline/rules.json", ...INSTRUCTIONS];
  const there = folders
    .filter((dir) => dir !== userHome)
    .flatMap((dir) => names.map((name) => join(dir, name)))
    .filter((path) => existsSync(path));
  if (there.length === 0 || (await trust.read(cwd)).trusted) return [];
  return there.map((path) => relative(root, path));
}
