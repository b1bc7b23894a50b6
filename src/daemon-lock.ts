import { DatabaseSync } from "node:sqlite";

export interface DaemonLock {
  release(): void;
}

/** One daemon per home: an open exclusive transaction, which the kernel ends with the process. Null when taken. */
export function takeDaemonLock(path: string): DaemonLock | null {
  const db = new DatabaseSync(path);
  try {
    db.exec("PRAGMA busy_timeout = 0");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === 5) return null;
    throw error;
  }
  return { release: () => db.close() };
}
