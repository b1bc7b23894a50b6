import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import type { Home } from "../home.ts";

export interface LaunchTarget {
  readonly nodePath: string;
  readonly entry: string;
}

/** Writes `launch`, which the SessionStart hook runs when the daemon is not alive. True when it changed. */
export async function writeLauncher(home: Home, target: LaunchTarget): Promise<boolean> {
  const text = launcherText(target);
  const old = await readFile(home.launcher, "utf8").catch(() => undefined);
  if (old === text) {
    await chmod(home.launcher, 0o700);
    return false;
  }
  const temporary = `${home.launcher}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode: 0o700 });
  await rename(temporary, home.launcher);
  return true;
}

/** `exec` of a path that is gone would exit 126 or 127; nobody looks, but nobody should. */
function launcherText({ nodePath, entry }: LaunchTarget): string {
  const [node, script] = [nodePath, entry].map(quote);
  return (
    "#!/bin/sh\n# Starts Hookline's daemon. Written by `hookline install`.\n" +
    `[ -x ${node} ] && [ -f ${script} ] || exit 0\nexec ${node} ${script} up --quiet\n`
  );
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
