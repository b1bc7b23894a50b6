import { statSync } from "node:fs";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import type { Home } from "../home.ts";
import { DigestPreview, SessionsPage } from "../serve/contract.ts";
import { askMemory } from "./ask-memory.ts";
import { toQuery } from "./memory-args.ts";

/**
 * Where nothing was found of a project that a person named: fails with `project_unknown` and the nearest name, unless
 * there is such a project. A folder on this disk is one of which nothing is known yet.
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
    // The end of several is known, too.
    if (!(error instanceof AppError) || error.code !== "project_ambiguous") throw error;
  }
}
