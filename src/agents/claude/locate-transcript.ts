import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The transcript of a session that only the agent's registry tells of: the file of that name under any
 * project, else where it is to be expected. A session keeps its file when it moves to another folder.
 */
export function locateTranscript(
  configDir: string,
  sessionId: string,
  expected: string | null,
): string | null {
  if (expected !== null && existsSync(expected)) return expected;
  const projects = join(configDir, "projects");
  let names: string[] = [];
  try {
    names = readdirSync(projects);
  } catch {
    // No project yet.
  }
  const found = names
    .map((name) => join(projects, name, `${sessionId}.jsonl`))
    .find((path) => existsSync(path));
  return found ?? expected;
}
