import { statSync } from "node:fs";
import { connect } from "node:net";
import type { Home } from "../home.ts";

/**
 * Whether a daemon answers on the home's socket. Whoever has just got the lock asks: nobody should answer then, but a
 * lock can be lost without a word (see `files/locked-files.ts`), or be removed with its file.
 */
export function isAnswered({ sock }: Home): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(sock);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** The home as it was when it was taken. */
export interface TakenHome {
  /** Looks now. Whoever writes by path asks first: what was removed must not come back. */
  isOurs(): boolean;
  /** Resolves when the home has been removed, or another one stands in its place. */
  readonly lost: Promise<void>;
  close(): void;
}

const LOOK_MS = 1_000;

/** To be called right after the lock was taken. */
export function watchTakenHome({ lockFile }: Home): TakenHome {
  const lost = Promise.withResolvers<void>();
  const ours = idOf(lockFile);
  let isLost = false;
  const isOurs = (): boolean => {
    if (isLost) return false;
    const now = idOf(lockFile);
    // While it cannot be looked at, it counts as ours.
    if (now === undefined || now === ours) return true;
    isLost = true;
    lost.resolve();
    return false;
  };
  const timer = setInterval(isOurs, LOOK_MS).unref();
  return { isOurs, lost: lost.promise, close: () => clearInterval(timer) };
}

function idOf(path: string): string | null | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  } catch {
    return undefined;
  }
}
