/** What the commands have in common. */

import type { HookedAgent } from "../agents/installer.ts";

/** A no-op that tells our handlers from others' and one version from the next. */
export function marker(kind: string, version = 1): string {
  return `: hookline ${kind} ${version};`;
}

export const home = `\${HOOKLINE_HOME:-$HOME/.hookline}`;

/** The first folders are where cat and curl are on nearly every machine; with PATH empty they are found too. */
export const path = "PATH=/bin:/usr/bin:$PATH;";

/** bash takes such settings from the environment, and would end at the first test that fails. */
export const plain = "set +eu;";

/** How a hook names its spool file, up to the number that makes it new: whose hook it is, the agent's process, its own. */
export function spoolName({ id }: Pick<HookedAgent, "id">): string {
  return `${id}-$PPID-$$-`;
}

/**
 * Writes what `body` prints to a new file of the spool. noclobber makes the create exclusive; a name that is taken (a
 * reused pid) is passed over. A file that could not be written whole is removed: the group ends in 0 once the file is
 * ours, so that a next round cannot store the rest of stdin. `folder` is our home.
 */
export function intoSpool(agent: Pick<HookedAgent, "id">, folder: string, body: string): string {
  return (
    `f=${folder}/spool/${spoolName(agent)}; n=0; ` +
    `until { ${body} || rm -f "$f$n" || :; } >"$f$n" || [ $n -ge 9 ]; do n=$((n+1)); done;`
  );
}

/** Leaves the daemon's pid in `$p`. One that is no positive number (kill -0 0 is our own group) is dead. */
export const isDaemonAlive = `p=; read -r p <"$H/daemon.pid"; case $p in ''|0*|*[!0-9]*) false;; *) kill -0 $p;; esac`;

/**
 * Leaves in `$a` what a living daemon answers to the payload; fails without a whole answer.
 * `-q`: nobody's .curlrc. `-f`: an error of ours is JSON too.
 */
export function askDaemon(route: string, seconds: number, headers = ""): string {
  return (
    `${isDaemonAlive} && [ -S "$H/sock" ] && ` +
    `a=$(curl -q -s -f --max-time ${seconds} --noproxy '*' --unix-socket "$H/sock" --data-binary @- ` +
    `-H 'content-type: application/json' ${headers}http://hookline/api/ask/${route})`
  );
}
