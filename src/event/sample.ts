/** All of a sample is known by its beginning. */
export const SAMPLE_PREFIX = "sample-";

/** A session that was loaded to look around: it is shown, and counts in nothing. */
export function isSampleSession(sessionId: string): boolean {
  return sessionId.startsWith(SAMPLE_PREFIX);
}
