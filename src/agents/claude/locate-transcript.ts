import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Finds the transcript of a session known only from the agent's registry: the file of that name under any
 * project, else the expected path. A session keeps its file when it moves to another folder.
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
