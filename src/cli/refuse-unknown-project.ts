import { statSync } from "node:fs";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import type { Home } from "../home.ts";
import { DigestPreview, SessionsPage } from "../serve/contract.ts";
import { askMemory } from "./ask-memory.ts";
import { toQuery } from "./memory-args.ts";

/**
 * For an empty result in a named project: fails with `project_unknown` and the closest name, unless the
 * project exists. A folder on this disk counts as a project without data.
 */
export async function refuseUnknownProject(home: Home, project: string | undefined): Promise<void> {
  if (project === undefined) return;
  if (project.startsWith("/") && statSync(project, { throwIfNoEntry: false })?.isDirectory()) return;
  const sessions = await askDaemon(
    home,
    SessionsPage,
    `/api/sessions?${toQuery({ project, limit: "1" })}`,
  ).catch(() => null);
  if (sessions !== null && sessions.sessions.length > 0) return;
  try {
    await askMemory(home, DigestPreview, `/api/context/preview?${toQuery({ project })}`);
  } catch (error) {
    // A suffix that matches several projects is known, too.
    if (!(error instanceof AppError) || error.code !== "project_ambiguous") throw error;
  }
}
