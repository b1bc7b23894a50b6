import type { DaemonStatus } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import type { Strings } from "../i18n/en.ts";
import { formatDateTime } from "../i18n/format.ts";
import { fill } from "../i18n/strings.ts";

/** Describes a pause: where, and until when. */
export function pauseText(
  { project, until }: DaemonStatus["pauses"][number],
  { notes }: Pick<Strings, "notes">,
): string {
  const projectName = visibleText(project ?? "");
  if (until === null) return project === null ? notes.paused : fill(notes.pausedIn, { project: projectName });
  const time = formatDateTime(until);
  return project === null
    ? fill(notes.pausedUntil, { until: time })
    : fill(notes.pausedInUntil, { project: projectName, until: time });
}
