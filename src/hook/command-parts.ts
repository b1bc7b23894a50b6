/** Shell fragments that the commands share. */

import type { HookedAgent } from "../agents/installer.ts";

/** A no-op that identifies our handlers and their version. */
export function marker(kind: string, version = 1): string {
  return `: hookline ${kind} ${version};`;
}

export const shellHome = `\${HOOKLINE_HOME:-$HOME/.hookline}`;

/** cat and curl are in these folders on nearly every machine, and are found even if PATH is empty. */
export const shellPath = "PATH=/bin:/usr/bin:$PATH;";

/** bash takes such options from the environment, and would exit at the first failing test. */
export const resetShellOptions = "set +eu;";

/** A spool file name up to its unique number: the hook's agent, the agent's pid, the hook's own pid. */
export function spoolName({ id }: Pick<HookedAgent, "id">): string {
  return `${id}-$PPID-$$-`;
}

/**
 * Writes what `body` prints to a new spool file. noclobber makes the create exclusive; a name that is taken
 * (a reused pid) is skipped. A file that could not be written completely is removed: the group exits 0 once
 * the file is ours, so that another iteration cannot store the rest of stdin. `folder` is our home.
 */
export function writeToSpool(agent: Pick<HookedAgent, "id">, folder: string, body: string): string {
  return (
    `f=${folder}/spool/${spoolName(agent)}; n=0; ` +
    `until { ${body} || rm -f "$f$n" || :; } >"$f$n" || [ $n -ge 9 ]; do n=$((n+1)); done;`
  );
}

/** Leaves the daemon's pid in `$p`. Dead unless a positive number (kill -0 0 is our own group). */
export const testDaemonAlive = `p=; read -r p <"$H/daemon.pid"; case $p in ''|0*|*[!0-9]*) false;; *) kill -0 $p;; esac`;

/**
 * Leaves a running daemon's answer to the payload in `$a`; fails without a complete answer. `-q`: ignores
 * .curlrc. `-f`: our errors are JSON too.
 */
export function askDaemon(route: string, seconds: number, headers = ""): string {
  return (
    `${testDaemonAlive} && [ -S "$H/sock" ] && ` +
    `a=$(curl -q -s -f --max-time ${seconds} --noproxy '*' --unix-socket "$H/sock" --data-binary @- ` +
    `-H 'content-type: application/json' ${headers}http://hookline/api/ask/${route})`
  );
}
