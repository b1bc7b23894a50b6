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

/** Runs `act` with the caller's credentials: only those that may be lent; no error reveals their values. */
export async function withCredentials<T>(
  credentials: Credentials | undefined,
  act: () => Promise<T>,
): Promise<T> {
  const lent = credentials ?? {};
  const refused = Object.keys(lent).filter((name) => !isCredentialName(name));
  if (refused.length > 0)
    throw new AppError("credentials_refused", `a session is not lent ${refused.join(", ")}`);
  try {
    return await act();
  } catch (error) {
    const { message } = error as Error;
    const told = withoutValues(message, lent);
    if (told === message) throw error;
    throw error instanceof AppError ? new AppError(error.code, told) : new Error(told);
  }
}

/** Shorter values are flags or regions, which a message may contain by chance. */
const SECRET_CHARS = 6;

function withoutValues(text: string, lent: Credentials): string {
  return Object.entries(lent)
    .filter(([, value]) => value.length >= SECRET_CHARS)
    .reduce((left, [name, value]) => left.replaceAll(value, `<${name}>`), text);
}
