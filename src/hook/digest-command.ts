import type { HookedAgent } from "../agents/installer.ts";
import { marker, resetShellOptions, shellHome, shellPath, testDaemonAlive } from "./command-parts.ts";

/** The environment variables passed to a daemon that a hook starts. */
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
 * Prints the project's digest, preferring the one for this session, then makes sure that the daemon runs.
 * Before the first session is recorded, a session without a digest gets a welcome message.
 */
export function digestCommand({ installer }: HookedAgent, name: string): string {
  const { sessionId, projectDir } = installer.variables;
  const isStart = name === "startup";
  return (
    `${marker(`give-${name}`, isStart ? 2 : 1)} { ${resetShellOptions} P=$PATH; ${shellPath} H=${shellHome}; case $H in /*) ;; *) H=$PWD/$H;; esac; ` +
    `${findProject(projectDir)}a=$H/context$a/${name}; for f in "$a-$${sessionId}.json" "$a.json"${isStart ? ' "$H/welcome.json"' : ""}; do ` +
    `if [ -f "$f" ] && [ -r "$f" ]; then cat "$f"; break; fi; done; ` +
    `${startDaemon}} 2>/dev/null; exit 0`
  );
}

/** Puts an absolute path into `$r` with its `.` and `..` resolved textually. */
const normalizePath =
  "n() { set -f; IFS=/; set -- $1; unset IFS; r=; for x; do " +
  `case $x in ''|.) ;; ..) r=\${r%/*};; *) r=$r/$x;; esac; done; }; `;

/**
 * Leaves in `$a` what src/capture/project-of.ts returns for the folder: digests are stored under it. A `.git`
 * file that points to a folder with a `commondir` is a worktree's; a submodule's has none.
 */
const findProject = (projectDir: string): string =>
  `${normalizePath}d="$${projectDir}"; case $d in /*) ;; *) d=$PWD;; esac; n "$d"; d=$r; a=$r; ` +
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

/** The child leaves the hook's session, folder, descriptors and environment: one that held stdout would
 *  stall `claude -p`. */
const startDaemon =
  `if [ "$HOOKLINE_AUTOSTART" != 0 ] && [ -f "$H/launch" ] && [ -x "$H/launch" ]; then ` +
  `${testDaemonAlive} || { { s=; command -v setsid >/dev/null && s=setsid; cd / && ` +
  `exec env -i ${passedEnv.join(" ")} $s "$H/launch"; } </dev/null >/dev/null 2>&1 & }; fi; `;
