import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { claude } from "../agents/claude/claude.ts";
import { logFile } from "../config.ts";
import { diagnose } from "../doctor/check.ts";
import { createCheckContext } from "../doctor/check-context.ts";
import { CHECKS } from "../doctor/checks.ts";
import type { Env, Home } from "../home.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import { DoctorAnswer } from "../serve/settings-contract.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";

/** The checks of `hookline doctor`, as run from the user's home folder. */
export function createDoctor(
  home: Home,
  env: Env,
): (how: { readonly fix: boolean }) => Promise<DoctorAnswer> {
  const running = new Map<boolean, Promise<DoctorAnswer>>();
  return ({ fix }) => {
    // Concurrent calls share one result.
    const result = running.get(fix) ?? run(home, env, fix).finally(() => running.delete(fix));
    running.set(fix, result);
    return result;
  };
}

async function run(home: Home, env: Env, fix: boolean): Promise<DoctorAnswer> {
  const open = () =>
    createCheckContext({
      agent: claude,
      env: { ...env, HOOKLINE_HOME: home.dir },
      cwd: env["HOME"] || homedir(),
      fixing: fix,
      launch: { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) },
      // The daemon is running, since it got this request.
      ports: {
        openLog: (checkedHome, config) => openFileLogReader(logFile(checkedHome, config)),
        openStore: async ({ db }) => openSqliteStore(db, { readOnly: true }),
        startDaemon: async () => undefined,
      },
    });
  return DoctorAnswer.parse(await diagnose(CHECKS, open, { fix }));
}
