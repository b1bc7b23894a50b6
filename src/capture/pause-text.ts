import { localTime } from "../shown/duration.ts";
import { plainText } from "../shown/plain-text.ts";
import type { Pause } from "./pauses.ts";

/** Describes a pause in one sentence: where, and until when. */
export function pauseText({ until, project }: Pause, now: number): string {
  return `Recording${inProjectText(project)} is paused ${untilText(until, now)}.`;
}

export function inProjectText(project: string | null): string {
  return project === null ? "" : ` in ${plainText(project)}`;
}

export function untilText(until: string | null, now: number): string {
  return `until ${until === null ? "`hookline pause --end`" : localTime(until, now)}`;
}
