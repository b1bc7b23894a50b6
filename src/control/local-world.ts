import { readFileSync } from "node:fs";
import type { Env } from "../home.ts";
import type { World } from "../policy/request.ts";
import { giveUp } from "../policy/work.ts";
import { realWorld } from "./real-world.ts";

/** How long the list of mounts is believed. */
const BELIEVED_MS = 5_000;
/** File systems that may not answer: a look at one waits for another machine, or for another program. */
const MAY_HANG =
  /^(?:nfs\d?|cifs|smb\w*|smbfs|9p|afs|ceph|gfs2|glusterfs|lustre|autofs|fuse(?:\..*|blk)?|sshfs|davfs2?)$/;

/**
 * The machine as the daemon's own thread may look at it: only at what answers at once. A path below a network mount
 * is given up, so that the request is judged in the thread that can be ended. Mounts are known on Linux alone.
 */
export function localWorld(env: Env = process.env, mountsFile = "/proc/self/mountinfo"): World {
  const { home } = realWorld(env);
  let slow: readonly string[] = [];
  let readMs = Number.NEGATIVE_INFINITY;
  const slowMounts = (): readonly string[] => {
    if (performance.now() - readMs > BELIEVED_MS) {
      slow = readSlowMounts(mountsFile);
      readMs = performance.now();
    }
    return slow;
  };
  const world = (): World =>
    realWorld(env, (path) => {
      if (slowMounts().some((mount) => path === mount || path.startsWith(`${mount}/`))) giveUp();
    });
  return { home, realPath: (path) => world().realPath(path), forRequest: () => world().forRequest!() };
}

function readSlowMounts(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const mount = before.split(" ")[4];
    return mount !== undefined && MAY_HANG.test(after.split(" ")[0] ?? "") ? [unescaped(mount)] : [];
  });
}

/** Blanks in a mount's path are written as `\040`. */
function unescaped(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
