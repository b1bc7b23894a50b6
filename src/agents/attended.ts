import { knownWords } from "./known-words.ts";

/** Whether a person sits before a session, by the environment of its start; null when that does not say. */
export function attendedOf(env: Readonly<Record<string, unknown>>): boolean | null {
  for (const words of knownWords) {
    const isAttended = words.isAttendedIn?.(env) ?? null;
    if (isAttended !== null) return isAttended;
  }
  return null;
}
