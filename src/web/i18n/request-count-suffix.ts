import { fillText } from "./fill-text.ts";

/** ` (3 requests)` after a count of sessions; empty if each session has one. */
export function requestCountSuffix(
  { sessions, requests }: { readonly sessions: number; readonly requests: number },
  template: string,
): string {
  return requests > sessions ? ` (${fillText(template, { n: requests })})` : "";
}
