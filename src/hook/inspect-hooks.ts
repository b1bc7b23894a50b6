/** Read-only: reports what the settings that an agent would merge say about our hooks. */
import { readFile, stat } from "node:fs/promises";
import type { HookedAgent, SettingsChainOptions, SettingsLocation } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import { resolveHome } from "../home.ts";
import { type AskHookOptions, askKind, noAskHooks, toAskHookOptions } from "./ask-command.ts";
import { isCurrentAskHook } from "./ask-hooks.ts";
import { findBadEntries } from "./bad-entries.ts";
import { hookEntries, kindOfCommand } from "./commands.ts";
import { type JsonNode, memberOf, parseJsonTree, positionOf } from "./json-tree.ts";
import { findOwnHandlers, membersOf, type OwnHandler } from "./own-handlers.ts";

export interface SettingsIssue {
  readonly what: string;
  readonly line: number;
}

export type InspectedSettings = SettingsLocation &
  (
    | { readonly type: "absent" }
    /** `why` names the file and, if applicable, the line and column. */
    | { readonly type: "broken"; readonly why: string; readonly holdsOurs: boolean }
    | ({ readonly type: "read" } & SettingsReport)
  );

export interface SettingsReport {
  /** The number of our handlers, of any version. */
  readonly ours: number;
  /** Events for which a handler of this version is missing. */
  readonly missing: readonly string[];
  /** Our ask hooks, as `<kind> <event>`. */
  readonly asks: readonly string[];
  /** Our handlers that this version would write differently, or not at all. */
  readonly stale: readonly SettingsIssue[];
  /** `disableAllHooks` as set here, else undefined. */
  readonly disableAllHooks: { readonly value: boolean; readonly line: number } | undefined;
  readonly allowManagedHooksOnly: { readonly value: boolean; readonly line: number } | undefined;
  /** Whether our plugin is enabled or disabled here. */
  readonly plugin: boolean | undefined;
  /** Entries that the agent rejects, with the reason. */
  readonly badEntries: readonly SettingsIssue[];
}

export interface InspectOptions extends SettingsChainOptions {
  readonly agent: HookedAgent;
  /** The events at which a reaction's rule may answer; undefined: unknown, so not checked. */
  readonly react?: AskHookOptions["react"] | undefined;
}

type WantedAskHooks = Omit<AskHookOptions, "react"> & Pick<InspectOptions, "react">;

/** Each file once, in ascending precedence. */
export async function inspectHooks(options: InspectOptions): Promise<InspectedSettings[]> {
  const { agent } = options;
  const locations = await agent.installer.settings.chain(options);
  const wanted = readWantedAskHooks(options);
  return Promise.all(
    locations.map((location) => inspectFile(agent, location, location.scope === "user" ? wanted : undefined)),
  );
}

