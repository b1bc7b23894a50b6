import type { Context } from "hono";
import { AppError } from "../app-error.ts";
import { isLentName } from "../control/lent-credentials.ts";
import { fail } from "./guard.ts";

/** What is not here is a conflict with how things stand: 409. */
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
  // What it would take is not on this machine.
  sdk_missing: 424,
  sdk_too_old: 424,
  claude_missing: 424,
  claude_too_old: 424,
};

/** For `onError` of the routes under `/api/control`. */
export function refuse(error: Error, c: Context): Response {
  if (!(error instanceof AppError)) return fail(c, 500, "internal", error.message);
  return fail(c, STATUS[error.code] ?? 409, error.code, error.message);
}

type Credentials = Readonly<Record<string, string>>;

/** Does it with what the caller lends: only what may be lent, and no refusal tells the value of any of it. */
export async function withCredentials<T>(
  credentials: Credentials | undefined,
  act: () => Promise<T>,
): Promise<T> {
  const lent = credentials ?? {};
  const refused = Object.keys(lent).filter((name) => !isLentName(name));
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

/** Shorter than this it is a switch or a region, which a message may well hold by chance. */
const SECRET_CHARS = 6;

function withoutValues(text: string, lent: Credentials): string {
  return Object.entries(lent)
    .filter(([, value]) => value.length >= SECRET_CHARS)
    .reduce((left, [name, value]) => left.replaceAll(value, `<${name}>`), text);
}
