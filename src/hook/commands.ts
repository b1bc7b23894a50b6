/**
 * The sh commands that an agent runs. Everything is inline: without our folder or package they print nothing
 * and exit 0. Reasons for their form: docs/decisions/0002-hook-command.md.
 */

import type { HookedAgent, PluginFormat } from "../agents/installer.ts";
import { type AskHookOptions, defaultAskHooks } from "./ask-command.ts";
import { createAskHooks } from "./ask-hooks.ts";
import { marker, resetShellOptions, shellHome, shellPath, writeToSpool } from "./command-parts.ts";
import { digestCommand } from "./digest-command.ts";

interface HookHandler {
  readonly type: "command";
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
}

export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly HookHandler[];
}

export type HookEntries = Readonly<Record<string, readonly HookGroup[]>>;

/** Seconds, on top of what a command waits for an answer. It also lifts the 1.5 s that all SessionEnd
 *  hooks share if none of them sets a timeout. */
const TIMEOUT_SECONDS = 5;

export function hookEntries(agent: HookedAgent, asks: AskHookOptions = defaultAskHooks): HookEntries {
  return entriesOf(agent, asks, (command) => command);
}

/** The plugin's entries. An agent runs a plugin's handler in addition to an equal one in the settings, so
 *  it does nothing if the settings that this session reads already contain ours. */
export function pluginHookEntries(agent: HookedAgent, { shell }: PluginFormat): HookEntries {
  return entriesOf(agent, defaultAskHooks, (command, kind) => {
    const body = command.slice(marker(kind).length + 1);
    return `${marker(`plugin-${kind}`)} ${unlessInSettings(shell)}${body}`;
  });
}

/** The kind of one of our commands, of any version; undefined for other commands. */
export function kindOfCommand(command: string): string | undefined {
  return /^: hookline ([a-z-]+) \d+;/.exec(command)?.[1];
}

function entriesOf(
  agent: HookedAgent,
  asks: AskHookOptions,
  wrap: (command: string, kind: string) => string,
): HookEntries {
  const { events, digests } = agent.installer;
  const group = (kind: string, command: string, matcher?: string, seconds = 0): HookGroup => ({
    ...(matcher && { matcher }),
    hooks: [{ type: "command", command: wrap(command, kind), timeout: seconds + TIMEOUT_SECONDS }],
  });
  const entries: Record<string, readonly HookGroup[]> = {};
  for (const event of events) entries[event] = [group("record", recordCommand(agent))];
  entries[agent.answers.events.start] = [
    group("record-start", recordStartCommand(agent)),
    ...digests.map(({ name, matcher }) => group(`give-${name}`, digestCommand(agent, name), matcher)),
  ];
  for (const { event, kind, command, matcher, seconds, recordsEvent } of createAskHooks(agent, asks))
    entries[event] = [
      ...(recordsEvent === true ? [] : (entries[event] ?? [])),
      group(kind, command, matcher, seconds),
    ];
  return entries;
}

function spoolCommand(agent: HookedAgent, kind: string, before: string, body: string): string {
  const write = writeToSpool(agent, shellHome, body);
  return `${marker(kind)} { umask 077; set -C; ${shellPath} ${before}${write} } 2>/dev/null; exit 0`;
}

export function recordCommand(agent: HookedAgent): string {
  return spoolCommand(agent, "record", "", "cat");
}

/** Writes one line `env<TAB>KEY=VALUE…` before the payload. A value with a control character counts as
 *  empty, because it would break the line. */
export function recordStartCommand(agent: HookedAgent): string {
  return spoolCommand(
    agent,
    "record-start",
    `${resetShellOptions} for k in ${agent.installer.recordedEnv.join(" ")}; do eval "v=\\$$k"; case $v in *[[:cntrl:]]*) v=;; esac; set -- "$@" "$k=$v"; done; `,
    `printf env && printf '\\t%s' "$@" && echo && cat`,
  );
}

/**
 * grep costs as much as cat, so its result "not there" is cached as the age of a file: while that is newer
 * than the user's settings and the project has none, no process is started.
 */
function unlessInSettings({ user, project, isMoved }: PluginFormat["shell"]): string {
  return (
    `H=${shellHome}; [ -d "$H" ] || exit 0; umask 077; ` +
    `c=${user}; p=${project}; k=$H/plugin-only; ` +
    `if ${isMoved} || [ -e "$p.json" ] || [ -e "$p.local.json" ] || ! [ "$k" -nt "$c" ]; then ` +
    `if PATH=/bin:/usr/bin:$PATH grep -qs '": hookline [rg]' "$c" "$p.json" "$p.local.json"; then exit 0; ` +
    `else { :; } >|"$k"; fi; fi 2>/dev/null;`
  );
}
