import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import type { HooklineEvent } from "../../event/event.ts";
import type { KnownFacts, RepairReport } from "../log.ts";
import { quarantineSegment, readIntactLines } from "./damage.ts";
import { closedPath, type LogFiles, listSegments } from "./segments.ts";

const BATCH_EVENTS = 500;

type Append = (events: readonly HooklineEvent[]) => Promise<unknown>;

/**
 * Appends what a view knows of lost segments. The log stays the source of truth: a rebuild after one of its
 * files was deleted yields the same views as before.
 */
export async function restoreSegments(
  files: LogFiles,
  lost: readonly number[],
  known: KnownFacts,
  append: Append,
): Promise<number> {
  if (lost.length === 0) return 0;
  const active = listSegments(files).at(-1)!.number;
  let restored = 0;
  let events: HooklineEvent[] = [];
  for await (const fact of known.factsOf(lost)) {
    events.push(fact);
    restored++;
    if (events.length < BATCH_EVENTS) continue;
    await append(events);
    events = [];
  }
  await append(events);
  // The facts are in this part or a later one: rereading corrects those that a rotation moved on.
  await known.moveFacts(lost, active);
  // Leaves an empty file in its place, so that the repaired loss is not found again at the next start.
  for (const number of lost) {
    if (number >= active || existsSync(closedPath(files, number))) continue;
    closeSync(openSync(closedPath(files, number), "a", 0o600));
  }
  return restored;
}

interface RepairPorts {
  readonly lines: (lines: readonly string[]) => Promise<unknown>;
  readonly events: Append;
  readonly nowMs: () => number;
}

/** Repeatable, so a crash in between is harmless. Null if the segment is missing or intact by now. */
export async function repairSegment(
  files: LogFiles,
  number: number,
  wasRead: boolean,
  known: KnownFacts,
  ports: RepairPorts,
): Promise<RepairReport | null> {
  const segment = listSegments(files).find(
    (candidate) => candidate.number === number && candidate.kind === "compressed",
  );
  if (segment === undefined) return null;
  let restored = 0;
  for await (const lines of readIntactLines(segment.path)) {
    const unknown: string[] = [];
    for (const line of lines) if (!(await isKnownLine(known, line))) unknown.push(line);
    restored += unknown.length;
    await ports.lines(unknown);
  }
  restored += await restoreSegments(files, [number], known, ports.events);
  if (!wasRead)
    return { part: number, restored, quarantinedPath: quarantineSegment(segment.path, ports.nowMs()) };
  rmSync(segment.path, { force: true });
  return { part: number, restored, quarantinedPath: null };
}

async function isKnownLine(known: KnownFacts, line: string): Promise<boolean> {
  const id = /"id":"([^"\\]+)"/.exec(line)?.[1];
  return id !== undefined && (await known.hasFact(id));
}
