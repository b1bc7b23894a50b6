import { type IncomingMessage, request } from "node:http";
import { AppError } from "../app-error.ts";
import { ErrorBody } from "../serve/contract.ts";
import { createSseReader, type SseMessage } from "./sse-reader.ts";

export interface ReadStreamOptions {
  readonly signal: AbortSignal;
  /** Where to resume. */
  readonly lastEventId: string | null;
  readonly silenceMs?: number;
}

/** The daemon sends a heartbeat every 15 s. */
const SILENCE_TIMEOUT_MS = 45_000;

/** The messages of one connection to a daemon stream until it breaks; none without a daemon. */
export async function* readStream(
  sock: string,
  path: string,
  options: ReadStreamOptions,
): AsyncGenerator<SseMessage> {
  const response = await connect(sock, path, options);
  if (response === null) return;
  const read = createSseReader();
  response.setEncoding("utf8");
  // The signal may abort between two messages, when no read is pending to receive the error.
  response.on("error", () => undefined);
  try {
    for await (const text of response) yield* read(text as string);
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  } finally {
    response.destroy();
  }
}

function connect(
  sock: string,
  path: string,
  { signal, lastEventId, silenceMs = SILENCE_TIMEOUT_MS }: ReadStreamOptions,
): Promise<IncomingMessage | null> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(null);
    const headers = {
      accept: "text/event-stream",
      ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
    };
    const clientRequest = request({ socketPath: sock, path, headers, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode === 200) {
        resolve(response);
        return;
      }
      // 5xx: the daemon is starting or stopping.
      if (statusCode >= 500) {
        response.destroy();
        resolve(null);
      } else toStreamError(response, path).then(reject);
    });
    const abort = (): void => void clientRequest.destroy();
    // Not the request's own `signal` option: after the response ends, it throws where nothing can catch it.
    signal.addEventListener("abort", abort, { once: true });
    clientRequest.on("close", () => signal.removeEventListener("abort", abort));
    clientRequest.setTimeout(silenceMs, () => clientRequest.destroy());
    clientRequest.on("error", () => resolve(null));
    clientRequest.end();
  });
}

async function toStreamError(response: IncomingMessage, path: string): Promise<AppError> {
  const fallback = new AppError("daemon_failed", `the daemon answered ${response.statusCode} to ${path}`);
  try {
    const body = (await response.setEncoding("utf8").toArray()).join("");
    const { code, message } = ErrorBody.parse(JSON.parse(body)).error;
    return new AppError(code, message);
  } catch {
    return fallback;
  }
}

function isConnectionError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).code === "string";
}