/** Undefined if the configuration cannot be read; the settings are then not compared with it. */
function readWantedAskHooks({ env, react }: InspectOptions): WantedAskHooks | undefined {
  try {
    return { ...toAskHookOptions(loadConfig(resolveHome(env), env).config), react };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function inspectFile(
  agent: HookedAgent,
  location: SettingsLocation,
  wanted: WantedAskHooks | undefined,
): Promise<InspectedSettings> {
  let text: string;
  try {
    const found = await stat(location.path);
    if (!found.isFile())
      return { ...location, type: "broken", why: `${location.path} is not a file`, holdsOurs: false };
    text = await readFile(location.path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { ...location, type: "absent" };
    return {
      ...location,
      type: "broken",
      why: `${location.path} cannot be read (${code})`,
      holdsOurs: false,
    };
  }
  try {
    return { ...location, type: "read", ...inspectSettingsText(agent, text, location.path, wanted) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = error.message.replace(/\. Nothing was written\.$/, "");
    return { ...location, type: "broken", why, holdsOurs: text.includes('": hookline ') };
  }
}

/**
 * Pure. Throws `settings_invalid`. Without `wanted`, a file is valid with or without ask hooks: a project's
 * settings are shared by people with different configurations.
 */
export function inspectSettingsText(
  agent: HookedAgent,
  text: string,
  file: string,
  wanted?: WantedAskHooks,
): SettingsReport {
  const isBlank = /^\ufeff?\s*$/.test(text);
  const root = isBlank ? emptyRoot : parseJsonTree(text, file);
  return reportTree(agent, root, text, wanted);
}

const emptyRoot: JsonNode = { type: "object", members: [], start: 0, end: 0 };

function reportTree(
  agent: HookedAgent,
  root: JsonNode,
  text: string,
  wanted: WantedAskHooks | undefined,
): SettingsReport {
  const lineOf = (offset: number): number => positionOf(text, offset).line;
  const flag = (key: string) => {
    const member = memberOf(root, key);
    if (member?.value.type !== "scalar" || typeof member.value.value !== "boolean") return undefined;
    return { value: member.value.value, line: lineOf(member.start) };
  };
  return {
    ...compareOurs(agent, root, lineOf, wanted),
    disableAllHooks: flag("disableAllHooks"),
    allowManagedHooksOnly: flag("allowManagedHooksOnly"),
    plugin: pluginSwitch(root),
    badEntries: findBadEntries(root).map(({ what, start }) => ({ what, line: lineOf(start) })),
  };
}

function compareOurs(
  agent: HookedAgent,
  root: JsonNode,
  lineOf: (offset: number) => number,
  wanted: WantedAskHooks | undefined,
) {
  const entries = hookEntries(agent, { ...(wanted ?? noAskHooks), react: wanted?.react ?? [] });
  const ownHandlers = findOwnHandlers(root);
  const unmatched = new Set(ownHandlers);
  const missing = new Set<string>();
  const stale: SettingsIssue[] = [];
  for (const [event, groups] of Object.entries(entries)) {
    for (const { matcher, hooks } of groups) {
      const { command } = hooks[0]!;
      const own = [...unmatched].find(
        (handler) => handler.isEffective && matchesEntry(handler, event, kindOfCommand(command), matcher),
      );
      if (own === undefined && !isRecordedByAsk(agent, unmatched, event)) missing.add(event);
      else if (own !== undefined && own.command.value !== command)
        stale.push({ what: event, line: lineOf(own.command.start) });
      if (own !== undefined) unmatched.delete(own);
    }
  }
  const tolerated: OwnHandler[] = [];
  for (const own of unmatched) {
    const isDuplicate = tolerated.some((other) => matchesEntry(other, own.event, own.kind, own.matcher));
    if (!isDuplicate && isTolerated(agent, own, wanted)) tolerated.push(own);
    else stale.push({ what: own.event, line: lineOf(own.command.start) });
  }
  stale.sort((a, b) => a.line - b.line);
  const asks = ownHandlers
    .filter(({ kind, isEffective }) => isEffective && kind.startsWith("ask-"))
    .map(({ kind, event }) => `${kind} ${event}`);
  return { ours: ownHandlers.length, missing: ownHandlers.length === 0 ? [] : [...missing], asks, stale };
}

function matchesEntry(
  own: OwnHandler,
  event: string,
  kind: string | undefined,
  matcher: string | undefined,
): boolean {
  return own.event === event && own.kind === kind && own.matcher === matcher;
}

/** The ask hook for permissions also records the event. */
function isRecordedByAsk(agent: HookedAgent, unmatched: ReadonlySet<OwnHandler>, event: string): boolean {
  return [...unmatched].some(
    (own) => own.event === event && own.isEffective && isAsk(agent, own, "permission"),
  );
}

function isAsk(agent: HookedAgent, own: OwnHandler, ask: keyof AskHookOptions): boolean {
  return own.kind === askKind(ask) && isCurrentAskHook(agent, hookOf(own));
}

/** An ask hook of this version, while it is unknown whether it is wanted. */
function isTolerated(agent: HookedAgent, own: OwnHandler, wanted: WantedAskHooks | undefined): boolean {
  if (!own.isEffective || wanted?.react !== undefined) return false;
  if (wanted !== undefined && own.kind !== askKind("react")) return false;
  return isCurrentAskHook(agent, hookOf(own));
}

function hookOf({ event, kind, matcher, command }: OwnHandler): Parameters<typeof isCurrentAskHook>[1] {
  return { event, kind, command: command.value, ...(matcher !== undefined && { matcher }) };
}

function pluginSwitch(root: JsonNode): boolean | undefined {
  const plugins = memberOf(root, "enabledPlugins")?.value;
  const ours = plugins && membersOf(plugins).filter(({ key }) => key.startsWith("hookline@"));
  if (ours === undefined || ours.length === 0) return undefined;
  return ours.some(({ value }) => value.type === "scalar" && value.value === true);
}
