import { statSync } from "node:fs";
import { connect } from "node:net";
import type { Home } from "../home.ts";

/**
 * Whether a daemon answers on the home's socket. Asked by who has the lock, which then should be nobody: a lock can be
 * lost without a word (see `files/locked-files.ts`), or be removed with its file.
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

const LOOK_MS = 5_000;

/** Calls once, when the home that was ours has been removed, or another one stands in its place. */
export function watchHome({ lockFile }: Home, onLost: () => void, everyMs = LOOK_MS): { close(): void } {
  const idOf = (): string | null => {
    const found = statSync(lockFile, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  };
  const ours = idOf();
  const timer = setInterval(() => {
    try {
      if (idOf() === ours) return;
    } catch {
      // Cannot be looked at now.
      return;
    }
    clearInterval(timer);
    onLost();
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}
