import { existsSync } from "node:fs";
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { compareVersions } from "../compare-versions.ts";
import type { Home } from "../home.ts";
import { VERSION } from "../version.ts";

export interface LaunchTarget {
  readonly nodePath: string;
  readonly entry: string;
}

/** So many short lives in a row, and hooks start the daemon at most every so many minutes. */
const SHORT_LIVES = 3;
const BACK_OFF_MINUTES = 10;

/**
 * Writes `launch`, which the SessionStart hook runs when the daemon is not alive. One that a newer version
 * wrote stays while what it starts is there. True when it changed.
 */
export async function writeLauncher(home: Home, target: LaunchTarget, version = VERSION): Promise<boolean> {
  const text = launcherText(home, target, version);
  const old = await readFile(home.launcher, "utf8").catch(() => undefined);
  if (old === text || (old !== undefined && isNewer(old, version))) {
    await chmod(home.launcher, 0o700);
    return false;
  }
  const temporary = `${home.launcher}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode: 0o700 });
  await rename(temporary, home.launcher);
  return true;
}

function isNewer(launcher: string, version: string): boolean {
  const written = /^# version (\S+)$/m.exec(launcher)?.[1] ?? "";
  if (compareVersions(written, version) <= 0) return false;
  const exec = /^exec ('(?:[^']|'\\'')*') ('(?:[^']|'\\'')*') /m.exec(launcher);
  return (exec?.slice(1) ?? ["''"]).every((word) => existsSync(unquote(word)));
}

/**
 * `exec` of a path that is gone would exit 126 or 127; nobody looks, but nobody should. A daemon that dies
 * again and again is left alone for a while; a time in the future, after the clock went back, counts as long ago.
 */
function launcherText(home: Home, { nodePath, entry }: LaunchTarget, version: string): string {
  const [node, script, lives] = [nodePath, entry, home.shortLives].map(quote);
  return (
    "#!/bin/sh\n# Starts Hookline's daemon. Written by `hookline install` and `hookline up`.\n" +
    `# version ${version}\n` +
    `[ -x ${node} ] && [ -f ${script} ] || exit 0\n` +
    `n=0; if [ -f ${lives} ]; then while read -r _; do n=$((n+1)); done <${lives}; fi 2>/dev/null\n` +
    `[ $n -lt ${SHORT_LIVES} ] || [ "$(find ${lives} \\( -mmin +${BACK_OFF_MINUTES} -o -mmin -0 \\) 2>/dev/null)" ] || exit 0\n` +
    `exec ${node} ${script} up --quiet\n`
  );
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function unquote(word: string): string {
  return word.slice(1, -1).replaceAll(`'\\''`, "'");
}
