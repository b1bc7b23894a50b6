/** How long a session ran until a time, excluding gaps between an end and the next start. */
export function runDurationMs(
  // Daemons of earlier versions do not report `stoppedMs`.
  session: { readonly startedAtIso: string; readonly stoppedMs?: number },
  untilMs: number,
): number {
  return Math.max(0, untilMs - Date.parse(session.startedAtIso) - (session.stoppedMs ?? 0));
}
