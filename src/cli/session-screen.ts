import type { SessionSnapshot } from "../serve/contract.ts";
import { cutTo } from "./display-width.ts";
import { doingOf } from "./session-doing.ts";
import { faceOf, inOrder } from "./session-face.ts";
import { type LineOptions, NARROWEST, sessionLines } from "./session-line.ts";
import { countsText } from "./status-line.ts";

export interface ScreenOptions extends LineOptions {
  readonly rows: number;
  readonly limit: number;
  /** False while no daemon answers: what is shown grows old. */
  readonly isLive: boolean;
}

/** What `--watch` shows: counts, then as many sessions as there is room for. */
export function screenLines(sessions: Iterable<SessionSnapshot>, options: ScreenOptions): string[] {
  const ordered = inOrder(sessions);
  const head = options.isLive
    ? countsText(ordered, options.now) || "no session"
    : "no daemon answers: this is not live";
  const blocks = ordered.slice(0, options.limit).map((session) => sessionLines(session, options));
  const lines = blocks.flat();
  const room = Math.max(1, options.rows - 1);
  if (lines.length <= room) return [cutTo(head, options.width), ...lines];
  let shown = 0;
  const kept: string[] = [];
  while (shown < blocks.length && kept.length + blocks[shown]!.length < room) kept.push(...blocks[shown++]!);
  return [cutTo(head, options.width), ...kept, `… ${blocks.length - shown} more`];
}

/** What must differ for a line of its own, where lines are written one after the other. */
export function changeKey(session: SessionSnapshot, now: number): string {
  return `${faceOf(session).word} ${session.needsPerson} ${doingOf(session, now)}`;
}

/** A line of a log: when, and the session at that time. */
export function changeLines(session: SessionSnapshot, options: LineOptions): string[] {
  const time = new Date(options.now).toTimeString().slice(0, 8);
  const width = Math.max(NARROWEST, options.width - time.length - 1);
  const [line, ...below] = sessionLines(session, { ...options, width });
  return [`${time} ${line}`, ...below.map((text) => `${" ".repeat(time.length + 1)}${text}`)];
}
