/** How long a session ran until a time: without the time between an end and the next beginning. */
export function ranMs(
  // A daemon of an earlier version does not tell how long it was stopped.
  session: { readonly startedAtIso: string; readonly stoppedMs?: number },
  untilMs: number,
): number {
  return Math.max(0, untilMs - Date.parse(session.startedAtIso) - (session.stoppedMs ?? 0));
}
