import { readFileSync } from "node:fs";
import type { Env } from "../home.ts";
import type { World } from "../policy/request.ts";
import { giveUp } from "../policy/work.ts";
import { realWorld } from "./real-world.ts";

/** How long the list of mounts is cached. */
const MOUNTS_CACHE_MS = 5_000;
/** File systems that can hang, because they depend on another machine or process. */
const HANGING_FS_TYPES =
  /^(?:nfs\d?|cifs|smb\w*|smbfs|9p|afs|ceph|gfs2|glusterfs|lustre|autofs|fuse(?:\..*|blk)?|sshfs|davfs2?)$/;

/**
 * A view of the machine for the daemon's main thread, which must not block. Gives up on paths below a mount
 * that can hang; a worker thread, which can be terminated, judges those. Detects mounts on Linux only.
 */
export function localWorld(env: Env = process.env, mountsFile = "/proc/self/mountinfo"): World {
  const { home } = realWorld(env);
  let cachedMounts: readonly string[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  const hangingMounts = (): readonly string[] => {
    if (performance.now() - readAtMs > MOUNTS_CACHE_MS) {
      cachedMounts = readHangingMounts(mountsFile);
      readAtMs = performance.now();
    }
    return cachedMounts;
  };
  const world = (): World =>
    realWorld(env, (path) => {
      if (hangingMounts().some((mount) => path === mount || path.startsWith(`${mount}/`))) giveUp();
    });
  return { home, realPath: (path) => world().realPath(path), forRequest: () => world().forRequest!() };
}

function readHangingMounts(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const mount = before.split(" ")[4];
    return mount !== undefined && HANGING_FS_TYPES.test(after.split(" ")[0] ?? "")
      ? [unescapeMount(mount)]
      : [];
  });
}

/** Spaces in a mount's path are written as `\040`. */
function unescapeMount(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
