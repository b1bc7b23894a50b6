/**
 * The sh commands that an agent runs. Everything is inline: with our folder or package gone they
 * print nothing and exit 0. Why they look as they do: docs/decisions/0002-hook-command.md.
 */

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

/** Every event of Claude Code that may be watched. WorktreeCreate would replace git, MessageDisplay
 *  runs while text streams, and FileChanged's matcher is a watch list: those three are left out. */
const recordedEvents = [
  "SessionStart",
  "Setup",
  "InstructionsLoaded",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "CwdChanged",
  "DirectoryAdded",
  "WorktreeRemove",
  "SessionEnd",
] as const;

/** What SessionStart's record carries of the environment; nothing else of it is ever stored. */
export const recordedEnv = [
  "CLAUDE_PID",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_ENTRYPOINT",
  "AI_AGENT",
  "TMUX",
  "TMUX_PANE",
  "TERM_PROGRAM",
  "TERM_SESSION_ID",
  "SSH_TTY",
] as const;

const digests = [
  { name: "startup", matcher: "startup|clear" },
  { name: "resume", matcher: "resume|fork" },
  { name: "compact", matcher: "compact" },
] as const;

/** Seconds, beyond what a command waits for an answer. It also lifts the 1.5 s that all SessionEnd hooks share
 *  when none of them names a timeout. */
const timeout = 5;

export function hookEntries(asks: Asks = usualAsks): HookEntries {
  return entriesOf(asks, (command) => command);
}

/** The plugin's form. Claude Code runs a plugin's handler beside an equal one of the settings, so it
 *  stands back where the settings that this session reads already hold ours. */
export function pluginHookEntries(): HookEntries {
  return entriesOf(usualAsks, (command, kind) => {
    const body = command.slice(marker(kind).length + 1);
    return `${marker(`plugin-${kind}`)} ${unlessInSettings}${body}`;
  });
}

/** The kind of one of our commands, of any version, or undefined for a command that is not ours. */
export function kindOfCommand(command: string): string | undefined {
  return /^: hookline ([a-z-]+) \d+;/.exec(command)?.[1];
}

function entriesOf(asks: Asks, form: (command: string, kind: string) => string): HookEntries {
  const group = (kind: string, command: string, matcher?: string, seconds = 0): HookGroup => ({
    ...(matcher && { matcher }),
    hooks: [{ type: "command", command: form(command, kind), timeout: seconds + timeout }],
  });
  const entries: Record<string, readonly HookGroup[]> = {};
  for (const event of recordedEvents) entries[event] = [group("record", recordCommand)];
  entries["SessionStart"] = [
    group("record-start", recordStartCommand),
    ...digests.map(({ name, matcher }) => group(`give-${name}`, giveCommand(name), matcher)),
  ];
  for (const { event, kind, command, matcher, seconds, isRecording } of askingHooks(asks))
    entries[event] = [
      ...(isRecording === true ? [] : (entries[event] ?? [])),
      group(kind, command, matcher, seconds),
    ];
  return entries;
}

function spoolCommand(kind: string, before: string, body: string): string {
  return `${marker(kind)} { umask 077; set -C; ${path} ${before}${intoSpool(home, body)} } 2>/dev/null; exit 0`;
}

export const recordCommand = spoolCommand("record", "", "cat");

/** One line `env<TAB>KEY=VALUE…` before the payload. A value with a control character counts as empty:
 *  it would break the line. */
export const recordStartCommand = spoolCommand(
  "record-start",
  `${plain} for k in ${recordedEnv.join(" ")}; do eval "v=\\$$k"; case $v in *[[:cntrl:]]*) v=;; esac; set -- "$@" "$k=$v"; done; `,
  `printf env && printf '\\t%s' "$@" && echo && cat`,
);

/**
 * grep costs as much as cat, so its answer "not there" is kept as the age of one file: while that is
 * newer than the user's settings and the project has none, nothing is started.
 */
const unlessInSettings =
  `H=${home}; [ -d "$H" ] || exit 0; umask 077; ` +
  `c=\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json; p="$CLAUDE_PROJECT_DIR/.claude/settings"; k=$H/plugin-only; ` +
  `if [ "$CLAUDE_CONFIG_DIR" ] || [ -e "$p.json" ] || [ -e "$p.local.json" ] || ! [ "$k" -nt "$c" ]; then ` +
  `if PATH=/bin:/usr/bin:$PATH grep -qs '": hookline [rg]' "$c" "$p.json" "$p.local.json"; then exit 0; ` +
  `else { :; } >|"$k"; fi; fi 2>/dev/null;`;
