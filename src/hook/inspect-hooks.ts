/** Reads, and never writes, what the settings that an agent would merge say about our hooks. */
import { readFile, stat } from "node:fs/promises";
import type { ChainOptions, HookedAgent, SettingsPlace } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import { resolveHome } from "../home.ts";
import { type Asks, askKind, asksOf, noAsks } from "./ask-command.ts";
import { isAskOfNow } from "./asking-hooks.ts";
import { findBadEntries } from "./bad-entries.ts";
import { hookEntries, kindOfCommand } from "./commands.ts";
import { type JsonNode, memberOf, parseJsonTree, positionOf } from "./json-tree.ts";
import { findOwnHandlers, membersOf, type OwnHandler } from "./own-handlers.ts";

export interface Place {
  readonly what: string;
  readonly line: number;
}

export type InspectedSettings = SettingsPlace &
  (
    | { readonly type: "absent" }
    /** `why` names the file, and the line and column where it is about one. */
    | { readonly type: "broken"; readonly why: string; readonly holdsOurs: boolean }
    | ({ readonly type: "read" } & SettingsReport)
  );

export interface SettingsReport {
  /** How many handlers of ours, of any version. */
  readonly ours: number;
  /** Events for which this version has a handler that is not there. */
  readonly missing: readonly string[];
  /** Our handlers that wait for the daemon's answer, as `<kind> <event>`. */
  readonly asks: readonly string[];
  /** Handlers of ours that this version would write otherwise, or not at all. */
  readonly stale: readonly Place[];
  /** `disableAllHooks` as written here, undefined where it is not. */
  readonly disableAllHooks: { readonly value: boolean; readonly line: number } | undefined;
  readonly allowManagedHooksOnly: { readonly value: boolean; readonly line: number } | undefined;
  /** Our plugin is switched on or off here. */
  readonly plugin: boolean | undefined;
  /** Entries that the agent refuses, with what is wrong. */
  readonly badEntries: readonly Place[];
}

export interface InspectOptions extends ChainOptions {
  readonly agent: HookedAgent;
  /** Where a reaction's rule may have something to say; undefined: nobody knows, so it does not matter. */
  readonly react?: Asks["react"] | undefined;
}

type WantedAsks = Omit<Asks, "react"> & Pick<InspectOptions, "react">;

/** Each file once, in the order in which a later one overrules an earlier one. */
export async function inspectHooks(options: InspectOptions): Promise<InspectedSettings[]> {
  const { agent } = options;
  const places = await agent.installer.settings.chain(options);
  const wanted = wantedAsks(options);
  return Promise.all(
    places.map((place) => inspectFile(agent, place, place.scope === "user" ? wanted : undefined)),
  );
}

/** Undefined where the configuration cannot be read: then it does not matter. */
function wantedAsks({ env, react }: InspectOptions): WantedAsks | undefined {
  try {
    return { ...asksOf(loadConfig(resolveHome(env), env).config), react };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function inspectFile(
  agent: HookedAgent,
  place: SettingsPlace,
  wanted: WantedAsks | undefined,
): Promise<InspectedSettings> {
  let text: string;
  try {
    const found = await stat(place.path);
    if (!found.isFile())
      return { ...place, type: "broken", why: `${place.path} is not a file`, holdsOurs: false };
    text = await readFile(place.path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { ...place, type: "absent" };
    return { ...place, type: "broken", why: `${place.path} cannot be read (${code})`, holdsOurs: false };
  }
  try {
    return { ...place, type: "read", ...reportSettings(agent, text, place.path, wanted) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = error.message.replace(/\. Nothing was written\.$/, "");
    return { ...place, type: "broken", why, holdsOurs: text.includes('": hookline ') };
  }
}

/**
 * Pure. Throws `settings_invalid`. Without `wanted` a file is right with the hooks that ask the daemon and without:
 * a project's settings are shared by people who configured it differently.
 */
export function reportSettings(
  agent: HookedAgent,
  text: string,
  file: string,
  wanted?: WantedAsks,
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
  wanted: WantedAsks | undefined,
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
  wanted: WantedAsks | undefined,
) {
  const entries = hookEntries(agent, { ...(wanted ?? noAsks), react: wanted?.react ?? [] });
  const owns = findOwnHandlers(root);
  const open = new Set(owns);
  const missing = new Set<string>();
  const stale: Place[] = [];
  for (const [event, groups] of Object.entries(entries)) {
    for (const { matcher, hooks } of groups) {
      const { command } = hooks[0]!;
      const own = [...open].find(
        (one) => one.isEffective && isFor(one, event, kindOfCommand(command), matcher),
      );
      if (own === undefined && !isRecordedByAsk(agent, open, event)) missing.add(event);
      else if (own !== undefined && own.command.value !== command)
        stale.push({ what: event, line: lineOf(own.command.start) });
      if (own !== undefined) open.delete(own);
    }
  }
  const tolerated: OwnHandler[] = [];
  for (const own of open) {
    const isAgain = tolerated.some((one) => isFor(one, own.event, own.kind, own.matcher));
    if (!isAgain && isTolerated(agent, own, wanted)) tolerated.push(own);
    else stale.push({ what: own.event, line: lineOf(own.command.start) });
  }
  stale.sort((a, b) => a.line - b.line);
  const asks = owns
    .filter(({ kind, isEffective }) => isEffective && kind.startsWith("ask-"))
    .map(({ kind, event }) => `${kind} ${event}`);
  return { ours: owns.length, missing: owns.length === 0 ? [] : [...missing], asks, stale };
}

function isFor(
  own: OwnHandler,
  event: string,
  kind: string | undefined,
  matcher: string | undefined,
): boolean {
  return own.event === event && own.kind === kind && own.matcher === matcher;
}

/** The hook that asks about a permission records it, too. */
function isRecordedByAsk(agent: HookedAgent, open: ReadonlySet<OwnHandler>, event: string): boolean {
  return [...open].some((own) => own.event === event && own.isEffective && isAsk(agent, own, "permission"));
}

function isAsk(agent: HookedAgent, own: OwnHandler, ask: keyof Asks): boolean {
  return own.kind === askKind(ask) && isAskOfNow(agent, hookOf(own));
}

/** An asking hook of this version where nobody knows whether it is wanted. */
function isTolerated(agent: HookedAgent, own: OwnHandler, wanted: WantedAsks | undefined): boolean {
  if (!own.isEffective || wanted?.react !== undefined) return false;
  if (wanted !== undefined && own.kind !== askKind("react")) return false;
  return isAskOfNow(agent, hookOf(own));
}

function hookOf({ event, kind, matcher, command }: OwnHandler): Parameters<typeof isAskOfNow>[1] {
  return { event, kind, command: command.value, ...(matcher !== undefined && { matcher }) };
}

function pluginSwitch(root: JsonNode): boolean | undefined {
  const plugins = memberOf(root, "enabledPlugins")?.value;
  const own = plugins && membersOf(plugins).filter(({ key }) => key.startsWith("hookline@"));
  if (own === undefined || own.length === 0) return undefined;
  return own.some(({ value }) => value.type === "scalar" && value.value === true);
}
