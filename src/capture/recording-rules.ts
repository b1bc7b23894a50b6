import { readFileSync, statSync } from "node:fs";
import picomatch from "picomatch";
import { z } from "zod";
import { type Pause, readPauses } from "./pauses.ts";

interface RecordingRules {
  readonly exclude: readonly string[];
  readonly pauses: readonly Pause[];
}

/** Whether an event at that time and location may be recorded. */
export type MayRecord = (place: {
  projectPath: string | null;
  cwd: string | null;
  occurredAtIso: string;
}) => boolean;

/** A glob names a folder, and matches everything below it too. */
export function createFolderMatcher(globs: readonly string[]): (folder: string) => boolean {
  const patterns = globs.flatMap((glob) => [glob, `${glob.replace(/\/+$/, "")}/**`]);
  return patterns.length === 0 ? () => false : picomatch(patterns, { dot: true });
}

function createMayRecord(rules: RecordingRules): MayRecord {
  const isExcluded = createFolderMatcher(rules.exclude);
  return ({ projectPath, cwd, occurredAtIso }) => {
    const places = [projectPath, cwd].filter((place) => place !== null);
    if (places.some((place) => isExcluded(place))) return false;
    return !rules.pauses.some(
      (pause) =>
        pause.from <= occurredAtIso &&
        (pause.until === null || occurredAtIso < pause.until) &&
        (pause.project === null ||
          places.some((place) => place === pause.project || place.startsWith(`${pause.project}/`))),
    );
  };
}

/**
 * Rereads the rules when their files change, so that a pause applies from the next event on without a
 * restart.
 */
export function followRecordingRules(configFile: string, pausesFile: string): MayRecord {
  let loadedStamps = "";
  let mayRecord: MayRecord = () => true;
  let isFresh = false;
  const reloadIfChanged = (): void => {
    const stamps = `${fileStamp(configFile)} ${fileStamp(pausesFile)}`;
    if (stamps === loadedStamps) return;
    mayRecord = createMayRecord({ exclude: readExclude(configFile), pauses: readPauses(pausesFile) });
    loadedStamps = stamps;
  };
  return (place) => {
    // Checked once per synchronous burst of decisions.
    if (!isFresh) {
      reloadIfChanged();
      isFresh = true;
      setImmediate(() => {
        isFresh = false;
      });
    }
    return mayRecord(place);
  };
}

function readExclude(path: string): string[] {
  const parsed = z.looseObject({ exclude: z.array(z.string()).default([]) }).safeParse(readJson(path));
  return parsed.success ? parsed.data.exclude : [];
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function fileStamp(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}
