import { type FSWatcher, statSync, watch } from "node:fs";

export interface FolderWatch {
  close(): void;
}

/**
 * Calls `onChange` when something in a folder may have changed, without saying what. The folder may be missing,
 * removed and created again. The sweep finds what kernel notifications miss, as on network file systems.
 */
export function watchFolder(dir: string, onChange: () => void, sweepMs: number): FolderWatch {
  let watcher: FSWatcher | null = null;
  let watchedInode: bigint | null = null;

  const watchCurrentFolder = (): void => {
    const inode = statSync(dir, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
    if (inode === watchedInode) return;
    watcher?.close();
    watcher = null;
    watchedInode = null;
    if (inode === null) return;
    try {
      watcher = watch(dir, { persistent: false }, onChange);
      watcher.on("error", () => {
        watchedInode = null;
      });
      watchedInode = inode;
    } catch {
      // Out of inotify watches: the sweep still finds every file, later.
    }
  };

  watchCurrentFolder();
  const timer = setInterval(() => {
    watchCurrentFolder();
    onChange();
  }, sweepMs);
  return {
    close() {
      clearInterval(timer);
      watcher?.close();
    },
  };
}
