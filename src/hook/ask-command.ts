import type { HookedAgent } from "../agents/installer.ts";
import type { Config } from "../config.ts";
import { askDaemon, marker, resetShellOptions, shellHome, shellPath, spoolName } from "./command-parts.ts";

/** Which ask hooks to install, each a request to the daemon while the agent waits. */
export interface AskHookOptions {
  /** At every prompt: memory relevant to it. */
  readonly prompt: boolean;
  /** Before a file is read or written: memory about it. */
  readonly file: boolean;
  /** Before every tool call: whether the policy objects. */
  readonly guard: null | { readonly failClosed: boolean };
  /** When the user is asked for permission: whether a rule, or a person elsewhere, grants it. */
  readonly permission: null | { readonly seconds: number };
  /** The events at which a reaction's rule may answer. */
  readonly react: readonly ReactHookOptions[];
}

export interface ReactHookOptions {
  readonly event: string;
  readonly matcher?: string;
  readonly seconds: number;
}

/** For a session that is only recorded, never answered. */
export const noAskHooks: AskHookOptions = {
  prompt: false,
  file: false,
  guard: null,
  permission: null,
  react: [],
};
export const defaultAskHooks: AskHookOptions = {
  prompt: true,
  file: false,
  guard: null,
  permission: null,
  react: [],
};

/** The time limit for rules alone to decide a permission. */
const RULE_SECONDS = 2;
/** The daemon ends a hold, not the hook: an answer that it accepts must still reach the hook. */
const GRACE_SECONDS = 3;

export function toAskHookOptions(
  { memory: { inject }, guard, approve }: Config,
  react: AskHookOptions["react"] = [],
): AskHookOptions {
  const seconds = approve.on ? approve.holdSeconds + GRACE_SECONDS : guard.on ? RULE_SECONDS : null;
  return {
    prompt: inject.prompt,
    file: inject.file,
    guard: guard.on ? { failClosed: guard.failClosed } : null,
    permission: seconds === null ? null : { seconds },
    react,
  };
}

export function askKind(ask: keyof AskHookOptions): string {
  return `ask-${ask}`;
}

/** Sends the payload to a running daemon and prints its answer if complete, no error and not empty. */
export function askCommand(ask: "prompt" | "file"): string {
  return printAnswer(ask, 0.22);
}

/**
 * Records the request and waits for an answer beside the terminal's own dialog, in one process: the name of
 * its spool file is the request's identity, and is sent to the daemon with the payload. The file is opened
 * for reading before it is written, because the daemon removes it as soon as it is recorded. Without a spool
 * (recording is off) nothing is recorded or asked. If the dialog is answered with No or Esc, the agent kills
 * the process group, so that the daemon sees the connection close.
 */
export function permissionCommand(agent: HookedAgent, seconds: number): string {
  const name = spoolName(agent);
  // Only leading digits, because a header is one line.
  const attendedHeader = `-H "x-hookline-attended: \${${agent.installer.variables.attended}%%[!0-9]*}" `;
  const spoolHeader = `-H "x-hookline-spool: ${name}$n" `;
  const waitHeader = `-H 'x-hookline-wait: ${seconds}' `;
  const ask = askDaemon("permission", seconds, attendedHeader + spoolHeader + waitHeader);
  const body = `{ cat >&4 || rm -f "$f$n"; { ${ask}; } <&3; } 3<"$f$n" || :`;
  return (
    `${marker(askKind("permission"), 2)} { ${resetShellOptions} umask 077; set -C; ${shellPath} H=${shellHome}; a=; f=$H/spool/${name}; n=0; ` +
    `until { ${body}; } 4>"$f$n" || [ $n -ge 9 ]; do n=$((n+1)); done; ${printCompleteAnswer}; } 2>/dev/null; exit 0`
  );
}

/** At SessionStart, includes the file whose lines become the session's environment. */
export function reactCommand({ installer, answers }: HookedAgent, event: string, seconds: number): string {
  // Only leading letters, because a header is one line.
  const terminalHeader = `-H "x-hookline-terminal: \${TERM_PROGRAM%%[!A-Za-z]*}" `;
  if (event !== answers.events.start) return printAnswer("react", seconds, terminalHeader);
  const oneLine = `e=$${installer.variables.envFile}; case $e in *[[:cntrl:]]*) e=;; esac; `;
  return printAnswer("react", seconds, `${terminalHeader}-H "x-hookline-env-file: $e" `, oneLine);
}

function printAnswer(ask: keyof AskHookOptions, seconds: number, headers = "", before = ""): string {
  return (
    `${marker(askKind(ask))} { ${resetShellOptions} ${shellPath} H=${shellHome}; ${before}${askDaemon(ask, seconds, headers)} && ` +
    `${printCompleteAnswer}; } 2>/dev/null; exit 0`
  );
}

/** Prints an answer that is complete and not empty. */
const printCompleteAnswer = `case $a in '{}') ;; '{'*'}') printf '%s\\n' "$a";; esac`;
