import { createHash } from "node:crypto";
import { canonicalJson } from "../event/canonical.ts";
import type { NewEvent } from "../event/event.ts";

/** Recent permission requests, by the spool name of their hook, which may be about to ask for an answer. */
export interface SpooledRequests {
  note(name: string, events: readonly NewEvent[], payload: unknown): void;
  /** Only for the payload that was spooled under that name. */
  find(name: string, payload: unknown): string | undefined;
}

const MAX_REQUESTS = 1_000;

export function createSpooledRequests(): SpooledRequests {
  const requests = new Map<string, { readonly id: string; readonly payload: string }>();
  return {
    note(name, events, payload) {
      const request = events.find(
        ({ eventType, phase }) => eventType === "permission" && phase === "requested",
      );
      if (request === undefined) return;
      const [oldest] = requests.keys();
      if (requests.size >= MAX_REQUESTS && oldest !== undefined) requests.delete(oldest);
      requests.delete(name);
      const digest = digestOf(payload);
      if (digest !== null) requests.set(name, { id: request.id, payload: digest });
    },
    find(name, payload) {
      const spooled = requests.get(name);
      return spooled !== undefined && spooled.payload === digestOf(payload) ? spooled.id : undefined;
    },
  };
}

/** Null if the payload is nested too deeply for JSON. */
function digestOf(payload: unknown): string | null {
  try {
    return createHash("sha256").update(canonicalJson(payload)).digest("base64");
  } catch {
    return null;
  }
}
