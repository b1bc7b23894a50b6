import { request } from "node:http";
import { Readable } from "node:stream";
import type { z } from "zod";
import { AppError } from "../app-error.ts";
import { askDaemon, isConnectionReset, parseResponse } from "../client/ask-daemon.ts";
import type { Daemon } from "../daemon/daemon.ts";
import type { Home } from "../home.ts";
import { commandName } from "./command-name.ts";

interface AskOptions {
  readonly method?: string;
  readonly body?: unknown;
}

/** Asks the running daemon; without one, starts a private daemon in this process. */
export async function askMemory<T>(
  home: Home,
  schema: z.ZodType<T>,
  path: string,
  options: AskOptions = {},
): Promise<T> {
  const answer = await askDaemon(home, schema, path, options);
  if (answer !== null) return answer;
  return withInProcessDaemon(home, async (daemon) => {
    const body = options.body === undefined ? null : JSON.stringify(options.body);
    const response = await daemon.ask(path, { method: options.method ?? "GET", body });
    return parseResponse(schema, { status: response.status, body: await response.text() });
  });
}

export interface StreamedAnswer {
  readonly status: number;
  readonly body: Readable;
}

/** Like `askMemory`, for bodies or answers too large to buffer; `use` must read the answer to its end. */
export async function streamMemory<T>(
  home: Home,
  path: string,
  send: (() => Readable) | null,
  use: (answer: StreamedAnswer) => Promise<T>,
): Promise<T> {
  const answer = await requestOverSocket(home.sock, path, send);
  if (answer !== null)
    return use(answer).catch((error) => {
      throw isConnectionReset(error) ? connectionLostError(error) : error;
    });
  return withInProcessDaemon(home, async (daemon) => {
    const body =
      send === null ? {} : { body: Readable.toWeb(send()) as ReadableStream, duplex: "half" as const };
    const response = await daemon.ask(path, { method: send === null ? "GET" : "POST", ...body });
    return use({ status: response.status, body: Readable.from(response.body ?? []) });
  });
}

function connectionLostError(cause: unknown): AppError {
  return new AppError("daemon_gone", "the daemon stopped before it finished answering", { cause });
}

async function withInProcessDaemon<T>(home: Home, use: (daemon: Daemon) => Promise<T>): Promise<T> {
  const { startDaemon } = await import("../daemon/daemon.ts");
  const daemon = await startDaemon(home, process.env, { serve: false, command: commandName() });
  try {
    // Include what hooks wrote while no daemon was running.
    await daemon.flush();
    return await use(daemon);
  } finally {
    await daemon.stop();
  }
}

/** Null when no daemon answers on the socket. */
function requestOverSocket(
  sock: string,
  path: string,
  send: (() => Readable) | null,
): Promise<StreamedAnswer | null> {
  return new Promise((resolve, reject) => {
    const method = send === null ? "GET" : "POST";
    const clientRequest = request({ socketPath: sock, path, method }, (response) =>
      resolve({ status: response.statusCode ?? 0, body: response }),
    );
    clientRequest.on("error", (error: NodeJS.ErrnoException) => {
      if (["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes(error.code ?? "")) resolve(null);
      else reject(isConnectionReset(error) ? connectionLostError(error) : error);
    });
    if (send === null) clientRequest.end();
    else {
      const body = send();
      body.on("error", reject);
      body.pipe(clientRequest);
    }
  });
}
