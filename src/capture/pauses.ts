import { readFileSync } from "node:fs";
import { z } from "zod";

/** A time range in which nothing is recorded, everywhere or in one project. Retained after its end: a
 *  spool that is read later may still hold events from it. */
export const Pause = z.object({
  from: z.string(),
  until: z.string().nullable(),
  project: z.string().nullable(),
});
export type Pause = z.infer<typeof Pause>;

/** The pauses in effect at this moment. */
export function activePauses(pauses: readonly Pause[], nowIso: string): Pause[] {
  return pauses.filter(({ from, until }) => from <= nowIso && (until === null || nowIso < until));
}

export function readPauses(path: string): Pause[] {
  try {
    return z.array(Pause).parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return [];
  }
}
