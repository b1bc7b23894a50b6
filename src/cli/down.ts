import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { DrivenList, type DrivenSession, isBusy } from "../control/control-contract.ts";
import { isLocked } from "../daemon/lock.ts";
import { type Home, resolveHome } from "../home.ts";
import { Health, SessionDetail } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural } from "./amounts.ts";
import { print } from "./output.ts";

const STOP_TIMEOUT_MS = 15_000;

export const downCommand = defineCommand({
  meta: { name: "down", description: "Stop the daemon (hooks keep recording to the spool)" },
  run: async () => {
    const home = resolveHome();
    const health = await askDaemon(home, Health, "/api/health", { timeoutMs: 2_000 });
    if (health === null) {
      print("The daemon is not running.");
      return;
    }
    const sessions = await listOpenSessions(home);
    const toResume = await findResumable(home, sessions);
    process.kill(health.pid, "SIGTERM");
    for (const until = Date.now() + STOP_TIMEOUT_MS; Date.now() < until; await setTimeout(20)) {
      if (isLocked(home.lockFile)) continue;
      print(["Stopped.", ...endedSessionsText(sessions, toResume)].join(" "));
      return;
    }
    throw new AppError(
      "daemon_not_down",
      `the daemon (pid ${health.pid}) did not stop within ${STOP_TIMEOUT_MS / 1000} s`,
    );
  },
});

/** Driven sessions end with the daemon. Empty if it can't report them: an older daemon drives none. */
async function listOpenSessions(home: Home): Promise<readonly DrivenSession[]> {
  const path = "/api/control/sessions";
  const list = await askDaemon(home, DrivenList, path, { timeoutMs: 2_000 }).catch(() => null);
  return (list?.sessions ?? []).filter(({ state }) => state !== "closed");
}

/** The first session with a prompt: the agent stores nothing of the others, such as an unused fork. */
async function findResumable(home: Home, sessions: readonly DrivenSession[]): Promise<string | null> {
  for (const { sessionId } of sessions) {
    const path = `/api/sessions/${encodeURIComponent(sessionId)}`;
    const detail = await askDaemon(home, SessionDetail, path, { timeoutMs: 2_000 }).catch(() => null);
    if (detail !== null && detail.session.turnCount > 0) return sessionId;
  }
  return null;
}

function endedSessionsText(sessions: readonly DrivenSession[], toResume: string | null): string[] {
  if (sessions.length === 0) return [];
  const busy = sessions.filter(isBusy).length;
  const ended = `${plural(sessions.length, "driven session")} ended with it, ${busy} of them busy.`;
  if (toResume === null) return [ended];
  const which = sessions.length > 1 ? " one of them" : "";
  return [ended, `To continue${which}: \`hookline run --resume ${oneLine(toResume)} "…"\`.`];
}
