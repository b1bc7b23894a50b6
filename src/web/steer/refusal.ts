import { ApiError } from "../api/client.ts";
import type { Strings } from "../i18n/en.ts";

/** Codes for which the daemon's message would only repeat ours. */
const REDUNDANT_CODES: ReadonlySet<string> = new Set(["cwd_missing"]);

/** The reason for a refusal, localized if the code is known, plus the daemon's message unless redundant. */
export function refusalText(error: unknown, { steer }: Strings): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const localized = (steer.errors as Readonly<Record<string, string>>)[error.code];
  if (localized === undefined) return error.message;
  return REDUNDANT_CODES.has(error.code) ? localized : `${localized} (${error.message})`;
}
