import { fillText } from "./fill-text.ts";

/** ` (3 requests)` behind a count of sessions; nothing where each has one, and the number would be the same. */
export function moreRequests(
  { sessions, requests }: { readonly sessions: number; readonly requests: number },
  words: string,
): string {
  return requests > sessions ? ` (${fillText(words, { n: requests })})` : "";
}
