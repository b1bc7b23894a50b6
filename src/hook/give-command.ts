import type { HookedAgent } from "../agents/installer.ts";
import { home, isDaemonAlive, marker, path, plain } from "./command-parts.ts";

/** What the daemon gets of the environment when a hook starts it. */
export const daemonEnv = [
  "HOME",
  "PATH",
  "LANG",
  "LC_ALL",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "HOOKLINE_HOME",
  "HOOKLINE_PORT",
] as const;

/**
 * Prints the project's digest, that for this very session first, then sees to it that the daemon runs. Until a first
 * session was seen, one that starts without a digest is welcomed.
 */
export function giveCommand({ installer }: HookedAgent, name: string): string {
  const { sessionId, projectDir } = installer.variables;
  const isStart = name === "startup";
  return (
    `${marker(`give-${name}`, isStart ? 2 : 1)} { ${plain} P=$PATH; ${path} H=${home}; case $H in /*) ;; *) H=$PWD/$H;; esac; ` +
    `${findProject(projectDir)}a=$H/context$a/${name}; for f in "$a-$${sessionId}.json" "$a.json"${isStart ? ' "$H/welcome.json"' : ""}; do ` +
    `if [ -f "$f" ] && [ -r "$f" ]; then cat "$f"; break; fi; done; ` +
    `${startDaemon}} 2>/dev/null; exit 0`
  );
}

/** Puts into `$r` what an absolute path means when its `.` and `..` are taken as text. */
const normalise =
  "n() { set -f; IFS=/; set -- $1; unset IFS; r=; for x; do " +
  `case $x in ''|.) ;; ..) r=\${r%/*};; *) r=$r/$x;; esac; done; }; `;

/**
 * Leaves in `$a` what src/capture/project-of.ts says of the folder: digests are kept by its answer. A `.git`
 * file that leads to a folder with a `commondir` is a worktree's; a submodule's has none.
 */
const findProject = (projectDir: string): string =>
  `${normalise}d="$${projectDir}"; case $d in /*) ;; *) d=$PWD;; esac; n "$d"; d=$r; a=$r; ` +
  `while :; do if [ -d "$d/.git" ]; then a=$d; break; elif [ -f "$d/.git" ]; then ` +
  `k=; g=; read -r k g <"$d/.git"; if [ "$k" = gitdir: ] && [ "$g" ]; then a=$d; ` +
  `case $g in /*) ;; *) g=$d/$g;; esac; n "$g"; g=$r; c=; read -r c <"$g/commondir"; ` +
  `case $c in '') break;; /*) ;; *) c=$g/$c;; esac; n "$c"; a=\${r%/.git}; break; fi; fi; ` +
  `[ "$d" ] || break; d=\${d%/*}; done; `;

/** PATH as the agent had it; our home absolute, because the daemon starts in `/`. */
const passedEnv = daemonEnv.map((key) => {
  const value = key === "PATH" ? "P" : key === "HOOKLINE_HOME" ? "H" : key;
  return `\${${key}:+"${key}=$${value}"}`;
});

/** The child leaves the hook's session, folder, descriptors and environment: one that kept stdout
 *  would stall `claude -p`. */
const startDaemon =
  `if [ "$HOOKLINE_AUTOSTART" != 0 ] && [ -f "$H/launch" ] && [ -x "$H/launch" ]; then ` +
  `${isDaemonAlive} || { { s=; command -v setsid >/dev/null && s=setsid; cd / && ` +
  `exec env -i ${passedEnv.join(" ")} $s "$H/launch"; } </dev/null >/dev/null 2>&1 & }; fi; `;
