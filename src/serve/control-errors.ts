import type { Context } from "hono";
import { AppError } from "../app-error.ts";
import { isCredentialName } from "../control/caller-credentials.ts";
import { errorResponse } from "./authorize.ts";

/** Codes not listed here conflict with the current state: 409. */
const STATUS: Readonly<Record<string, 400 | 404 | 424>> = {
  session_unknown: 404,
  card_unknown: 404,
  resume_unknown: 404,
  answer_invalid: 400,
  shown_missing: 400,
  message_invalid: 400,
  body_invalid: 400,
  credentials_refused: 400,
  cwd_missing: 400,
  // Something required on this machine is missing or too old.
  sdk_missing: 424,
  sdk_too_old: 424,
  claude_missing: 424,
  claude_too_old: 424,
};

/** For `onError` of the routes under `/api/control`. */
export function toErrorResponse(error: Error, c: Context): Response {
  if (!(error instanceof AppError)) return errorResponse(c, 500, "internal", error.message);
  return errorResponse(c, STATUS[error.code] ?? 409, error.code, error.message);
}

type Credentials = Readonly<Record<string, string>>;

/** Runs `action` with the caller's credentials, which must be on the allow list; no error reveals their values. */
export async function withCredentials<T>(
  credentials: Credentials | undefined,
  action: () => Promise<T>,
): Promise<T> {
  const callerCredentials = credentials ?? {};
  const refused = Object.keys(callerCredentials).filter((name) => !isCredentialName(name));
  if (refused.length > 0)
    throw new AppError(
      "credentials_refused",
      `these variables are not passed to a session: ${refused.join(", ")}`,
    );
  try {
    return await action();
  } catch (error) {
    const { message } = error as Error;
    const safeMessage = withoutValues(message, callerCredentials);
    if (safeMessage === message) throw error;
    throw error instanceof AppError ? new AppError(error.code, safeMessage) : new Error(safeMessage);
  }
}

/** Shorter values are flags or regions, which a message may contain by chance. */
const MIN_SECRET_CHARS = 6;

function withoutValues(text: string, callerCredentials: Credentials): string {
  return Object.entries(callerCredentials)
    .filter(([, value]) => value.length >= MIN_SECRET_CHARS)
    .reduce((redacted, [name, value]) => redacted.replaceAll(value, `<${name}>`), text);
}
