import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";

/** Why a path is not an inbox that only its owner can have created; null if it is one. */
export function whyUnsafe(path: string, uid: number | undefined): string | null {
  const socket = lstatSync(path, { throwIfNoEntry: false });
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  if (socket === undefined || folder === undefined) return "its inbox is not there";
  if (!socket.isSocket() || !folder.isDirectory()) return "its inbox is no socket";
  for (const stats of [socket, folder]) {
    if (uid !== undefined && stats.uid !== uid) return "its inbox belongs to somebody else";
    if ((stats.mode & 0o077) !== 0) return "its inbox is open to others";
  }
  return null;
}

/** Writes one line and waits until the other side has received it. The inbox never replies. */
export function writeLine(path: string, value: object, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const timer = setTimeout(
      () => socket.destroy(new Error("it did not take the message in time")),
      timeoutMs,
    );
    socket.on("error", reject);
    socket.on("close", (hadError) => {
      clearTimeout(timer);
      if (!hadError) resolve();
    });
    socket.on("connect", () => socket.end(`${JSON.stringify(value)}\n`));
    // We only write; anything that comes back is discarded.
    socket.resume();
  });
}
