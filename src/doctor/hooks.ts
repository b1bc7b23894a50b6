import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HookedAgent } from "../agents/installer.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { readWaitingHooks } from "../control/waiting-hooks.ts";
import type { InspectedSettings, SettingsReport } from "../hook/inspect-hooks.ts";
import { installHooks, type Scope } from "../hook/install.ts";
import { readInstallRecord } from "../hook/install-record.ts";
import { EventsPage, SessionsPage } from "../serve/contract.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { countText, listNames, toSentence } from "./wording.ts";

type ReadSettings = InspectedSettings & SettingsReport;

export const hookChecks: readonly Check[] = [
  { code: "hooks_installed", run: checkInstalled },
  { code: "hooks_complete", run: checkComplete },
  { code: "hooks_current", run: checkCurrent },
  { code: "hooks_enabled", run: checkEnabled },
  { code: "settings_valid", run: checkValid },
  { code: "settings_entries", run: checkEntries },
  { code: "sessions_restarted", run: checkSessions },
];

async function checkInstalled(context: CheckContext): Promise<Outcome> {
  const files = await context.settings();
  const withHooks = readableSettings(files).filter(({ ours }) => ours > 0);
  const isPluginEnabled = isPluginActive(files);
  if (withHooks.length > 0 || isPluginEnabled) {
    const places = [...withHooks.map(({ path }) => path), ...(isPluginEnabled ? ["the plugin"] : [])];
    return { status: "ok", found: `Hooks are installed: ${places.join(", ")}.` };
  }
  const removed = await findRemovedInstall(context);
  const user = files.find(({ scope }) => scope === "user")!;
  return {
    status: "fail",
    found:
      removed === undefined
        ? `No hooks are installed: checked ${user.path}, ${context.projectDir} and plugins.`
        : `The hooks were removed from ${removed.path}.`,
    remedy: "Run `hookline install`.",
    fix: removed && (() => reinstall(context, removed)),
  };
}

const noHooks: Outcome = { status: "skipped", found: "No hooks are installed." };

async function checkComplete(context: CheckContext): Promise<Outcome> {
  if (!(await hasHooks(context))) return noHooks;
  const incomplete = readableSettings(await context.settings()).filter(({ missing }) => missing.length > 0);
  if (incomplete.length === 0) return { status: "ok", found: "Every event has a hook." };
  return {
    status: "fail",
    found: toSentence(incomplete.map(({ path, missing }) => `${path} has no hook for ${listNames(missing)}`)),
    remedy: `Run ${installCommands(incomplete)}.`,
    fix: createFixer(context, incomplete),
  };
}

async function checkCurrent(context: CheckContext): Promise<Outcome> {
  if (!(await hasHooks(context))) return noHooks;
  const old = readableSettings(await context.settings()).filter(({ stale }) => stale.length > 0);
  if (old.length === 0) return { status: "ok", found: "All hooks are up to date." };
  return {
    status: "warn",
    found: toSentence(
      old.map(
        ({ path, stale }) =>
          `${path}:${stale[0]!.line} has ${countText(stale.length, "hook")} from another version (${listNames(stale.map(({ what }) => what))})`,
      ),
    ),
    remedy: `Run ${installCommands(old)}.`,
    fix: createFixer(context, old),
  };
}

async function checkEnabled(context: CheckContext): Promise<Outcome> {
  const files = readableSettings(await context.settings());
  const managed = files.filter(({ scope }) => scope === "managed");
  const policies = managed.flatMap(({ path, disableAllHooks, allowManagedHooksOnly }) => [
    ...(disableAllHooks?.value ? [`"disableAllHooks" in ${path}:${disableAllHooks.line}`] : []),
    ...(allowManagedHooksOnly?.value
      ? [`"allowManagedHooksOnly" in ${path}:${allowManagedHooksOnly.line}`]
      : []),
  ]);
  if (policies.length > 0) {
    return {
      status: "fail",
      found: `An administrator turned hooks off: ${policies.join(", ")}.`,
      remedy: "Ask your administrator to allow Hookline's hooks.",
    };
  }
  // The agent merges the files: the last one that sets it wins.
  const effective = files.findLast(({ scope, disableAllHooks }) => scope !== "managed" && disableAllHooks);
  if (!effective?.disableAllHooks?.value) return { status: "ok", found: "No settings turn hooks off." };
  return {
    status: "fail",
    found: `All hooks are turned off: "disableAllHooks" in ${effective.path}:${effective.disableAllHooks.line}.`,
    remedy: `Remove "disableAllHooks" from ${effective.path}.`,
  };
}

async function checkValid(context: CheckContext): Promise<Outcome> {
  const broken = (await context.settings()).flatMap((file) => (file.type === "broken" ? [file] : []));
  if (broken.length === 0) return { status: "ok", found: "Every settings file is valid JSON." };
  return {
    status: "fail",
    found: toSentence(
      broken.map(({ why, holdsOurs }) => (holdsOurs ? `${why}; its Hookline hooks do not run` : why)),
    ),
    remedy: `Fix it by hand; ${context.agent.label} ignores invalid files.`,
  };
}

async function checkEntries(context: CheckContext): Promise<Outcome> {
  const bad = readableSettings(await context.settings()).flatMap(({ path, badEntries }) =>
    badEntries.map(({ what, line }) => ({ what, text: `${path}:${line}: ${what}` })),
  );
  if (bad.length === 0) return { status: "ok", found: "All hook entries are valid." };
  const { label, installer } = context.agent;
  const fatal = ['"hooks"', ...(installer.fatalEvents ?? []).map((event) => `${event} `)];
  const isFatal = bad.some(({ what }) => fatal.some((start) => what.startsWith(start)));
  return {
    status: isFatal ? "fail" : "warn",
    found: toSentence(bad.slice(0, 3).map(({ text }) => text)),
    remedy: isFatal
      ? `Fix the entry by hand; until then ${label} runs no hooks from that file.`
      : `Fix the entry by hand; ${label} rejects it.`,
  };
}

