import { setTimeout } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { askDaemon, isCutOff } from "../client/ask-daemon.ts";
import { compareVersions } from "../compare-versions.ts";
import type { Home } from "../home.ts";
import { HandoverResult, type Health } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { VERSION } from "../version.ts";
import { note } from "./output.ts";
import { daemonProgress, withProgress } from "./progress.ts";

export interface TakeOverOptions {
  /** Also from a daemon of the same version. */
  readonly restart: boolean;
  /** For the end of long work that the other is busy with. */
  readonly wait: boolean;
}

const ANSWER_MS = 5_000;
const ASK_AGAIN_MS = 500;

/** Whether a running daemon is to be replaced by one of ours: only upward, or when a person says so. */
export function isToReplace(running: Health, restart: boolean): boolean {
  const order = compareVersions(VERSION, running.version);
  if (order < 0 && restart) {
    throw new AppError(
      "handover_refused",
      `hookline ${running.version} runs, which is newer than this one (${VERSION}); \`hookline down\` stops it`,
    );
  }
  return order > 0 || restart;
}

/**
 * Asks the running daemon to end in order. Returns when it has agreed, with how many idle driven sessions it closes;
 * it is never killed.
 */
export async function askHandover(home: Home, running: Health, options: TakeOverOptions): Promise<number> {
  if (!options.wait) return ask(home, running, options.restart);
  let isTold = false;
  const waiting = async (): Promise<number> => {
    for (;;) {
      try {
        return await ask(home, running, options.restart);
      } catch (error) {
        const isBusy = error instanceof AppError && ["busy_with_work", "starting"].includes(error.code);
        if (!isBusy) throw error;
        if (!isTold && error.code === "busy_with_work") {
          note(`${oneLine(error.message.split(";")[0]!)}; waiting until then.`);
          isTold = true;
        }
        await setTimeout(ASK_AGAIN_MS);
      }
    }
  };
  return withProgress(() => daemonProgress(home), waiting());
}

async function ask(home: Home, running: Health, restart: boolean): Promise<number> {
  const body = { version: VERSION, restart, untilMs: Date.now() + ANSWER_MS };
  const who = `hookline ${running.version} (pid ${running.pid})`;
  try {
    // Null: it has ended by itself meanwhile.
    const options = { method: "POST", body, timeoutMs: ANSWER_MS };
    return (await askDaemon(home, HandoverResult, "/api/handover", options))?.closes ?? 0;
  } catch (error) {
    // The connection broke: it ends, because another asked before.
    if (isCutOff(error)) return 0;
    const { code } = error as AppError;
    if (code === "daemon_silent") {
      throw new AppError("handover_failed", `${who} does not answer; it was left as it is`, { cause: error });
    }
    if (code === "not_found") {
      throw new AppError(
        "handover_failed",
        `${who} does not know how to hand over: \`hookline down\`, then \`hookline up\``,
        { cause: error },
      );
    }
    throw error;
  }
}
