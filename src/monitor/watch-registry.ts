import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentId } from "../agents/hook-delivery.ts";
import type { AgentProcess, LivenessSource } from "../agents/liveness-source.ts";
import { watchFolders } from "../capture/watch-folders.ts";
import { isOwnDomain, isSameProcess } from "./processes.ts";

export interface SeenEntry extends AgentProcess {
  readonly provider: AgentId;
  readonly attended: boolean | null;
  readonly configDir: string;
  /** Null for a process of another machine or container that shares the folder: from here nobody can tell. */
  readonly alive: boolean | null;
}

export interface RegistryWatchOptions {
  readonly provider: AgentId;
  readonly source: LivenessSource;
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

interface Known {
  readonly text: string;
  readonly entry: SeenEntry;
  /** Null when it must be read again whatever its times say. */
  readonly signature: string | null;
}

const SWEEP_MS = 2_000;
const GATHER_MS = 5;
/** The entry is written in place: a reader may meet it empty. */
const AGAIN_MS = 15;
const MOST_TRIES = 3;
/** Two writes so close together may carry the same time. */
const SAME_TIME_MS = 50;

/** Reads an agent's list of its own processes as it changes. */
export function watchRegistry(options: RegistryWatchOptions): RegistryWatch {
  const { source } = options;
  const files = new Map<string, Known>();
  /** The config folder of each folder that is watched. */
  const dirs = new Map<string, string>();
  const changed = new Set<string>();
  const tries = new Map<string, number>();
  let isNews = false;
  let timer: NodeJS.Timeout | null = null;

  const soon = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = null;
      const paths = [...changed];
      changed.clear();
      for (const path of paths) read(path);
      tell();
    }, ms);
  };

  const read = (path: string): void => {
    const file = readEntry(path, dirs.get(dirname(path)) ?? "", options);
    const before = files.get(path);
    if (file === "gone") {
      tries.delete(path);
      isNews = files.delete(path) || isNews;
    } else if (file === "unreadable") {
      if (before !== undefined) files.set(path, { ...before, signature: null });
      const count = (tries.get(path) ?? 0) + 1;
      tries.set(path, count);
      // After that the sweep tries.
      if (count > MOST_TRIES) return;
      changed.add(path);
      soon(AGAIN_MS);
    } else {
      tries.delete(path);
      files.set(path, file);
      isNews ||= before?.text !== file.text || before.entry.alive !== file.entry.alive;
    }
  };

  const scan = (dir: string): void => {
    const paths = new Set(registryFiles(source, dir));
    for (const path of paths) {
      const signature = files.get(path)?.signature ?? null;
      if (signature === null || signatureOf(path) !== signature) read(path);
    }
    for (const path of files.keys()) if (dirname(path) === dir && !paths.has(path)) read(path);
  };

  /** A process that was killed leaves its entry as it was. */
  const probe = (): void => {
    for (const [path, known] of files) {
      const alive = isLiving(known.entry);
      if (alive === known.entry.alive) continue;
      files.set(path, { ...known, entry: { ...known.entry, alive } });
      isNews = true;
    }
  };

  const tell = (): void => {
    if (!isNews) return;
    isNews = false;
    options.onEntries([...files.values()].map(({ entry }) => entry));
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
    for (const dir of dirs.keys()) scan(dir);
    probe();
    tell();
  };

  const leave = (dir: string): void => {
    folders.remove(dir);
    dirs.delete(dir);
    for (const path of files.keys()) if (dirname(path) === dir) isNews = files.delete(path) || isNews;
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

export function registryFiles(source: LivenessSource, dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => source.pidOf(name) !== null)
      .map((name) => join(dir, name));
  } catch {
    return [];
  }
}

function readEntry(
  path: string,
  configDir: string,
  { provider, source }: RegistryWatchOptions,
): Known | "gone" | "unreadable" {
  try {
    // Before the text: a change in between shows as another signature.
    const signature = signatureOf(path);
    const text = readFileSync(path, "utf8");
    const entry = source.parse(text);
    if (entry === null || source.pidOf(basename(path)) !== entry.pid) return "unreadable";
    const attended = source.isAttended(entry);
    const seen = { ...entry, provider, attended, configDir, alive: isLiving(entry) };
    return { text, entry: seen, signature };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : "unreadable";
  }
}

/** Null for one so fresh that another change could look the same. */
function signatureOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || Date.now() - Number(found.mtimeMs) < SAME_TIME_MS) return null;
  return `${found.ino} ${found.size} ${found.mtimeNs}`;
}

function isLiving(entry: AgentProcess): boolean | null {
  return isOwnDomain(entry.pidDomain) ? isSameProcess(entry.pid, entry.procStart) : null;
}
