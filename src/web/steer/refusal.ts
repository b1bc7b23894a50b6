import { Refused } from "../api/client.ts";
import type { Words } from "../words/en.ts";

/** The daemon's own words say the same once more. */
const SAID: ReadonlySet<string> = new Set(["cwd_missing"]);

/** What was refused, in the reader's language where the code is known, and always with what the daemon said of it. */
export function refusalText(error: unknown, { steer }: Words): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  const known = (steer.refused as Readonly<Record<string, string>>)[error.code];
  if (known === undefined) return error.message;
  return SAID.has(error.code) ? known : `${known} (${error.message})`;
}
