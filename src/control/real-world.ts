import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "../home.ts";
import type { World } from "../policy/request.ts";

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** The machine as the policy may see it. */
export function realWorld(env: Env = process.env): World {
  return { home: env["HOME"] || homedir(), realPath: (path) => realPath(resolve(path), MOST_LINKS) };
}

function realPath(path: string, linksLeft: number): string {
  const rest: string[] = [];
  for (let dir = path; ; dir = dirname(dir)) {
    const real = resolved(dir);
    if (real !== null) return join(real, ...rest);
    const target = linkTarget(dir);
    // A link to what is not there yet: a write through it makes the file there.
    if (target !== null)
      return linksLeft === 0 ? path : realPath(join(resolve(dirname(dir), target), ...rest), linksLeft - 1);
    if (dir === dirname(dir)) return path;
    rest.unshift(basename(dir));
  }
}

function resolved(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
