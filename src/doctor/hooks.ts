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

async function checkInstalled(situation: CheckContext): Promise<Outcome> {
  const files = await situation.settings();
  const holding = readableSettings(files).filter(({ ours }) => ours > 0);
  const isPlugin = isPluginOn(files);
  if (holding.length > 0 || isPlugin) {
    const places = [...holding.map(({ path }) => path), ...(isPlugin ? ["the plugin"] : [])];
    return { status: "ok", found: `Hooks are installed: ${places.join(", ")}.` };
  }
  const lost = await lostInstall(situation);
  const user = files.find(({ scope }) => scope === "user")!;
  return {
    status: "fail",
    found:
      lost === undefined
        ? `No hooks are installed: checked ${user.path}, ${situation.projectDir} and plugins.`
        : `The hooks were removed from ${lost.path}.`,
    remedy: "Run `hookline install`.",
    fix: lost && (() => reinstall(situation, lost)),
  };
}

const none: Outcome = { status: "skipped", found: "No hooks are installed." };

async function checkComplete(situation: CheckContext): Promise<Outcome> {
  if (!(await hasHooks(situation))) return none;
  const lacking = readableSettings(await situation.settings()).filter(({ missing }) => missing.length > 0);
  if (lacking.length === 0) return { status: "ok", found: "Every event has a hook." };
  return {
    status: "fail",
    found: toSentence(lacking.map(({ path, missing }) => `${path} has no hook for ${listNames(missing)}`)),
    remedy: `Run ${installCommands(lacking)}.`,
    fix: fixerOf(situation, lacking),
  };
}

async function checkCurrent(situation: CheckContext): Promise<Outcome> {
  if (!(await hasHooks(situation))) return none;
  const old = readableSettings(await situation.settings()).filter(({ stale }) => stale.length > 0);
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
    fix: fixerOf(situation, old),
  };
}

async function checkEnabled(situation: CheckContext): Promise<Outcome> {
  const files = readableSettings(await situation.settings());
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
  const decides = files.findLast(({ scope, disableAllHooks }) => scope !== "managed" && disableAllHooks);
  if (!decides?.disableAllHooks?.value) return { status: "ok", found: "No settings turn hooks off." };
  return {
    status: "fail",
    found: `All hooks are turned off: "disableAllHooks" in ${decides.path}:${decides.disableAllHooks.line}.`,
    remedy: `Remove "disableAllHooks" from ${decides.path}.`,
  };
}

async function checkValid(situation: CheckContext): Promise<Outcome> {
  const broken = (await situation.settings()).flatMap((file) => (file.type === "broken" ? [file] : []));
  if (broken.length === 0) return { status: "ok", found: "Every settings file is valid JSON." };
  return {
    status: "fail",
    found: toSentence(
      broken.map(({ why, holdsOurs }) => (holdsOurs ? `${why}; its Hookline hooks do not run` : why)),
    ),
    remedy: `Fix it by hand; ${situation.agent.label} ignores invalid files.`,
  };
}

async function checkEntries(situation: CheckContext): Promise<Outcome> {
  const bad = readableSettings(await situation.settings()).flatMap(({ path, badEntries }) =>
    badEntries.map(({ what, line }) => ({ what, text: `${path}:${line}: ${what}` })),
  );
  if (bad.length === 0) return { status: "ok", found: "All hook entries are valid." };
  const { label, installer } = situation.agent;
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

async function checkSessions(situation: CheckContext): Promise<Outcome> {
  // The record is written when settings change, so its age is the age of the hooks.
  const installed = await stat(join(situation.home.dir, "install.json")).catch(() => undefined);
  if (installed === undefined) return { status: "skipped", found: "No hooks were installed from here." };
  if ((await situation.daemon()).type !== "answers")
    return { status: "skipped", found: "The daemon is not running." };
  const page = await askDaemon(situation.home, SessionsPage, "/api/sessions?state=active,idle&limit=500", {
    timeoutMs: 5_000,
  }).catch(() => null);
  if (page === null) return { status: "skipped", found: "The daemon did not list its sessions." };
  const older = page.sessions.filter(({ startedAtIso }) => Date.parse(startedAtIso) < installed.mtimeMs);
  const unheard: StartedSession[] = [];
  for (const session of older)
    if (!(await hasSentSince(situation, session.sessionId, installed.mtimeMs))) unheard.push(session);
  return checkSessionAges(unheard, installed.mtimeMs, situation.agent);
}

const MAX_EVENTS = 200;

/** Whether its hooks sent events after they were installed, so it has read the settings again. */
async function hasSentSince({ home }: CheckContext, sessionId: string, sinceMs: number): Promise<boolean> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?before=${Number.MAX_SAFE_INTEGER}&limit=${MAX_EVENTS}`;
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
  const again =
    resumeCommand === undefined ? "" : ` (\`${resumeCommand("").join(" ").trim()}\` keeps the conversation)`;
  return {
    status: "warn",
    found: `${countText(older.length, "running session")} started before the hooks were installed: ${listNames(names)}.`,
    remedy: `Restart ${older.length === 1 ? "it" : "them"}${again}: sessions may keep the hooks they started with.`,
  };
}

export function readableSettings(files: readonly InspectedSettings[]): ReadSettings[] {
  return files.flatMap((file) => (file.type === "read" ? [file] : []));
}

function isPluginOn(files: readonly InspectedSettings[]): boolean {
  return readableSettings(files).findLast(({ plugin }) => plugin !== undefined)?.plugin ?? false;
}

/** True if the agent could run any of our hooks here. */
export async function hasHooks(situation: CheckContext): Promise<boolean> {
  const files = await situation.settings();
  return isPluginOn(files) || readableSettings(files).some(({ ours }) => ours > 0);
}

interface Installed {
  readonly scope: Scope;
  readonly path: string;
}

/** A settings file that, according to this machine's record, we wrote to and the agent would read here. */
async function lostInstall({ home, settings }: CheckContext): Promise<Installed | undefined> {
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

function fixerOf(situation: CheckContext, files: readonly InspectedSettings[]) {
  const ours = files.flatMap(({ scope, path }) =>
    scope === "user" || scope === "project" ? [{ scope, path }] : [],
  );
  if (ours.length === 0) return undefined;
  return async () => {
    const said: string[] = [];
    for (const one of ours) said.push(await reinstall(situation, one));
    return said.join(" ");
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
