import { setTimeout } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { askDaemon, isConnectionLost } from "../client/ask-daemon.ts";
import { compareVersions } from "../compare-versions.ts";
import type { Home } from "../home.ts";
import { HandoverResult, type Health } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { VERSION } from "../version.ts";
import { note } from "./output.ts";
import { readDaemonProgress, withProgress } from "./progress.ts";

export interface HandoverOptions {
  /** Also replaces a daemon of the same version. */
  readonly restart: boolean;
  /** Waits for the end of long work in the other daemon. */
  readonly wait: boolean;
}

const ANSWER_TIMEOUT_MS = 5_000;
const RETRY_MS = 500;

/** Whether to replace a running daemon with ours: only by a newer version, or when the user asks for it. */
export function shouldReplaceDaemon(running: Health, restart: boolean): boolean {
  const order = compareVersions(VERSION, running.version);
  if (order < 0 && restart) {
    throw new AppError(
      "handover_refused",
      `a newer daemon is running (${running.version}; this is ${VERSION}); stop it with \`hookline down\``,
    );
  }
  return order > 0 || restart;
}

/**
 * Asks the running daemon to shut down cleanly. Returns once it agrees, with the number of idle driven
 * sessions it closes; it is never killed.
 */
export async function requestHandover(
  home: Home,
  running: Health,
  options: HandoverOptions,
): Promise<number> {
  if (!options.wait) return requestHandoverOnce(home, running, options.restart);
  let isAnnounced = false;
  const retryUntilAccepted = async (): Promise<number> => {
    for (;;) {
      try {
        return await requestHandoverOnce(home, running, options.restart);
      } catch (error) {
        const isBusy = error instanceof AppError && ["busy_with_work", "starting"].includes(error.code);
        if (!isBusy) throw error;
        if (!isAnnounced && error.code === "busy_with_work") {
          note(`${oneLine(error.message.split(";")[0]!)}; waiting…`);
          isAnnounced = true;
        }
        await setTimeout(RETRY_MS);
      }
    }
  };
  return withProgress(() => readDaemonProgress(home), retryUntilAccepted());
}

async function requestHandoverOnce(home: Home, running: Health, restart: boolean): Promise<number> {
  const body = { version: VERSION, restart, untilMs: Date.now() + ANSWER_TIMEOUT_MS };
  const daemonName = `hookline ${running.version} (pid ${running.pid})`;
  try {
    // Null: it has ended on its own in the meantime.
    const options = { method: "POST", body, timeoutMs: ANSWER_TIMEOUT_MS };
    return (await askDaemon(home, HandoverResult, "/api/handover", options))?.closes ?? 0;
  } catch (error) {
    // The connection broke: it is shutting down because of an earlier request.
    if (isConnectionLost(error)) return 0;
    const { code } = error as AppError;
    if (code === "daemon_silent") {
      throw new AppError("handover_failed", `${daemonName} does not answer; nothing was changed`, {
        cause: error,
      });
    }
    if (code === "not_found") {
      throw new AppError(
        "handover_failed",
        `${daemonName} is too old to be replaced; run \`hookline down\`, then \`hookline up\``,
        { cause: error },
      );
    }
    throw error;
  }
}
