import type { DaemonStatus } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { moment } from "../words/amounts.ts";
import type { Words } from "../words/en.ts";
import { fill } from "../words/words.ts";

/** One pause as a sentence: where, and until when. */
export function pauseWords(
  { project, until }: DaemonStatus["pauses"][number],
  { notes }: Pick<Words, "notes">,
): string {
  const where = visibleText(project ?? "");
  if (until === null) return project === null ? notes.paused : fill(notes.pausedIn, { project: where });
  const time = moment(until);
  return project === null
    ? fill(notes.pausedUntil, { until: time })
    : fill(notes.pausedInUntil, { project: where, until: time });
}
