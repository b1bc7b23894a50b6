import { existsSync } from "node:fs";
import type { LogDamage, LogReader } from "../log.ts";
import { findDamagedSegments, listQuarantinedSegments } from "./damage.ts";
import { type LogFiles, listSegments } from "./segments.ts";

export function inspectLogFiles(files: LogFiles): Awaited<ReturnType<LogReader["inspect"]>> {
  const segments = listSegments(files).filter(({ path }) => existsSync(path));
  const closed = segments.filter(({ kind }) => kind !== "active").map(({ number }) => number);
  return { parts: segments.length, missing: findGaps(closed).map(String) };
}

/** Reads every compressed segment. */
export async function findDamage(files: LogFiles): Promise<LogDamage> {
  const damaged = await findDamagedSegments(files);
  return { damaged: damaged.map(({ path }) => path), quarantined: await listQuarantinedSegments(files) };
}

/** Segments are numbered from 1 without a gap. */
export function findGaps(numbers: readonly number[]): number[] {
  const last = Math.max(0, ...numbers);
  return Array.from({ length: last }, (_, index) => index + 1).filter((number) => !numbers.includes(number));
}
