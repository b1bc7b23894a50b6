import { request } from "node:http";
import type { z } from "zod";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { ErrorBody } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";

export interface DaemonRequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Aborts the request when the caller stops waiting. */
  readonly signal?: AbortSignal;
}

/** Sends a request to the running daemon over its unix socket. Null when no daemon is listening. */
export async function askDaemon<T>(
  home: Home,
  schema: z.ZodType<T>,
  path: string,
  options: DaemonRequestOptions = {},
): Promise<T | null> {
  const response = await send(home.sock, path, options);
  return response === null ? null : parseResponse(schema, response);
}

/** Returns the parsed value, or throws the API's error. */
export function parseResponse<T>(schema: z.ZodType<T>, response: DaemonResponse): T {
  const value: unknown = response.body === "" ? null : JSON.parse(response.body);
  if (response.status < 400) return schema.parse(value);
  const failure = ErrorBody.safeParse(value);
  if (failure.success) {
    const { code, issues = [], ...error } = failure.data.error;
    const message = withLocalTimes(error.message);
    const choices = issues.filter((issue) => typeof issue === "string");
    throw new AppError(code, choices.length === 0 ? message : `${message}: ${choices.join(", ")}`);
  }
  throw new AppError("daemon_failed", `the daemon answered ${response.status}`);
}

/** The daemon's messages contain UTC times; people read local time. */
function withLocalTimes(message: string): string {
  return message.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => localTime(iso, Date.now()));
}

interface DaemonResponse {
  readonly status: number;
  readonly body: string;
}

function send(
  sock: string,
  path: string,
  { method = "GET", body, timeoutMs = 0, signal }: DaemonRequestOptions,
): Promise<DaemonResponse | null> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const clientRequest = request(
      { socketPath: sock, path, method, headers, timeout: timeoutMs, signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
        );
        response.on("error", (error) => reject(isConnectionReset(error) ? daemonGoneError() : error));
      },
    );
    clientRequest.on("timeout", () =>
      clientRequest.destroy(new AppError("daemon_silent", "the daemon does not answer")),
    );
    clientRequest.on("error", (error: NodeJS.ErrnoException) => {
      const isDown = error.code === "ENOENT" || error.code === "ECONNREFUSED" || error.code === "ENOTSOCK";
      if (isDown) resolve(null);
      else reject(isConnectionReset(error) ? daemonGoneError() : error);
    });
    clientRequest.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const RESET_CODES = new Set(["ECONNRESET", "EPIPE"]);

/** Whether the peer closed the connection before or during a response. */
export function isConnectionReset(error: unknown): boolean {
  return RESET_CODES.has((error as NodeJS.ErrnoException).code ?? "");
}

/** Whether the connection broke because the daemon exited, as opposed to an error it reported. */
export function isConnectionLost(error: unknown): boolean {
  return !(error instanceof AppError) || error.code === "daemon_gone";
}

function daemonGoneError(): AppError {
  return new AppError(
    "daemon_gone",
    "the daemon ended before it answered: logs/daemon.log in its home says why",
  );
}
