import type { SessionGroup } from "../../shown/session-groups.ts";

/** In display order. */
export const SESSION_GROUPS = [
  "needYou",
  "busy",
  "parked",
  "idle",
  "done",
  "lost",
] as const satisfies readonly SessionGroup[];
