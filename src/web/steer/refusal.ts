import { Refused } from "../api/client.ts";
import type { Words } from "../words/en.ts";

/** What was refused, in the reader's language where the code is known, and always with what the daemon said of it. */
export function refusalText(error: unknown, { steer }: Words): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  const known = (steer.refused as Readonly<Record<string, string>>)[error.code];
  return known === undefined ? error.message : `${known} (${error.message})`;
}
