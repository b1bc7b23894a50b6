import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { compareVersions } from "../compare-versions.ts";
import { isLocked } from "../daemon/lock.ts";
import type { Home } from "../home.ts";
import { readProcessName } from "../port-owner.ts";
import { Health } from "../serve/contract.ts";
import { VERSION } from "../version.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";

export const daemonChecks: readonly Check[] = [
  { code: "daemon_pid", run: checkPid },
  { code: "daemon_up", run: checkUp },
  { code: "daemon_answers", run: checkAnswers },
  { code: "daemon_version", run: checkVersion },
];

async function checkUp(context: CheckContext): Promise<Outcome> {
  const daemon = await context.daemon();
  switch (daemon.type) {
    case "answers":
      return { status: "ok", found: `The daemon is running (pid ${daemon.health.pid}).` };
    case "silent":
      return { status: "ok", found: `A hookline process is using ${context.home.dir}.` };
    case "down":
      return {
        status: "fail",
        found: "The daemon is not running; recorded events wait in the spool.",
        remedy: "Run `hookline up`.",
        fix: () => start(context),
      };
    default:
      return daemon satisfies never;
  }
}

const START_TIMEOUT_MS = 15_000;

/** Like a hook: a spool folder that was removed is not recreated. */
async function start({ home, startDaemon }: CheckContext): Promise<string> {
  await startDaemon();
  for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until; await setTimeout(50)) {
    const health = await askDaemon(home, Health, "/api/health", { timeoutMs: 2_000 }).catch(() => null);
    if (health !== null && health.starting !== true) return `Started the daemon (pid ${health.pid}).`;
  }
  throw new AppError("daemon_not_up", `the daemon did not start within 15 s; see ${home.daemonLog}`);
}

async function checkAnswers(context: CheckContext): Promise<Outcome> {
  const daemon = await context.daemon();
  if (daemon.type === "down") return { status: "skipped", found: "The daemon is not running." };
  if (daemon.type === "answers")
    return { status: "ok", found: `The daemon answers on ${context.home.sock}.` };
  const pid = readPid(context.home);
  if (pid !== null && isAlive(pid)) {
    return {
      status: "fail",
      found: `The daemon (pid ${pid}) is running but does not answer.`,
      remedy: `Wait a moment. If it stays silent, run \`kill ${pid}\` and \`hookline up\`; no data is lost.`,
    };
  }
  return {
    status: "warn",
    found: `A command of hookline, such as import or rebuild, is at work in ${context.home.dir}.`,
    remedy: "Wait until it finishes, then run `hookline doctor` again.",
  };
}

async function checkPid(context: CheckContext): Promise<Outcome> {
  const { home } = context;
  const daemon = await context.daemon();
  const pid = readPid(home);
  if (daemon.type === "answers") {
    if (pid === daemon.health.pid) return { status: "ok", found: `${home.pidFile} has the right pid.` };
    return {
      status: "warn",
      found: `${home.pidFile} ${pid === null ? "is missing" : `names pid ${pid}`}, but the daemon has pid ${daemon.health.pid}.`,
      remedy: "Run `hookline down` and `hookline up`.",
    };
  }
  if (daemon.type === "silent") return { status: "skipped", found: "The daemon does not answer." };
  if (pid === null || !isAlive(pid)) return { status: "ok", found: "No stale pid file." };
  return {
    status: "fail",
    found: `${home.pidFile} names pid ${pid}, which is ${(await readProcessName(pid)) ?? "another process"}, not the daemon, so hooks will not start the daemon.`,
    remedy: `Remove ${home.pidFile}, or run \`hookline up\`.`,
    fix: () => removePidFile(home),
  };
}

async function removePidFile(home: Home): Promise<string> {
  if (isLocked(home.lockFile)) throw new AppError("daemon_running", "a daemon has started in the meantime");
  await rm(home.pidFile, { force: true });
  return `Removed ${home.pidFile}.`;
}

async function checkVersion(context: CheckContext): Promise<Outcome> {
  const daemon = await context.daemon();
  if (daemon.type !== "answers") return { status: "skipped", found: "The daemon is not running." };
  const { version } = daemon.health;
  if (version === VERSION) return { status: "ok", found: `Daemon and command are both ${VERSION}.` };
  return {
    status: "warn",
    found: `The daemon is ${version}, ${compareVersions(version, VERSION) < 0 ? "older" : "newer"} than this command (${VERSION}).`,
    remedy:
      compareVersions(version, VERSION) < 0
        ? "Run `hookline up` to replace it."
        : "Update this hookline, or use the one that started the daemon.",
  };
}

function readPid(home: Home): number | null {
  try {
    const text = readFileSync(home.pidFile, "utf8").trim();
    return /^[1-9]\d*$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
