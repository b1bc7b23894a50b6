import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import type { HooklineEvent } from "../../event/event.ts";
import type { KnownFacts, RepairReport } from "../log.ts";
import { setDamagedAside, soundLines } from "./damage.ts";
import { closedPath, type LogFiles, listSegments } from "./segments.ts";

const EVENTS_AT_ONCE = 500;

type Append = (events: readonly HooklineEvent[]) => Promise<unknown>;

/**
 * Appends what a view knows of lost segments. The log stays the truth: a rebuild after somebody deleted a file of it
 * gives the same views as before.
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
    if (events.length < EVENTS_AT_ONCE) continue;
    await append(events);
    events = [];
  }
  await append(events);
  // From here on, that is: reading them again tells which of them a rotation meanwhile carried further.
  await known.moveFacts(lost, active);
  // An empty file in its place: the loss has been made good and is not found again at the next start.
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

/** Can be repeated, so a crash in between costs nothing. Null when the segment is gone or sound by now. */
export async function repairSegment(
  files: LogFiles,
  number: number,
  wasRead: boolean,
  known: KnownFacts,
  ports: RepairPorts,
): Promise<RepairReport | null> {
  const segment = listSegments(files).find((one) => one.number === number && one.kind === "compressed");
  if (segment === undefined) return null;
  let restored = 0;
  for await (const lines of soundLines(segment.path)) {
    const unknown: string[] = [];
    for (const line of lines) if (!(await isKnown(known, line))) unknown.push(line);
    restored += unknown.length;
    await ports.lines(unknown);
  }
  restored += await restoreSegments(files, [number], known, ports.events);
  if (!wasRead) return { part: number, restored, aside: setDamagedAside(segment.path, ports.nowMs()) };
  rmSync(segment.path, { force: true });
  return { part: number, restored, aside: null };
}

async function isKnown(known: KnownFacts, line: string): Promise<boolean> {
  const id = /"id":"([^"\\]+)"/.exec(line)?.[1];
  return id !== undefined && (await known.hasFact(id));
}
