import { setTimeout } from "node:timers/promises";
import { SessionSnapshot, StreamCards, StreamGap, StreamPatch, StreamReset } from "../serve/contract.ts";
import { readStream } from "./read-stream.ts";
import type { SseMessage } from "./sse-reader.ts";

export type StreamMessage =
  | { readonly type: "reset"; readonly sessions: readonly SessionSnapshot[] }
  | { readonly type: "patch"; readonly sessionId: string; readonly set: Partial<SessionSnapshot> }
  /** Requests of that session were added or settled: fetch the cards again. */
  | { readonly type: "cards"; readonly sessionId: string }
  | { readonly type: "gap"; readonly reason: StreamGap["reason"] }
  /** The daemon is not running, or no longer: known data is going stale. */
  | { readonly type: "down" };

export interface FollowStreamOptions {
  readonly signal: AbortSignal;
  readonly retryMs?: number;
  readonly silenceMs?: number;
}

const RETRY_MS = 1_000;

/** Follows the daemon's changes until the signal aborts; resumes at the same position after every break. */
export async function* followStream(
  sock: string,
  options: FollowStreamOptions,
): AsyncGenerator<StreamMessage> {
  const { signal, retryMs = RETRY_MS, silenceMs } = options;
  let lastEventId: string | null = null;
  while (!signal.aborted) {
    for await (const message of readStream(sock, "/api/stream", { signal, lastEventId, silenceMs })) {
      lastEventId = message.id ?? lastEventId;
      const known = toStreamMessage(message);
      if (known !== null) yield known;
    }
    if (signal.aborted) return;
    yield { type: "down" };
    await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** All sessions after a message. Pure: does not modify the map. */
export function applyStreamMessage(
  sessions: ReadonlyMap<string, SessionSnapshot>,
  message: StreamMessage,
): ReadonlyMap<string, SessionSnapshot> {
  switch (message.type) {
    case "reset":
      return new Map(message.sessions.map((session) => [session.sessionId, session]));
    case "patch": {
      const merged = SessionSnapshot.safeParse({ ...sessions.get(message.sessionId), ...message.set });
      return merged.success ? new Map(sessions).set(message.sessionId, merged.data) : sessions;
    }
    case "cards":
    case "gap":
    case "down":
      return sessions;
    default:
      return message satisfies never;
  }
}

function toStreamMessage({ event, data }: SseMessage): StreamMessage | null {
  if (event === "reset") return { type: "reset", ...StreamReset.parse(JSON.parse(data)) };
  if (event === "patch") return { type: "patch", ...StreamPatch.parse(JSON.parse(data)) };
  if (event === "cards") return { type: "cards", ...StreamCards.parse(JSON.parse(data)) };
  if (event === "gap") return { type: "gap", ...StreamGap.parse(JSON.parse(data)) };
  return null;
}
