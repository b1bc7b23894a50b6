import { statSync } from "node:fs";
import { connect } from "node:net";
import type { Home } from "../home.ts";

/**
 * Whether a daemon answers on the home's socket. Checked after claiming the lock: none should answer then,
 * but a lock can be lost silently (see `files/locked-files.ts`) or removed with its file.
 */
export function isDaemonAnswering({ sock }: Home): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(sock);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** The home as it was when its lock was claimed. */
export interface AcquiredHome {
  /** Checks now. Call it before writing by path: a removed home must not be recreated. */
  isOurs(): boolean;
  /** Resolves when the home was removed or replaced. */
  readonly lost: Promise<void>;
  close(): void;
}

const CHECK_INTERVAL_MS = 1_000;

/** Must be called right after the lock is claimed. */
export function watchAcquiredHome({ lockFile }: Home): AcquiredHome {
  const lost = Promise.withResolvers<void>();
  const ourId = idOf(lockFile);
  let isLost = false;
  const isOurs = (): boolean => {
    if (isLost) return false;
    const currentId = idOf(lockFile);
    // While it cannot be checked, it counts as ours.
    if (currentId === undefined || currentId === ourId) return true;
    isLost = true;
    lost.resolve();
    return false;
  };
  const timer = setInterval(isOurs, CHECK_INTERVAL_MS).unref();
  return { isOurs, lost: lost.promise, close: () => clearInterval(timer) };
}

function idOf(path: string): string | null | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined;
  }
}
