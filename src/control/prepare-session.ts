import { randomUUID } from "node:crypto";
import { sep } from "node:path";
import { AppError } from "../app-error.ts";
import type { Env, Home } from "../home.ts";
import type { HookEntries } from "../hook/commands.ts";
import { checkClaude, checkFolder, checkResume } from "./check-start.ts";
import type { StartRequest } from "./control-contract.ts";
import type { ClaudeFinder, ProjectTrust, SessionLocks } from "./control-ports.ts";
import type { PreparedSession } from "./live-session.ts";
import { buildSessionEnv } from "./session-env.ts";

export interface PrepareOptions {
  readonly locks: SessionLocks;
  readonly trust: ProjectTrust;
  readonly finder: ClaudeFinder;
  readonly env: Env;
  /** Where its hooks write; null: as the environment says. */
  readonly home: Pick<Home, "dir"> | null;
  /** Hooks that every driven session has, in addition to the user's own. */
  readonly hooks: HookEntries;
  readonly projectOf: (cwd: string) => string | null;
  readonly billing: "api" | "subscription";
}

/** Makes every possible refusal here, before anything runs. Our id is Claude's id from the start. */
export async function prepareSession(
  request: StartRequest,
  options: PrepareOptions,
): Promise<PreparedSession> {
  const cwd = await checkFolder(request.cwd);
  if (request.resume !== undefined) checkResume(request.resume);
  const fork = request.resume !== undefined && request.fork;
  const sessionId = request.resume === undefined || fork ? randomUUID() : request.resume;
  const env = buildSessionEnv({ env: options.env, home: options.home, credentials: request.credentials });
  const report = await options.finder.report({
    billing: request.billing ?? options.billing,
    env,
    of: request.credentials === undefined ? "daemon" : "caller",
  });
  checkClaude(report);
  const lock = options.locks.claim(sessionId);
  if (lock.type === "busy") throw new AppError("session_busy", `The session is in use by ${lock.by}.`);
  try {
    const projectConfig = await options.trust.read(cwd);
    const projectPath = options.projectOf(cwd);
    const setup = {
      sessionId,
      resume: toResume(request, fork),
      cwd,
      projectPath,
      workspace: toWorkspace(cwd, projectPath, request.addDirs),
      addDirs: request.addDirs,
      env,
      claudePath: report.claude.path,
      maxTurns: request.maxTurns ?? null,
      projectConfig,
      hooks: options.hooks,
    };
    return { setup, billing: report.billing, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function toResume({ resume, resumeAt }: StartRequest, fork: boolean) {
  return resume === undefined ? null : { claudeSessionId: resume, fork, at: resumeAt ?? null };
}

/** A worktree elsewhere does not make its repository's main folder part of the workspace. */
function toWorkspace(cwd: string, projectPath: string | null, addDirs: readonly string[]): readonly string[] {
  const isWithin = projectPath !== null && cwd.startsWith(`${projectPath}${sep}`);
  return [cwd, ...(isWithin ? [projectPath] : []), ...addDirs];
}
