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
  const availableRows = Math.max(1, options.rows - 1);
  if (lines.length <= availableRows) return [truncateToWidth(head, options.width), ...lines];
  let shownCount = 0;
  const shownLines: string[] = [];
  while (shownCount < blocks.length && shownLines.length + blocks[shownCount]!.length < availableRows)
    shownLines.push(...blocks[shownCount++]!);
  return [truncateToWidth(head, options.width), ...shownLines, `… ${blocks.length - shownCount} more`];
}

/** In append-only output, a session is printed again when this key changes. */
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
