import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AgentId } from "../agents/hook-delivery.ts";
import type { AgentProcess, LivenessSource } from "../agents/liveness-source.ts";
import { isOwnDomain, isSameProcess } from "./processes.ts";

export interface SeenEntry extends AgentProcess {
  readonly provider: AgentId;
  readonly attended: boolean | null;
  readonly configDir: string;
  /** Null for a process of another machine or container that shares the folder: from here nobody can tell. */
  readonly alive: boolean | null;
}

/** The entries of an agent's registry as they were last read. */
export interface RegistryEntries {
  /** Reads one file. */
  read(path: string, configDir: string): void;
  /** Reads those files of a folder that may have changed. */
  scan(dir: string, configDir: string): void;
  /** Looks which processes live: one that was killed leaves its entry as it was. */
  probe(): void;
  /** The folder is not looked at any more. */
  leave(dir: string): void;
  /** All entries, when one has come, changed or gone since they were last taken; else null. */
  takeNews(): readonly SeenEntry[] | null;
}

export interface RegistryEntriesOptions {
  readonly provider: AgentId;
  readonly source: LivenessSource;
}

interface Known {
  readonly text: string;
  readonly entry: SeenEntry;
  /** Null when it must be read again whatever its times say. */
  readonly signature: string | null;
}

const MOST_TRIES = 3;
/** Two writes so close together may carry the same time. */
const SAME_TIME_MS = 50;

/** `onUnreadable`: an entry that is to be read again soon. */
export function createRegistryEntries(
  options: RegistryEntriesOptions,
  onUnreadable: (path: string) => void,
): RegistryEntries {
  const files = new Map<string, Known>();
  const tries = new Map<string, number>();
  let isNews = false;

  const retry = (path: string, before: Known | undefined): void => {
    if (before !== undefined) files.set(path, { ...before, signature: null });
    const count = (tries.get(path) ?? 0) + 1;
    tries.set(path, count);
    // After that the sweep tries.
    if (count <= MOST_TRIES) onUnreadable(path);
  };

  const read = (path: string, configDir: string): void => {
    const file = readEntry(path, configDir, options);
    const before = files.get(path);
    if (file === "unreadable") {
      retry(path, before);
      return;
    }
    tries.delete(path);
    if (file === "gone") isNews = files.delete(path) || isNews;
    else {
      files.set(path, file);
      isNews ||= before?.text !== file.text || before.entry.alive !== file.entry.alive;
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
      for (const [path, known] of files) {
        const alive = isLiving(known.entry);
        if (alive === known.entry.alive) continue;
        files.set(path, { ...known, entry: { ...known.entry, alive } });
        isNews = true;
      }
    },
    leave(dir) {
      for (const path of files.keys()) if (dirname(path) === dir) isNews = files.delete(path) || isNews;
    },
    takeNews() {
      if (!isNews) return null;
      isNews = false;
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
