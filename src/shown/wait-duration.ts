/** Total time a session has waited for a person, including the current wait. */
export function waitDurationMs(
  session: {
    readonly attended: boolean | null;
    readonly humanWaitMs: number;
    readonly waiting: { readonly sinceIso: string } | null;
  },
  nowMs: number,
): number {
  // An unattended run waits for nobody, even while one of its requests is held.
  if (session.waiting === null || session.attended === false) return session.humanWaitMs;
  return session.humanWaitMs + Math.max(0, nowMs - Date.parse(session.waiting.sinceIso));
}
