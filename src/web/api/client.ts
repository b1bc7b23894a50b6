import type { ErrorBody } from "../../serve/contract.ts";
import { daemonText } from "../i18n/daemon-text.ts";

/** A refusal by the daemon, with its own message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Called when the user is no longer logged in. */
let onLoggedOut: () => void = () => undefined;
export function whenLoggedOut(handler: () => void): void {
  onLoggedOut = handler;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return readResponse<T>(await fetch(path, { credentials: "same-origin", signal: signal ?? null }));
}

export async function send<T>(
  method: "POST" | "DELETE" | "PUT",
  path: string,
  body?: unknown,
  { keepalive = false }: { /** Also sent while the page unloads. */ readonly keepalive?: boolean } = {},
): Promise<T> {
  return readResponse<T>(
    await fetch(path, {
      method,
      keepalive,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
}

async function readResponse<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return (text === "" ? null : JSON.parse(text)) as T;
  if (response.status === 401) onLoggedOut();
  const { code, message } = toError(text);
  throw new ApiError(response.status, code, daemonText(message));
}

function toError(text: string): ErrorBody["error"] {
  try {
    return (JSON.parse(text) as ErrorBody).error;
  } catch {
    return { code: "unknown", message: text.slice(0, 200) || "No answer." };
  }
}
