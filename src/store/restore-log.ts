import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { toLine } from "../event/line.ts";
import { setDamagedAside, soundLines } from "../log/damage.ts";
import { isSameFile } from "../log/file-identity.ts";
import type { OwnLog } from "../log/own-log.ts";
import { closedPath, type LogFiles, type LogPosition, listSegments } from "../log/segments.ts";
import type { Store } from "./store.ts";

const LINES = 500;

/** Segments that the store has read and that are no longer there as they were. */
export function lostSegments(log: LogFiles, store: Store): number[] {
  const segments = listSegments(log);
  const present = new Set(
    segments.filter((segment) => segment.kind !== "active").map((segment) => segment.number),
  );
  const active = segments.at(-1)!;
  const saved = store.position();
  const lost: number[] = [];
  for (let number = 1; number < Math.max(active.number, saved.segment); number++) {
    if (!present.has(number)) lost.push(number);
  }
  if (saved.segment >= active.number && saved.offset > 0) {
    if (saved.segment > active.number || !isSameFile(active.path, saved.identity, saved.offset)) {
      lost.push(saved.segment);
    }
  }
  // The writer may have rotated between our two looks: then the file that we missed has another name.
  if (lost.length > 0 && listSegments(log).length !== segments.length) return lostSegments(log, store);
  return [...new Set(lost)];
}

/**
 * Writes what a lost part of the log told back into it, from the store. The log stays the truth: a rebuild
 * after somebody deleted a file of it gives the same views as before.
 */
async function restoreLost(
  log: LogFiles,
  store: Store,
  lost: readonly number[],
  append: (lines: readonly string[]) => Promise<void>,
): Promise<number> {
  if (lost.length === 0) return 0;
  const active = listSegments(log).at(-1)!.number;
  let restored = 0;
  let lines: string[] = [];
  for (const fact of store.factsOf(lost)) {
    lines.push(toLine(fact));
    restored++;
    if (lines.length < LINES) continue;
    await append(lines);
    lines = [];
  }
  await append(lines);
  // From here on, that is: reading them again tells which of them a rotation meanwhile carried further.
  store.moveFacts(lost, active);
  // An empty file in its place: the loss has been made good and is not found again at the next start.
  for (const number of lost) {
    if (number >= active || existsSync(closedPath(log, number))) continue;
    closeSync(openSync(closedPath(log, number), "a", 0o600));
  }
  return restored;
}

export interface MendReport {
  readonly restored: number;
  readonly unread: number;
  /** Where views have to read again; undefined when their position still holds. */
  readonly from: LogPosition | undefined;
}

/** Makes the log whole again: what the store knows of the lost segments, and what nobody had read of them. */
export async function mendLog(
  own: OwnLog,
  store: Store,
  missing: readonly number[],
): Promise<MendReport | null> {
  const cut = own.takeCut();
  const lost = [...new Set([...missing, ...cut])];
  if (lost.length === 0) return null;
  // Where the saved position points is another file now, or has another number: what may be unread begins
  // with the first segment that was cut, or with the active one of this moment.
  const first = Math.min(...cut, listSegments(own.files).at(-1)!.number);
  const from = store.position().segment < first ? undefined : { segment: first, offset: 0 };
  try {
    const unread = await own.appendUnread();
    const restored = await restoreLost(own.files, store, lost, own.append);
    return { restored, unread, from };
  } catch (error) {
    own.giveBackCut(lost);
    throw error;
  }
}

export interface DamageReport {
  readonly segment: number;
  /** From the database, or from the frames that are sound. */
  readonly restored: number;
  /** The damaged file, where something of it may be lost; null when the database had read all of it. */
  readonly aside: string | null;
}

/**
 * Takes a damaged segment out of the log and appends what is known of it: from the store, and of what the store had
 * not read yet the lines of sound frames. Can be repeated, so a crash in between costs nothing.
 */
export async function mendDamaged(
  own: OwnLog,
  store: Store,
  number: number,
  nowMs: number,
): Promise<DamageReport | null> {
  const segment = listSegments(own.files).find((one) => one.number === number && one.kind === "compressed");
  if (segment === undefined) return null;
  const wasRead = store.position().segment > number;
  let restored = 0;
  for await (const lines of soundLines(segment.path)) {
    const unknown = lines.filter((line) => !isKnown(store, line));
    restored += unknown.length;
    await own.append(unknown);
  }
  restored += await restoreLost(own.files, store, [number], own.append);
  if (!wasRead) return { segment: number, restored, aside: setDamagedAside(segment.path, nowMs) };
  rmSync(segment.path, { force: true });
  return { segment: number, restored, aside: null };
}

function isKnown(store: Store, line: string): boolean {
  const id = /"id":"([^"\\]+)"/.exec(line)?.[1];
  return id !== undefined && store.hasFact(id);
}
