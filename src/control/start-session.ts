import { AppError } from "../app-error.ts";
import type { DrivenSession, StartRequest } from "./control-contract.ts";
import type { Journals } from "./journals.ts";
import type { LiveSession, PreparedSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { foldLife, toBeginning } from "./past-life.ts";
import { type PrepareOptions, prepareSession } from "./prepare-session.ts";
import { closeSession, sendTo } from "./session-acts.ts";

export interface StartOptions extends Omit<PrepareOptions, "billing"> {
  readonly config: {
    readonly maxBudgetUsd: number | null;
    readonly billing: "api" | "subscription";
  };
}

export interface StartParts {
  readonly options: StartOptions;
  readonly live: LiveSessions;
  readonly journals: Journals;
  /** What an earlier life left open is ended before anything starts. */
  readonly recovered: Promise<void>;
  /** Aborted when nothing may be started any more. */
  readonly ending: AbortSignal;
}

/** Answers when it is registered; past the cap it is `queued`. */
export async function startSession(parts: StartParts, request: StartRequest): Promise<DrivenSession> {
  const { options, live, recovered, ending } = parts;
  await recovered;
  if (ending.aborted) throw isEnding();
  const prepared = await prepareSession(request, { ...options, billing: options.config.billing });
  const session = await register(parts, prepared, request);
  for (const message of prepared.setup.parts.problems)
    session.driver.take({ type: "error", code: "project_problem", message });
  try {
    if (request.prompt !== undefined) sendTo(session, { text: request.prompt, images: [], interrupt: false });
  } catch (error) {
    await closeSession(session, "nothing could be sent to it");
    throw error;
  }
  live.beginNext();
  return session.toSession();
}

async function register(
  { options, live, journals, ending }: StartParts,
  prepared: PreparedSession,
  request: StartRequest,
): Promise<LiveSession> {
  const { sessionId, cwd, projectPath, resume } = prepared.setup;
  const { mode, model = null, maxBudgetUsd = options.config.maxBudgetUsd, who = "start" } = request;
  try {
    return await journals.open(sessionId, { projectPath, cwd }, async (journal) => {
      const past = resume === null ? {} : toBeginning(foldLife(await journal.read(0)), resume.fork);
      if (ending.aborted) throw isEnding();
      return live.add(prepared, journal, { ...past, mode, model, maxBudgetUsd }, who);
    });
  } catch (error) {
    prepared.release();
    throw error;
  }
}

function isEnding(): AppError {
  return new AppError("daemon_stopping", "Hookline is about to end: nothing is started any more.");
}
