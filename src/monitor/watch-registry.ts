import { dirname, join } from "node:path";
import { watchFolders } from "../capture/watch-folders.ts";
import {
  createRegistryEntries,
  type RegistryEntriesOptions,
  type RegistryEntry,
  registryFiles,
} from "./registry-entries.ts";

export type { RegistryEntry } from "./registry-entries.ts";

export interface RegistryWatchOptions extends RegistryEntriesOptions {
  /** Evaluated at each sweep. */
  readonly configDirs: () => readonly string[];
  /** All entries, whenever one was added, changed, removed, or lost its process. */
  readonly onEntries: (entries: readonly RegistryEntry[]) => void;
  readonly onError?: (error: unknown) => void;
  readonly sweepMs?: number;
}

export interface RegistryWatch {
  /** Checks everything now. */
  refresh(): void;
  close(): void;
}

const SWEEP_MS = 2_000;
const DEBOUNCE_MS = 5;
/** Entries are written in place: a reader may see one empty. */
const RETRY_MS = 15;

/** Watches an agent's list of its own processes. */
export function watchRegistry(options: RegistryWatchOptions): RegistryWatch {
  const { source } = options;
  /** Maps each watched folder to its config folder. */
  const dirs = new Map<string, string>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  const entries = createRegistryEntries(options, (path) => {
    changed.add(path);
    schedule(RETRY_MS);
  });

  const schedule = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = null;
      const paths = [...changed];
      changed.clear();
      for (const path of paths) entries.read(path, dirs.get(dirname(path)) ?? "");
      emit();
    }, ms);
  };

  const emit = (): void => {
    const changedEntries = entries.takeIfChanged();
    if (changedEntries !== null) options.onEntries(changedEntries);
  };

  const folders = watchFolders({
    onChange: (dir, name) => {
      if (name !== null && source.pidOf(name) === null) return;
      for (const path of name === null ? registryFiles(source, dir) : [join(dir, name)]) changed.add(path);
      schedule(DEBOUNCE_MS);
    },
    onError: (error) => options.onError?.(error),
  });

  const refresh = (): void => {
    const foldersNow = new Map(
      options.configDirs().map((configDir) => [source.folder(configDir), configDir]),
    );
    for (const dir of foldersNow.keys()) if (!dirs.has(dir)) folders.add(dir);
    for (const dir of dirs.keys()) if (!foldersNow.has(dir)) removeFolder(dir);
    for (const [dir, configDir] of foldersNow) dirs.set(dir, configDir);
    folders.recheck();
    for (const [dir, configDir] of dirs) entries.scan(dir, configDir);
    entries.probe();
    emit();
  };

  const removeFolder = (dir: string): void => {
    folders.remove(dir);
    dirs.delete(dir);
    entries.removeFolder(dir);
  };

  refresh();
  const sweep = setInterval(refresh, options.sweepMs ?? SWEEP_MS).unref();
  return {
    refresh,
    close() {
      clearInterval(sweep);
      if (timer !== null) clearTimeout(timer);
      folders.close();
    },
  };
}
