/**
 * The sh commands that an agent runs. Everything is inline: with our folder or package gone they
 * print nothing and exit 0. Why they look as they do: docs/decisions/0002-hook-command.md.
 */

import type { HookedAgent, PluginForm } from "../agents/installer.ts";
import { type Asks, usualAsks } from "./ask-command.ts";
import { askingHooks } from "./asking-hooks.ts";
import { home, intoSpool, marker, path, plain } from "./command-parts.ts";
import { giveCommand } from "./give-command.ts";

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

/** Seconds, beyond what a command waits for an answer. It also lifts the 1.5 s that all SessionEnd hooks share
 *  when none of them names a timeout. */
const timeout = 5;

export function hookEntries(agent: HookedAgent, asks: Asks = usualAsks): HookEntries {
  return entriesOf(agent, asks, (command) => command);
}

/** The plugin's form. An agent runs a plugin's handler beside an equal one of the settings, so it stands back where
 *  the settings that this session reads already hold ours. */
export function pluginHookEntries(agent: HookedAgent, { shell }: PluginForm): HookEntries {
  return entriesOf(agent, usualAsks, (command, kind) => {
    const body = command.slice(marker(kind).length + 1);
    return `${marker(`plugin-${kind}`)} ${unlessInSettings(shell)}${body}`;
  });
}

/** The kind of one of our commands, of any version, or undefined for a command that is not ours. */
export function kindOfCommand(command: string): string | undefined {
  return /^: hookline ([a-z-]+) \d+;/.exec(command)?.[1];
}

function entriesOf(
  agent: HookedAgent,
  asks: Asks,
  form: (command: string, kind: string) => string,
): HookEntries {
  const { events, digests } = agent.installer;
  const group = (kind: string, command: string, matcher?: string, seconds = 0): HookGroup => ({
    ...(matcher && { matcher }),
    hooks: [{ type: "command", command: form(command, kind), timeout: seconds + timeout }],
  });
  const entries: Record<string, readonly HookGroup[]> = {};
  for (const event of events) entries[event] = [group("record", recordCommand(agent))];
  entries[agent.answers.events.start] = [
    group("record-start", recordStartCommand(agent)),
    ...digests.map(({ name, matcher }) => group(`give-${name}`, giveCommand(agent, name), matcher)),
  ];
  for (const { event, kind, command, matcher, seconds, isRecording } of askingHooks(agent, asks))
    entries[event] = [
      ...(isRecording === true ? [] : (entries[event] ?? [])),
      group(kind, command, matcher, seconds),
    ];
  return entries;
}

function spoolCommand(agent: HookedAgent, kind: string, before: string, body: string): string {
  const write = intoSpool(agent, home, body);
  return `${marker(kind)} { umask 077; set -C; ${path} ${before}${write} } 2>/dev/null; exit 0`;
}

export function recordCommand(agent: HookedAgent): string {
  return spoolCommand(agent, "record", "", "cat");
}

/** One line `env<TAB>KEY=VALUE…` before the payload. A value with a control character counts as empty:
 *  it would break the line. */
export function recordStartCommand(agent: HookedAgent): string {
  return spoolCommand(
    agent,
    "record-start",
    `${plain} for k in ${agent.installer.recordedEnv.join(" ")}; do eval "v=\\$$k"; case $v in *[[:cntrl:]]*) v=;; esac; set -- "$@" "$k=$v"; done; `,
    `printf env && printf '\\t%s' "$@" && echo && cat`,
  );
}

/**
 * grep costs as much as cat, so its answer "not there" is kept as the age of one file: while that is
 * newer than the user's settings and the project has none, nothing is started.
 */
function unlessInSettings({ user, project, isMoved }: PluginForm["shell"]): string {
  return (
    `H=${home}; [ -d "$H" ] || exit 0; umask 077; ` +
    `c=${user}; p=${project}; k=$H/plugin-only; ` +
    `if ${isMoved} || [ -e "$p.json" ] || [ -e "$p.local.json" ] || ! [ "$k" -nt "$c" ]; then ` +
    `if PATH=/bin:/usr/bin:$PATH grep -qs '": hookline [rg]' "$c" "$p.json" "$p.local.json"; then exit 0; ` +
    `else { :; } >|"$k"; fi; fi 2>/dev/null;`
  );
}
