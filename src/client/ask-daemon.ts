import { request } from "node:http";
import type { z } from "zod";
import { AppError } from "../app-error.ts";
import type { Home } from "../home.ts";
import { ErrorBody } from "../serve/contract.ts";
import { clock } from "../shown/duration.ts";

export interface AskOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Asks the running daemon over its unix socket. Null when none answers there. */
export async function askDaemon<T>(
  home: Home,
  schema: z.ZodType<T>,
  path: string,
  options: AskOptions = {},
): Promise<T | null> {
  const answer = await send(home.sock, path, options);
  return answer === null ? null : readAnswer(schema, answer);
}

/** The value, or what the API said was wrong as an error. */
export function readAnswer<T>(schema: z.ZodType<T>, answer: Answer): T {
  const value: unknown = answer.body === "" ? null : JSON.parse(answer.body);
  if (answer.status < 400) return schema.parse(value);
  const failure = ErrorBody.safeParse(value);
  if (failure.success) {
    const { code, issues = [], ...error } = failure.data.error;
    const message = withLocalTimes(error.message);
    const choices = issues.filter((issue) => typeof issue === "string");
    throw new AppError(code, choices.length === 0 ? message : `${message}: ${choices.join(", ")}`);
  }
  throw new AppError("daemon_failed", `the daemon answered ${answer.status}`);
}

/** The daemon's sentences have times in UTC; people read them where they are. */
function withLocalTimes(message: string): string {
  return message.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => clock(iso, Date.now()));
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function send(
  sock: string,
  path: string,
  { method = "GET", body, timeoutMs = 0, signal }: AskOptions,
): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const call = request(
      { socketPath: sock, path, method, headers, timeout: timeoutMs, signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
        );
        response.on("error", (error) => reject(isHangUp(error) ? hungUp() : error));
      },
    );
    call.on("timeout", () => call.destroy(new AppError("daemon_silent", "the daemon does not answer")));
    call.on("error", (error: NodeJS.ErrnoException) => {
      const isDown = error.code === "ENOENT" || error.code === "ECONNREFUSED" || error.code === "ENOTSOCK";
      if (isDown) resolve(null);
      else reject(isHangUp(error) ? hungUp() : error);
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const HUNG_UP = new Set(["ECONNRESET", "EPIPE"]);

/** Whether the other end closed the connection in the middle of an answer, or before it. */
export function isHangUp(error: unknown): boolean {
  return HUNG_UP.has((error as NodeJS.ErrnoException).code ?? "");
}

/** Whether the connection broke: of a daemon that ends. What it says itself is another error. */
export function isCutOff(error: unknown): boolean {
  return !(error instanceof AppError) || error.code === "daemon_gone";
}

function hungUp(): AppError {
  return new AppError(
    "daemon_gone",
    "the daemon ended before it answered: logs/daemon.log in its home says why",
  );
}
