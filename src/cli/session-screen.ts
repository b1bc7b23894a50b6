import type { SessionSnapshot } from "../serve/contract.ts";
import { truncateToWidth } from "./display-width.ts";
import { activityText } from "./session-activity.ts";
import { type LineOptions, MIN_LINE_WIDTH, sessionLines } from "./session-line.ts";
import { sortSessions, stateBadge } from "./state-badge.ts";
import { sessionCountsText } from "./status-line.ts";

export interface ScreenOptions extends LineOptions {
  readonly rows: number;
  readonly limit: number;
  /** False while no daemon answers: the data is going stale. */
  readonly isLive: boolean;
}

/** The `--watch` screen: counts, then as many sessions as fit. */
export function screenLines(sessions: Iterable<SessionSnapshot>, options: ScreenOptions): string[] {
  const ordered = sortSessions(sessions);
  const head = options.isLive
    ? sessionCountsText(ordered, options.now) || "no session"
    : "no daemon answers: this is not live";
  const blocks = ordered.slice(0, options.limit).map((session) => sessionLines(session, options));
  const lines = blocks.flat();
  const room = Math.max(1, options.rows - 1);
  if (lines.length <= room) return [truncateToWidth(head, options.width), ...lines];
  let shown = 0;
  const kept: string[] = [];
  while (shown < blocks.length && kept.length + blocks[shown]!.length < room) kept.push(...blocks[shown++]!);
  return [truncateToWidth(head, options.width), ...kept, `… ${blocks.length - shown} more`];
}

/** In append-only output, a change of this key gets a new line. */
export function changeKey(session: SessionSnapshot, now: number): string {
  return `${stateBadge(session).label} ${session.needsPerson} ${activityText(session, now)}`;
}

/** A log line: the time, and the session at that time. */
export function changeLines(session: SessionSnapshot, options: LineOptions): string[] {
  const time = new Date(options.now).toTimeString().slice(0, 8);
  const width = Math.max(MIN_LINE_WIDTH, options.width - time.length - 1);
  const [line, ...below] = sessionLines(session, { ...options, width });
  return [`${time} ${line}`, ...below.map((text) => `${" ".repeat(time.length + 1)}${text}`)];
}
