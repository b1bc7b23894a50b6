import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentId } from "../agents/hook-delivery.ts";
import type { AgentProcess, LivenessSource } from "../agents/liveness-source.ts";
import { isOwnDomain, isSameProcess } from "./processes.ts";

export interface RegistryEntry extends AgentProcess {
  readonly provider: AgentId;
  readonly attended: boolean | null;
  readonly configDir: string;
  /** Null for a process of another machine or container that shares the folder: not checkable from here. */
  readonly alive: boolean | null;
}

/** The entries of an agent's registry as last read. */
export interface RegistryEntries {
  /** Reads one file. */
  read(path: string, configDir: string): void;
  /** Reads the files of a folder that may have changed. */
  scan(dir: string, configDir: string): void;
  /** Checks which processes are alive: one that was killed leaves its entry unchanged. */
  probe(): void;
  /** Stops watching the folder. */
  removeFolder(dir: string): void;
  /** All entries, if any was added, changed or removed since the last call; else null. */
  takeIfChanged(): readonly RegistryEntry[] | null;
}

export interface RegistryEntriesOptions {
  readonly provider: AgentId;
  readonly source: LivenessSource;
}

interface CachedEntry {
  readonly text: string;
  readonly entry: RegistryEntry;
  /** Null if the file must be read again regardless of its times. */
  readonly signature: string | null;
}

const MAX_RETRIES = 3;
/** Two writes this close together may have the same time. */
const MTIME_RESOLUTION_MS = 50;

/** `onUnreadable`: an entry that should be read again soon. */
export function createRegistryEntries(
  options: RegistryEntriesOptions,
  onUnreadable: (path: string) => void,
): RegistryEntries {
  const files = new Map<string, CachedEntry>();
  const tries = new Map<string, number>();
  let hasChanged = false;

  const retry = (path: string, previous: CachedEntry | undefined): void => {
    if (previous !== undefined) files.set(path, { ...previous, signature: null });
    const count = (tries.get(path) ?? 0) + 1;
    tries.set(path, count);
    // Beyond that, the next sweep retries.
    if (count <= MAX_RETRIES) onUnreadable(path);
  };

  const read = (path: string, configDir: string): void => {
    const file = readEntry(path, configDir, options);
    const previous = files.get(path);
    if (file === "unreadable") {
      retry(path, previous);
      return;
    }
    tries.delete(path);
    if (file === "gone") hasChanged = files.delete(path) || hasChanged;
    else {
      files.set(path, file);
      hasChanged ||= previous?.text !== file.text || previous.entry.alive !== file.entry.alive;
    }
  };

  return {
    read,
    scan(dir, configDir) {
      const paths = new Set(registryFiles(options.source, dir));
      for (const path of paths) {
        const signature = files.get(path)?.signature ?? null;
        if (signature === null || signatureOf(path) !== signature) read(path, configDir);
      }
      for (const path of files.keys()) if (dirname(path) === dir && !paths.has(path)) read(path, configDir);
    },
    probe() {
      for (const [path, cached] of files) {
        const alive = isEntryAlive(cached.entry);
        if (alive === cached.entry.alive) continue;
        files.set(path, { ...cached, entry: { ...cached.entry, alive } });
        hasChanged = true;
      }
    },
    removeFolder(dir) {
      for (const path of files.keys())
        if (dirname(path) === dir) hasChanged = files.delete(path) || hasChanged;
    },
    takeIfChanged() {
      if (!hasChanged) return null;
      hasChanged = false;
      return [...files.values()].map(({ entry }) => entry);
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
  { provider, source }: RegistryEntriesOptions,
): CachedEntry | "gone" | "unreadable" {
  try {
    // Taken before the text, so that a change in between shows as another signature.
    const signature = signatureOf(path);
    const text = readFileSync(path, "utf8");
    const entry = source.parse(text);
    if (entry === null || source.pidOf(basename(path)) !== entry.pid) return "unreadable";
    const attended = source.isAttended(entry);
    const listed = { ...entry, provider, attended, configDir, alive: isEntryAlive(entry) };
    return { text, entry: listed, signature };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : "unreadable";
  }
}

/** Null for a file so fresh that another change could look the same. */
function signatureOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || Date.now() - Number(stats.mtimeMs) < MTIME_RESOLUTION_MS) return null;
  return `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

function isEntryAlive(entry: AgentProcess): boolean | null {
  return isOwnDomain(entry.pidDomain) ? isSameProcess(entry.pid, entry.procStart) : null;
}
