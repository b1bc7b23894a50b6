import type { SessionGroup } from "../../shown/session-groups.ts";

/** In the order in which they are offered. */
export const GROUPS = [
  "needYou",
  "busy",
  "parked",
  "idle",
  "done",
  "lost",
] as const satisfies readonly SessionGroup[];