async function checkSessions(context: CheckContext): Promise<Outcome> {
  // The record is written when settings change, so its age is the age of the hooks.
  const installed = await stat(join(context.home.dir, "install.json")).catch(() => undefined);
  if (installed === undefined) return { status: "skipped", found: "No hooks were installed from here." };
  if ((await context.daemon()).type !== "answers")
    return { status: "skipped", found: "The daemon is not running." };
  const page = await askDaemon(context.home, SessionsPage, "/api/sessions?state=active,idle&limit=500", {
    timeoutMs: 5_000,
  }).catch(() => null);
  if (page === null) return { status: "skipped", found: "The daemon did not list its sessions." };
  const older = page.sessions.filter(({ startedAtIso }) => Date.parse(startedAtIso) < installed.mtimeMs);
  const silent: StartedSession[] = [];
  for (const session of older)
    if (!(await hasSentSince(context, session.sessionId, installed.mtimeMs))) silent.push(session);
  return checkSessionAges(silent, installed.mtimeMs, context.agent);
}

const MAX_EVENTS_CHECKED = 200;

/** Whether its hooks sent events after they were installed, so it has reloaded the settings. */
async function hasSentSince({ home }: CheckContext, sessionId: string, sinceMs: number): Promise<boolean> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?before=${Number.MAX_SAFE_INTEGER}&limit=${MAX_EVENTS_CHECKED}`;
  const page = await askDaemon(home, EventsPage, path, { timeoutMs: 5_000 }).catch(() => null);
  return (page?.events ?? []).some(
    (event) => event["origin"] === "hook" && Date.parse(String(event["occurredAtIso"])) > sinceMs,
  );
}

interface StartedSession {
  readonly sessionId: string;
  readonly startedAtIso: string;
  readonly cwd: string | null;
}

/** Pure. A session uses the hooks of its start, or, with a newer agent, misses only its start event. */
export function checkSessionAges(
  running: readonly StartedSession[],
  installedAtMs: number,
  { resumeCommand }: Pick<HookedAgent, "resumeCommand">,
): Outcome {
  const older = running.filter(({ startedAtIso }) => Date.parse(startedAtIso) < installedAtMs);
  if (older.length === 0)
    return { status: "ok", found: "All running sessions started after the hooks were installed." };
  const names = older.map(
    ({ sessionId, cwd }) => `${sessionId.slice(0, 8)}${cwd === null ? "" : ` in ${cwd}`}`,
  );
  const resumeHint =
    resumeCommand === undefined ? "" : ` (\`${resumeCommand("").join(" ").trim()}\` keeps the conversation)`;
  return {
    status: "warn",
    found: `${countText(older.length, "running session")} started before the hooks were installed: ${listNames(names)}.`,
    remedy: `Restart ${older.length === 1 ? "it" : "them"}${resumeHint}: sessions may keep the hooks they started with.`,
  };
}

export function readableSettings(files: readonly InspectedSettings[]): ReadSettings[] {
  return files.flatMap((file) => (file.type === "read" ? [file] : []));
}

function isPluginActive(files: readonly InspectedSettings[]): boolean {
  return readableSettings(files).findLast(({ plugin }) => plugin !== undefined)?.plugin ?? false;
}

/** Whether the agent could run any of our hooks here. */
export async function hasHooks(context: CheckContext): Promise<boolean> {
  const files = await context.settings();
  return isPluginActive(files) || readableSettings(files).some(({ ours }) => ours > 0);
}

interface Installed {
  readonly scope: Scope;
  readonly path: string;
}

/** A settings file that, according to this machine's record, we wrote to and the agent would read here. */
async function findRemovedInstall({ home, settings }: CheckContext): Promise<Installed | undefined> {
  const { files } = await readInstallRecord(home);
  for (const { scope, path, type } of await settings()) {
    if ((scope !== "user" && scope !== "project") || type === "broken") continue;
    const target = await realTarget(path);
    if (files[path] !== undefined || files[target] !== undefined) return { scope, path };
  }
  return undefined;
}

async function realTarget(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function createFixer(context: CheckContext, files: readonly InspectedSettings[]) {
  const ours = files.flatMap(({ scope, path }) =>
    scope === "user" || scope === "project" ? [{ scope, path }] : [],
  );
  if (ours.length === 0) return undefined;
  return async () => {
    const results: string[] = [];
    for (const file of ours) results.push(await reinstall(context, file));
    return results.join(" ");
  };
}

async function reinstall(
  { agent, env, home, launch }: CheckContext,
  { scope, path }: Installed,
): Promise<string> {
  const projectDir = dirname(dirname(path));
  const react = readWaitingHooks(home, scope === "project" ? projectDir : undefined);
  const { handlers } = await installHooks({ agent, scope, env, projectDir, launcher: launch, react });
  return `Installed the hooks in ${path} again: ${handlers.added} added, ${handlers.updated} updated, ${handlers.removed} removed.`;
}

export function installCommands(files: readonly InspectedSettings[]): string {
  const scopes = new Set(files.map(({ scope }) => scope));
  const commands = [
    ...(scopes.has("user") ? ["`hookline install`"] : []),
    ...(scopes.has("project") ? ["`hookline install --scope project`"] : []),
  ];
  return commands.length > 0
    ? commands.join(" and ")
    : "`hookline install`, and remove the hooks from the other file";
}
