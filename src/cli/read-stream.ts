import { type IncomingMessage, request } from "node:http";
import { AppError } from "../app-error.ts";
import { ErrorBody } from "../serve/contract.ts";
import { createSseReader, type SseMessage } from "./sse-reader.ts";

export interface ReadStreamOptions {
  readonly signal: AbortSignal;
  /** Where to go on. */
  readonly lastEventId: string | null;
  readonly silenceMs?: number;
}

/** The daemon's beat comes every 15 s. */
const SILENCE_MS = 45_000;

/** The messages of one connection to a stream of the daemon, until it breaks. None when there is no daemon. */
export async function* readStream(
  sock: string,
  path: string,
  options: ReadStreamOptions,
): AsyncGenerator<SseMessage> {
  const response = await connect(sock, path, options);
  if (response === null) return;
  const read = createSseReader();
  response.setEncoding("utf8");
  // Between two messages nobody waits for one, and the signal may come then.
  response.on("error", () => undefined);
  try {
    for await (const text of response) yield* read(text as string);
  } catch (error) {
    if (!isBroken(error)) throw error;
  } finally {
    response.destroy();
  }
}

function connect(
  sock: string,
  path: string,
  { signal, lastEventId, silenceMs = SILENCE_MS }: ReadStreamOptions,
): Promise<IncomingMessage | null> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(null);
    const headers = {
      accept: "text/event-stream",
      ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
    };
    const call = request({ socketPath: sock, path, headers, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode === 200) {
        resolve(response);
        return;
      }
      // 5xx: it begins or ends just now.
      if (statusCode >= 500) {
        response.destroy();
        resolve(null);
      } else refusalOf(response, path).then(reject);
    });
    const abort = (): void => void call.destroy();
    // Not by the request's own option: that throws where nobody can catch it once the answer has come to its end.
    signal.addEventListener("abort", abort, { once: true });
    call.on("close", () => signal.removeEventListener("abort", abort));
    call.setTimeout(silenceMs, () => call.destroy());
    call.on("error", () => resolve(null));
    call.end();
  });
}

async function refusalOf(response: IncomingMessage, path: string): Promise<AppError> {
  const unknown = new AppError("daemon_failed", `the daemon answered ${response.statusCode} to ${path}`);
  try {
    const body = (await response.setEncoding("utf8").toArray()).join("");
    const { code, message } = ErrorBody.parse(JSON.parse(body)).error;
    return new AppError(code, message);
  } catch {
    return unknown;
  }
}

function isBroken(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).code === "string";
}
