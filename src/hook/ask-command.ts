import type { HookedAgent } from "../agents/installer.ts";
import type { Config } from "../config.ts";
import { askDaemon, marker, resetShellOptions, shellHome, shellPath, spoolName } from "./command-parts.ts";

/** What the daemon is asked while the agent waits. */
export interface Asks {
  /** At every prompt: memory relevant to it. */
  readonly prompt: boolean;
  /** Before a file is read or written: memory about it. */
  readonly file: boolean;
  /** Before every tool call: whether the policy objects. */
  readonly guard: null | { readonly failClosed: boolean };
  /** When the user is asked for permission: whether a rule, or a person elsewhere, grants it. */
  readonly permission: null | { readonly seconds: number };
  /** Where a reaction's rule may have an answer. */
  readonly react: readonly ReactAsk[];
}

export interface ReactAsk {
  readonly event: string;
  readonly matcher?: string;
  readonly seconds: number;
}

/** For a session that is only recorded, never answered. */
export const noAsks: Asks = { prompt: false, file: false, guard: null, permission: null, react: [] };
export const defaultAsks: Asks = { prompt: true, file: false, guard: null, permission: null, react: [] };

/** The time limit for rules alone to decide a permission. */
const RULE_SECONDS = 2;
/** The daemon ends a hold, not the hook: an answer that it accepts must still reach the hook. */
const GRACE_SECONDS = 3;

export function toAsks({ memory: { inject }, guard, approve }: Config, react: Asks["react"] = []): Asks {
  const seconds = approve.on ? approve.holdSeconds + GRACE_SECONDS : guard.on ? RULE_SECONDS : null;
  return {
    prompt: inject.prompt,
    file: inject.file,
    guard: guard.on ? { failClosed: guard.failClosed } : null,
    permission: seconds === null ? null : { seconds },
    react,
  };
}

export function askKind(ask: keyof Asks): string {
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
 * the whole process group, so that the daemon sees the connection close.
 */
export function permissionCommand(agent: HookedAgent, seconds: number): string {
  const name = spoolName(agent);
  // Only leading digits, because a header is one line.
  const attended = `-H "x-hookline-attended: \${${agent.installer.variables.attended}%%[!0-9]*}" `;
  const spooled = `-H "x-hookline-spool: ${name}$n" `;
  const waits = `-H 'x-hookline-wait: ${seconds}' `;
  const ask = askDaemon("permission", seconds, attended + spooled + waits);
  const body = `{ cat >&4 || rm -f "$f$n"; { ${ask}; } <&3; } 3<"$f$n" || :`;
  return (
    `${marker(askKind("permission"), 2)} { ${resetShellOptions} umask 077; set -C; ${shellPath} H=${shellHome}; a=; f=$H/spool/${name}; n=0; ` +
    `until { ${body}; } 4>"$f$n" || [ $n -ge 9 ]; do n=$((n+1)); done; ${printWholeAnswer}; } 2>/dev/null; exit 0`
  );
}

/** At SessionStart, includes the file whose lines become the session's environment. */
export function reactCommand({ installer, answers }: HookedAgent, event: string, seconds: number): string {
  // Only leading letters, for the same reason.
  const terminal = `-H "x-hookline-terminal: \${TERM_PROGRAM%%[!A-Za-z]*}" `;
  if (event !== answers.events.start) return printAnswer("react", seconds, terminal);
  const oneLine = `e=$${installer.variables.envFile}; case $e in *[[:cntrl:]]*) e=;; esac; `;
  return printAnswer("react", seconds, `${terminal}-H "x-hookline-env-file: $e" `, oneLine);
}

function printAnswer(ask: keyof Asks, seconds: number, headers = "", before = ""): string {
  return (
    `${marker(askKind(ask))} { ${resetShellOptions} ${shellPath} H=${shellHome}; ${before}${askDaemon(ask, seconds, headers)} && ` +
    `${printWholeAnswer}; } 2>/dev/null; exit 0`
  );
}

/** Prints an answer that is complete and not empty. */
const printWholeAnswer = `case $a in '{}') ;; '{'*'}') printf '%s\\n' "$a";; esac`;
