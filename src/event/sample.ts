/** The prefix of every sample's id. */
export const SAMPLE_PREFIX = "sample-";

/** A session loaded as sample data: it is shown, but excluded from all counts. */
export function isSampleSession(sessionId: string): boolean {
  return sessionId.startsWith(SAMPLE_PREFIX);
}
