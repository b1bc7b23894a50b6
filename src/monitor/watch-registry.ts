import { dirname, join } from "node:path";
import { watchFolders } from "../capture/watch-folders.ts";
import {
  createRegistryEntries,
  type RegistryEntriesOptions,
  registryFiles,
  type SeenEntry,
} from "./registry-entries.ts";

export type { SeenEntry } from "./registry-entries.ts";

export interface RegistryWatchOptions extends RegistryEntriesOptions {
  /** Asked again at each sweep. */
  readonly configDirs: () => readonly string[];
  /** All entries there are, whenever one has come, changed, gone, or lost its process. */
  readonly onEntries: (entries: readonly SeenEntry[]) => void;
  readonly onTrouble?: (error: unknown) => void;
  readonly sweepMs?: number;
}

export interface RegistryWatch {
  /** Looks at everything now. */
  refresh(): void;
  close(): void;
}

const SWEEP_MS = 2_000;
const GATHER_MS = 5;
/** The entry is written in place: a reader may meet it empty. */
const AGAIN_MS = 15;

/** Reads an agent's list of its own processes as it changes. */
export function watchRegistry(options: RegistryWatchOptions): RegistryWatch {
  const { source } = options;
  /** The config folder of each folder that is watched. */
  const dirs = new Map<string, string>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  const entries = createRegistryEntries(options, (path) => {
    changed.add(path);
    soon(AGAIN_MS);
  });

  const soon = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = null;
      const paths = [...changed];
      changed.clear();
      for (const path of paths) entries.read(path, dirs.get(dirname(path)) ?? "");
      tell();
    }, ms);
  };

  const tell = (): void => {
    const news = entries.takeNews();
    if (news !== null) options.onEntries(news);
  };

  const folders = watchFolders({
    onChange: (dir, name) => {
      if (name !== null && source.pidOf(name) === null) return;
      for (const path of name === null ? registryFiles(source, dir) : [join(dir, name)]) changed.add(path);
      soon(GATHER_MS);
    },
    onTrouble: (error) => options.onTrouble?.(error),
  });

  const refresh = (): void => {
    const wanted = new Map(options.configDirs().map((configDir) => [source.folder(configDir), configDir]));
    for (const dir of wanted.keys()) if (!dirs.has(dir)) folders.add(dir);
    for (const dir of dirs.keys()) if (!wanted.has(dir)) leave(dir);
    for (const [dir, configDir] of wanted) dirs.set(dir, configDir);
    folders.renew();
    for (const [dir, configDir] of dirs) entries.scan(dir, configDir);
    entries.probe();
    tell();
  };

  const leave = (dir: string): void => {
    folders.remove(dir);
    dirs.delete(dir);
    entries.leave(dir);
  };

  refresh();
  const sweeping = setInterval(refresh, options.sweepMs ?? SWEEP_MS).unref();
  return {
    refresh,
    close() {
      clearInterval(sweeping);
      if (timer !== null) clearTimeout(timer);
      folders.close();
    },
  };
}
