import type { ProcessTransition, SessionView } from "./session-view.ts";

/** How long no process ran the session between its first and last start: from each end to the next start. */
export function readStoppedMs({ processTransitions }: Pick<SessionView, "processTransitions">): number {
  const running = new Set<number>();
  let stoppedAt: string | null = null;
  let total = 0;
  for (const { pid, at, isEnd } of [...processTransitions.values()].sort(byTime)) {
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

/** At equal times the end comes first: a session resumed at that time continues. */
function byTime(a: ProcessTransition, b: ProcessTransition): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return Number(b.isEnd) - Number(a.isEnd);
}
