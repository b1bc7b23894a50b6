import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { claude } from "../agents/claude/claude.ts";
import { logFile } from "../config.ts";
import { diagnose } from "../doctor/check.ts";
import { CHECKS } from "../doctor/checks.ts";
import { openSituation } from "../doctor/situation.ts";
import type { Env, Home } from "../home.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import { DoctorAnswer } from "../serve/settings-contract.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";

/** The checks of `hookline doctor`, as a person in their home folder would run them. */
export function createDoctor(
  home: Home,
  env: Env,
): (how: { readonly fix: boolean }) => Promise<DoctorAnswer> {
  const running = new Map<boolean, Promise<DoctorAnswer>>();
  return ({ fix }) => {
    // Who asks twice gets the one answer.
    const asked = running.get(fix) ?? run(home, env, fix).finally(() => running.delete(fix));
    running.set(fix, asked);
    return asked;
  };
}

async function run(home: Home, env: Env, fix: boolean): Promise<DoctorAnswer> {
  const open = () =>
    openSituation({
      agent: claude,
      env: { ...env, HOOKLINE_HOME: home.dir },
      cwd: env["HOME"] || homedir(),
      fixing: fix,
      launch: { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) },
      // It runs, or nobody would have asked.
      ports: {
        openLog: (of, config) => openFileLogReader(logFile(of, config)),
        openStore: async ({ db }) => openSqliteStore(db, { readOnly: true }),
        startDaemon: async () => undefined,
      },
    });
  return DoctorAnswer.parse(await diagnose(CHECKS, open, { fix }));
}
