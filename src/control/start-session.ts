import { AppError } from "../app-error.ts";
import type { DrivenSession, StartRequest } from "./control-contract.ts";
import type { Journals } from "./journals.ts";
import type { LiveSession, PreparedSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { foldPastSession, toDrivenStart } from "./past-session.ts";
import { type PrepareOptions, prepareSession } from "./prepare-session.ts";
import { closeSession, sendMessage } from "./session-actions.ts";

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
  /** Resolves when sessions of an earlier process are closed; nothing starts before. */
  readonly recovered: Promise<void>;
  /** Aborted when nothing may be started anymore. */
  readonly ending: AbortSignal;
}

/** Resolves when registered; past the cap: `queued`. `asksAgain` is the lost request in its prompt. */
export async function startSession(
  parts: StartParts,
  request: StartRequest,
  asksAgain?: string,
): Promise<DrivenSession> {
  const { options, live, recovered, ending } = parts;
  await recovered;
  if (ending.aborted) throw stoppingError();
  const prepared = await prepareSession(request, { ...options, billing: options.config.billing });
  const session = await register(parts, prepared, request);
  for (const message of prepared.setup.projectConfig.problems)
    session.driver.dispatch({ type: "error", code: "project_problem", message });
  try {
    if (request.prompt !== undefined)
      sendMessage(
        session,
        { text: request.prompt, images: request.images ?? [], interrupt: false },
        asksAgain,
      );
  } catch (error) {
    await closeSession(session, "the first message could not be sent");
    throw error;
  }
  live.startNext();
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
      const past = resume === null ? {} : toDrivenStart(foldPastSession(await journal.read(0)), resume.fork);
      if (ending.aborted) throw stoppingError();
      return live.add(prepared, journal, { ...past, mode, model, maxBudgetUsd }, who);
    });
  } catch (error) {
    prepared.release();
    throw error;
  }
}

function stoppingError(): AppError {
  return new AppError("daemon_stopping", "Hookline is shutting down and starts no new sessions.");
}
