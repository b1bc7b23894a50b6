import { readFileSync } from "node:fs";
import { z } from "zod";

/** From when to when nothing is recorded, everywhere or in one project. Kept after its end: a spool that is
 *  read later still holds what was said during it. */
export const Pause = z.object({
  from: z.string(),
  until: z.string().nullable(),
  project: z.string().nullable(),
});
export type Pause = z.infer<typeof Pause>;

/** Those that hold at this moment. */
export function openPauses(pauses: readonly Pause[], nowIso: string): Pause[] {
  return pauses.filter(({ from, until }) => from <= nowIso && (until === null || nowIso < until));
}

export function readPauses(path: string): Pause[] {
  try {
    return z.array(Pause).parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return [];
  }
}
