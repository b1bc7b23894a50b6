import { type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { SessionSnapshot, StreamGap, StreamPatch, StreamReset } from "../serve/contract.ts";
import { createSseReader, type SseMessage } from "./sse-reader.ts";

export type StreamMessage =
  | { readonly type: "reset"; readonly sessions: readonly SessionSnapshot[] }
  | { readonly type: "patch"; readonly sessionId: string; readonly set: Partial<SessionSnapshot> }
  | { readonly type: "gap"; readonly reason: StreamGap["reason"] }
  /** No daemon, or none any more: what is known grows old from now on. */
  | { readonly type: "down" };

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly retryMs?: number;
  readonly silenceMs?: number;
}

/** The daemon's beat comes every 15 s. */
const SILENCE_MS = 45_000;
const RETRY_MS = 1_000;

/** The daemon's changes, for as long as the signal lets it: comes back where it was after every break. */
export async function* followStream(sock: string, options: FollowOptions): AsyncGenerator<StreamMessage> {
  const { signal, retryMs = RETRY_MS, silenceMs = SILENCE_MS } = options;
  let lastEventId: string | null = null;
  while (!signal.aborted) {
    const response = await connect(sock, lastEventId, signal, silenceMs);
    if (response !== null) {
      const read = createSseReader();
      response.setEncoding("utf8");
      try {
        for await (const text of response) {
          for (const message of read(text as string)) {
            lastEventId = message.id ?? lastEventId;
            const known = toMessage(message);
            if (known !== null) yield known;
          }
        }
      } catch (error) {
        if (!isBroken(error)) throw error;
      } finally {
        response.destroy();
      }
    }
    if (signal.aborted) return;
    yield { type: "down" };
    await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** All sessions after a message. Pure: the map given stays as it was. */
export function applyMessage(
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
    case "gap":
    case "down":
      return sessions;
    default:
      return message satisfies never;
  }
}

function toMessage({ event, data }: SseMessage): StreamMessage | null {
  if (event === "reset") return { type: "reset", ...StreamReset.parse(JSON.parse(data)) };
  if (event === "patch") return { type: "patch", ...StreamPatch.parse(JSON.parse(data)) };
  if (event === "gap") return { type: "gap", ...StreamGap.parse(JSON.parse(data)) };
  return null;
}

function connect(
  sock: string,
  lastEventId: string | null,
  signal: AbortSignal,
  silenceMs: number,
): Promise<IncomingMessage | null> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "text/event-stream",
      ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
    };
    const call = request({ socketPath: sock, path: "/api/stream", headers, signal }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode === 200) {
        resolve(response);
        return;
      }
      response.destroy();
      // 5xx: it begins or ends just now.
      if (statusCode >= 500) resolve(null);
      else reject(new AppError("daemon_failed", `the daemon answered ${statusCode} to /api/stream`));
    });
    call.setTimeout(silenceMs, () => call.destroy());
    call.on("error", () => resolve(null));
    call.end();
  });
}

function isBroken(error: unknown): boolean {
  return (error as Error).name === "AbortError" || typeof (error as NodeJS.ErrnoException).code === "string";
}
