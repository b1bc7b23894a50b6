import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { claude } from "../agents/claude/claude.ts";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import { installSteered } from "../control/install-hooks.ts";
import type { Env, Home } from "../home.ts";
import type { InstallResult, Scope } from "../hook/install.ts";
import { readInstallRecord } from "../hook/install-record.ts";
import type { SteerSwitches } from "../hook/steer-switches.ts";
import { createSerialQueue } from "../serial-queue.ts";
import type { HooksAnswer } from "../serve/hooks-contract.ts";
import type { PagePorts } from "../serve/page-ports.ts";
import { toHomeError } from "./home-errors.ts";

interface Target {
  readonly scope: Scope;
  readonly projectDir: string;
}

/** The hooks as a page shows and switches them: `hookline install` for every settings file that it changed before. */
export function createHooksPage(home: Home, env: Env): Pick<PagePorts, "hooks" | "switchHooks"> {
  const userFolder = env["HOME"] || homedir();

  const install = async (
    { scope, projectDir }: Target,
    switches: SteerSwitches,
    dryRun: boolean,
  ): Promise<InstallResult> => {
    const launcher = { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) };
    const own = { agent: claude, home, env: { ...env, HOOKLINE_HOME: home.dir } };
    return (await installSteered({ ...own, scope, projectDir, launcher, switches, dryRun })).result;
  };

  const targets = async (): Promise<readonly Target[]> => {
    const { files } = await readInstallRecord(home);
    const known = Object.entries(files).map(([path, { scope }]) => ({
      scope,
      projectDir: scope === "user" ? userFolder : dirname(dirname(path)),
    }));
    return known.length > 0 ? known : [{ scope: "user", projectDir: userFolder }];
  };

  const report = async (): Promise<HooksAnswer> => {
    const { guard, approve } = loadConfig(home, env).config;
    const state = { guard: { on: guard.on, failClosed: guard.failClosed }, approve: { on: approve.on } };
    const all = await targets();
    try {
      const files = await inTurn(all, async (target) => toFile(await install(target, {}, true)));
      return { ...state, files, problem: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const files = all.map(({ scope, projectDir }) => ({
        path: claude.installer.settings.file(scope, env, projectDir),
        ...{ scope, installed: false, outdated: false },
      }));
      return { ...state, files, problem: error.message };
    }
  };

  const change = async (switches: SteerSwitches) => {
    const all = await targets();
    // Every file is tried first, so that one that is not valid leaves the others unchanged.
    await inTurn(all, (target) => install(target, switches, true));
    const written = await inTurn(all, (target) => install(target, switches, false));
    return {
      ...(await report()),
      written: written
        .filter(({ changed }) => changed)
        .map(({ settings, handlers }) => ({ path: settings, ...handlers })),
    };
  };

  const queue = createSerialQueue();
  return {
    hooks: report,
    switchHooks: (switches) =>
      queue
        .run(() => change(switches))
        .catch((error: unknown) => {
          throw toHomeError(home, error);
        }),
  };
}

function toFile({ settings, scope, changed, handlers, hooks }: InstallResult): HooksAnswer["files"][number] {
  const wanted = hooks.reduce((sum, { kinds }) => sum + kinds.length, 0);
  const installed = handlers.added < wanted;
  return { path: settings, scope, installed, outdated: installed && changed };
}

async function inTurn<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await act(item));
  return results;
}
