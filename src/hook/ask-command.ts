import type { HookedAgent } from "../agents/installer.ts";
import type { Config } from "../config.ts";
import { askDaemon, home, marker, path, plain, spoolName } from "./command-parts.ts";

/** What the daemon is asked while the agent waits. */
export interface Asks {
  /** At every prompt: what is relevant to it. */
  readonly prompt: boolean;
  /** Before a file is read or written: what is known of it. */
  readonly file: boolean;
  /** Before every tool call: whether the policy has something against it. */
  readonly guard: null | { readonly failClosed: boolean };
  /** When a person is asked for leave: whether a rule, or a person elsewhere, gives it. */
  readonly permission: null | { readonly seconds: number };
  /** Where a reaction's rule may have something to say. */
  readonly react: readonly ReactAsk[];
}

export interface ReactAsk {
  readonly event: string;
  readonly matcher?: string;
  readonly seconds: number;
}

/** Of a session that nobody is to answer: its events are recorded, no more. */
export const noAsks: Asks = { prompt: false, file: false, guard: null, permission: null, react: [] };
export const usualAsks: Asks = { prompt: true, file: false, guard: null, permission: null, react: [] };

/** How long a rule alone may take over a permission. */
const RULE_SECONDS = 2;
/** The daemon ends a hold, not the hook: an answer that it takes must still find the hook there. */
const GRACE_SECONDS = 3;

export function asksOf({ memory: { inject }, guard, approve }: Config, react: Asks["react"] = []): Asks {
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

/** Hands the payload to a living daemon and prints its answer, when that is whole, no error and says something. */
export function askCommand(ask: "prompt" | "file"): string {
  return printAnswer(ask, 0.22);
}

/**
 * Records the request and waits for an answer beside the terminal's own dialog, in one process: the name of the spool
 * file it wrote is the request's identity, and goes to the daemon with the payload. The file is opened for reading
 * before it is filled, because the daemon removes it as soon as it has been recorded. Without a spool (recording is
 * off) nothing is recorded and nobody is asked. When the dialog is answered with No or Esc, the agent ends the whole
 * process group, so that the daemon sees the connection close.
 */
export function permissionCommand(agent: HookedAgent, seconds: number): string {
  const name = spoolName(agent);
  // Digits alone, up to the first other character: a header is one line.
  const attended = `-H "x-hookline-attended: \${${agent.installer.variables.attended}%%[!0-9]*}" `;
  const spooled = `-H "x-hookline-spool: ${name}$n" `;
  const waits = `-H 'x-hookline-wait: ${seconds}' `;
  const ask = askDaemon("permission", seconds, attended + spooled + waits);
  const body = `{ cat >&4 || rm -f "$f$n"; { ${ask}; } <&3; } 3<"$f$n" || :`;
  return (
    `${marker(askKind("permission"), 2)} { ${plain} umask 077; set -C; ${path} H=${home}; a=; f=$H/spool/${name}; n=0; ` +
    `until { ${body}; } 4>"$f$n" || [ $n -ge 9 ]; do n=$((n+1)); done; ${printWhole}; } 2>/dev/null; exit 0`
  );
}

/** At SessionStart with the file whose lines become the session's environment. */
export function reactCommand({ installer, answers }: HookedAgent, event: string, seconds: number): string {
  // Letters alone, as of the attended above.
  const terminal = `-H "x-hookline-terminal: \${TERM_PROGRAM%%[!A-Za-z]*}" `;
  if (event !== answers.events.start) return printAnswer("react", seconds, terminal);
  const oneLine = `e=$${installer.variables.envFile}; case $e in *[[:cntrl:]]*) e=;; esac; `;
  return printAnswer("react", seconds, `${terminal}-H "x-hookline-env-file: $e" `, oneLine);
}

function printAnswer(ask: keyof Asks, seconds: number, headers = "", before = ""): string {
  return (
    `${marker(askKind(ask))} { ${plain} ${path} H=${home}; ${before}${askDaemon(ask, seconds, headers)} && ` +
    `${printWhole}; } 2>/dev/null; exit 0`
  );
}

/** Prints an answer that is whole and says something. */
const printWhole = `case $a in '{}') ;; '{'*'}') printf '%s\\n' "$a";; esac`;
