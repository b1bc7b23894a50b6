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

/** Rereads the rules from their files: a pause must hold from the next event on, without a restart. */
export function followRecordingRules(configFile: string, pausesFile: string): MayRecord {
  let seen = "";
  let mayRecord: MayRecord = () => true;
  let isFresh = false;
  const look = (): void => {
    const now = `${stamp(configFile)} ${stamp(pausesFile)}`;
    if (now === seen) return;
    mayRecord = createMayRecord({ exclude: readExclude(configFile), pauses: readPauses(pausesFile) });
    seen = now;
  };
  return (place) => {
    // Checked once per synchronous burst of decisions.
    if (!isFresh) {
      look();
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

function stamp(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.ino} ${found.mtimeNs} ${found.size}`;
}
