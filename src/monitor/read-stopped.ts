import type { LifeMark, SessionView } from "./session-view.ts";

/** How long no process ran the session between its first beginning and its last: from each end to the next beginning. */
export function readStoppedMs({ lives }: Pick<SessionView, "lives">): number {
  const running = new Set<number>();
  let stoppedAt: string | null = null;
  let total = 0;
  for (const { pid, at, isEnd } of [...lives.values()].sort(inTime)) {
    if (isEnd) {
      running.delete(pid);
      if (running.size === 0) stoppedAt ??= at;
      continue;
    }
    running.add(pid);
    if (stoppedAt !== null) total += Date.parse(at) - Date.parse(stoppedAt);
    stoppedAt = null;
  }
  return total;
}

/** At one moment the end comes first: a session that is resumed there goes on. */
function inTime(a: LifeMark, b: LifeMark): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return Number(b.isEnd) - Number(a.isEnd);
}
