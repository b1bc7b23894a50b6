/** How long a session has waited for a person in all, with the wait that lasts. */
export function waitedMs(
  session: {
    readonly attended: boolean | null;
    readonly humanWaitMs: number;
    readonly waiting: { readonly sinceIso: string } | null;
  },
  nowMs: number,
): number {
  // A run without a person waits for nobody, though a request of it may be held.
  if (session.waiting === null || session.attended === false) return session.humanWaitMs;
  return session.humanWaitMs + Math.max(0, nowMs - Date.parse(session.waiting.sinceIso));
}
