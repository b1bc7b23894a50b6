import { fillText } from "./fill-text.ts";

/** ` (3 requests)` after a count of sessions; empty if each has one, because the number would be the same. */
export function requestCountSuffix(
  { sessions, requests }: { readonly sessions: number; readonly requests: number },
  template: string,
): string {
  return requests > sessions ? ` (${fillText(template, { n: requests })})` : "";
}
