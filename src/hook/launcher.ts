import { existsSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { compareVersions } from "../compare-versions.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import type { Home } from "../home.ts";
import { quoteWord } from "../shell/quote-word.ts";
import { VERSION } from "../version.ts";

export interface LaunchTarget {
  readonly nodePath: string;
  readonly entry: string;
}

/** After this many crashes in a row, hooks start the daemon at most once per back-off interval. */
const MAX_CRASHES = 3;
const BACK_OFF_MINUTES = 10;

/**
 * Writes `launch`, which the SessionStart hook runs if the daemon is not alive. One written by a newer
 * version stays as long as its target exists. Returns whether it changed.
 */
export async function writeLauncher(home: Home, target: LaunchTarget, version = VERSION): Promise<boolean> {
  const text = launcherText(home, target, version);
  const old = await readFile(home.launcher, "utf8").catch(() => undefined);
  if (old === text || (old !== undefined && isNewer(old, version))) {
    await chmod(home.launcher, 0o700);
    return false;
  }
  writeAtomically(home.launcher, text, 0o700);
  return true;
}

function isNewer(launcher: string, version: string): boolean {
  const written = /^# version (\S+)$/m.exec(launcher)?.[1] ?? "";
  if (compareVersions(written, version) <= 0) return false;
  const exec = /^exec ('(?:[^']|'\\'')*') ('(?:[^']|'\\'')*') /m.exec(launcher);
  return (exec?.slice(1) ?? ["''"]).every((word) => existsSync(unquote(word)));
}

/**
 * The check avoids `exec` of a missing path, which would exit 126 or 127. A daemon in a crash loop is not
 * started for a while; a time in the future, after the clock went back, counts as long ago.
 */
function launcherText(home: Home, { nodePath, entry }: LaunchTarget, version: string): string {
  const [node, script, crashes] = [nodePath, entry, home.crashedStarts].map(quoteWord);
  return (
    "#!/bin/sh\n# Starts Hookline's daemon. Written by `hookline install` and `hookline up`.\n" +
    `# version ${version}\n` +
    `[ -x ${node} ] && [ -f ${script} ] || exit 0\n` +
    `n=0; if [ -f ${crashes} ]; then while read -r _; do n=$((n+1)); done <${crashes}; fi 2>/dev/null\n` +
    `[ $n -lt ${MAX_CRASHES} ] || [ "$(find ${crashes} \\( -mmin +${BACK_OFF_MINUTES} -o -mmin -0 \\) 2>/dev/null)" ] || exit 0\n` +
    `exec ${node} ${script} up --quiet\n`
  );
}

function unquote(word: string): string {
  return word.slice(1, -1).replaceAll(`'\\''`, "'");
}
