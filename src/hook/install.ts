import { readFile, rm, rmdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { HookedAgent } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import { type Config, loadConfig } from "../config.ts";
import { makeFolder } from "../files/make-folder.ts";
import { type Env, type Home, resolveHome } from "../home.ts";
import { type AskHookOptions, toAskHookOptions } from "./ask-command.ts";
import { hookEntries, kindOfCommand } from "./commands.ts";
import { type InstallRecord, readInstallRecord, writeInstallRecord } from "./install-record.ts";
import { type LaunchTarget, writeLauncher } from "./launcher.ts";
import { editFile, type FileEdit } from "./settings-file.ts";
import { type AddedHooks, addHooks, type RemovedHooks, removeHooks } from "./settings-text.ts";

export type Scope = "user" | "project";

export interface HookOptions {
  readonly agent: HookedAgent;
  readonly scope: Scope;
  readonly env?: Env;
  /** For scope `project`; the current folder by default. */
  readonly projectDir?: string;
  readonly dryRun?: boolean;
  readonly platform?: NodeJS.Platform;
  /** Lets a test change the file concurrently. */
  readonly beforeCommit?: () => Promise<void> | void;
}

export interface InstallResult {
  readonly scope: Scope;
  readonly dryRun: boolean;
  /** The path of the settings file before links are resolved. */
  readonly settings: string;
  readonly createdFile: boolean;
  readonly changed: boolean;
  readonly handlers: { readonly added: number; readonly updated: number; readonly removed: number };
  readonly events: number;
  /** The kinds of our commands that run at each event. */
  readonly hooks: readonly { readonly event: string; readonly kinds: readonly string[] }[];
  readonly home: string;
  readonly spool: string;
  readonly launcher: string | null;
}

export interface UninstallResult {
  readonly scope: Scope;
  readonly dryRun: boolean;
  readonly settings: string;
  readonly changed: boolean;
  readonly removedHandlers: number;
  readonly removedFile: boolean;
  /** Scopes of this machine that still have our hooks, by settings file. */
  readonly remaining: readonly string[];
  /** False if the spool folder was removed, or did not exist. */
  readonly recording: boolean;
  /** Recorded data stays here. */
  readonly home: string;
}

/** The configuration and the rules decide which ask hooks exist: run again after one changed, it adds or
 *  removes them. */
export async function installHooks(
  options: HookOptions & {
    readonly launcher?: LaunchTarget;
    /** The events at which a reaction's rule may answer. */
    readonly react?: AskHookOptions["react"] | undefined;
    /** Overrides the configuration file. */
    readonly config?: Config;
  },
): Promise<InstallResult> {
  const { scope, dryRun = false, env = process.env } = options;
  const home = resolveHome(env);
  const path = settingsPath(options);
  const config = options.config ?? loadConfig(home, env).config;
  const entries = hookEntries(options.agent, toAskHookOptions(config, options.react));
  const record = await readInstallRecord(home);
  let added: AddedHooks | undefined;

  const createdFolders = dryRun ? [] : await makeHome(home);
  let edit: FileEdit;
  try {
    edit = await editFile(
      path,
      (text, target) => {
        added = addHooks(text ?? "", entries, path, record.files[target]?.footprint, options.agent.label);
        return added.text;
      },
      {
        dryRun,
        newFileMode: scope === "user" ? 0o600 : 0o666,
        // The record is written before the settings: a crash in between leaves a superfluous record, which is
        // harmless.
        beforeCommit: async (next) => {
          await options.beforeCommit?.();
          await writeInstallRecord(home, withFile(record, scope, next, added!));
        },
      },
    );
  } catch (error) {
    await writeInstallRecord(home, record).catch(() => undefined);
    for (const folder of createdFolders.reverse()) await rmdir(folder).catch(() => undefined);
    throw error;
  }
  if (!dryRun) {
    // The hooks came with the project, installed by a colleague: record them here, too.
    if (!record.files[edit.target]) await writeInstallRecord(home, withFile(record, scope, edit, added!));
    if (options.launcher) await writeLauncher(home, options.launcher);
  }
  return {
    scope,
    dryRun,
    settings: path,
    createdFile: edit.before === undefined,
    changed: edit.before !== edit.after,
    handlers: { added: added!.added, updated: added!.updated, removed: added!.removed },
    events: Object.keys(entries).length,
    hooks: Object.entries(entries).map(([event, groups]) => ({
      event,
      kinds: groups.flatMap(({ hooks }) => hooks.map(({ command }) => kindOfCommand(command) ?? "other")),
    })),
    home: home.dir,
    spool: home.spool,
    launcher: options.launcher ? home.launcher : null,
  };
}

/** Removes our handlers from one settings file. Recorded data stays. */
export async function uninstallHooks(options: HookOptions): Promise<UninstallResult> {
  const { scope, dryRun = false, env = process.env } = options;
  const home = resolveHome(env);
  const path = settingsPath(options);
  const record = await readInstallRecord(home);
  let removal: RemovedHooks | undefined;

  const edit = await editFile(
    path,
    (text, target) => {
      removal = undefined;
      if (text === undefined) return undefined;
      const known = record.files[target];
      removal = removeHooks(text, path, known?.footprint);
      return removal.isEmpty && removal.removed > 0 && known?.createdFile ? undefined : removal.text;
    },
    { dryRun, newFileMode: 0o600, beforeCommit: options.beforeCommit },
  );
  const { [edit.target]: known, ...files } = record.files;
  const removedFile = edit.before !== undefined && edit.after === undefined;
  if (!dryRun) {
    if (removedFile && known?.createdFolder) await rmdir(resolve(edit.target, "..")).catch(() => undefined);
    if (known) await writeInstallRecord(home, { ...record, files });
    if (Object.keys(files).length === 0)
      await stopRecording(home, options.agent.installer.settings.file("user", env, ""));
  }
  return {
    scope,
    dryRun,
    settings: path,
    changed: edit.before !== edit.after,
    removedHandlers: removal?.removed ?? 0,
    removedFile,
    remaining: Object.keys(files),
    recording: (await stat(home.spool).catch(() => undefined)) !== undefined,
    home: home.dir,
  };
}

function settingsPath(options: HookOptions): string {
  const { agent, scope, env = process.env, projectDir, platform = process.platform } = options;
  if (platform === "win32") {
    throw new AppError(
      "platform_unsupported",
      `Hookline runs on Linux and macOS; on Windows, run ${agent.label} and Hookline inside WSL.`,
    );
  }
  return agent.installer.settings.file(scope, env, projectDir ?? process.cwd());
}

function withFile(record: InstallRecord, scope: Scope, edit: FileEdit, added: AddedHooks): InstallRecord {
  const isNew = edit.before === undefined;
  const known = added.hadOurs ? record.files[edit.target] : undefined;
  const file = {
    scope,
    createdFile: isNew || (known?.createdFile ?? false),
    createdFolder: edit.createdFolder || (known?.createdFolder ?? false),
    footprint: added.footprint,
  };
  return { ...record, files: { ...record.files, [edit.target]: file } };
}

/** Returns the folders that it created, outermost first. */
async function makeHome(home: Home): Promise<string[]> {
  const createdFolders: string[] = [];
  for (const folder of [home.dir, home.spool]) {
    try {
      if (makeFolder(folder) !== undefined) createdFolders.push(folder);
    } catch (cause) {
      throw new AppError("home_unwritable", `${folder} cannot be made: ${(cause as Error).message}`, {
        cause,
      });
    }
  }
  return createdFolders;
}

/**
 * Called when the last of our hooks on this machine is removed: nothing may start the daemon any more, and
 * without a spool folder hooks that others installed (a colleague's project) record nothing. The folder stays
 * while it holds events, while a daemon watches it, or while our plugin is enabled.
 */
async function stopRecording(home: Home, userSettings: string): Promise<void> {
  await rm(home.launcher, { force: true });
  const settings = await readFile(userSettings, "utf8").catch(() => "");
  if (/"hookline@[^"]*"\s*:\s*true/.test(settings) || (await isDaemonAlive(home))) return;
  await rmdir(home.spool).catch(() => undefined);
}

async function isDaemonAlive(home: Home): Promise<boolean> {
  const pid = Number.parseInt(await readFile(home.pidFile, "utf8").catch(() => ""), 10);
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
