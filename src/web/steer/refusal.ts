import { ApiError } from "../api/client.ts";
import type { Strings } from "../i18n/en.ts";

/** Codes for which the daemon's message would only repeat ours. */
const SAID: ReadonlySet<string> = new Set(["cwd_missing"]);

/** The reason for a refusal, localized if the code is known, plus the daemon's message unless redundant. */
export function refusalText(error: unknown, { steer }: Strings): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const known = (steer.errors as Readonly<Record<string, string>>)[error.code];
  if (known === undefined) return error.message;
  return SAID.has(error.code) ? known : `${known} (${error.message})`;
}
