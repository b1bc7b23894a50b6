import type { SessionSnapshot } from "../../serve/contract.ts";
import { clock } from "../../shown/duration.ts";
import { oneLine, plainLines } from "../../shown/plain-text.ts";
import { visibleLine } from "../../shown/visible-text.ts";
import { cutTo } from "../display-width.ts";
import { requestLine, whyTerminal } from "../request-text.ts";
import { placeOf, shortId } from "../session-doing.ts";
import type { EqualRequests } from "../waiting-requests.ts";
import { currentGroup } from "./keep-current.ts";
import { type RequestOptions, requestBlock } from "./top-request.ts";
import type { RowOptions } from "./top-row.ts";
import type { Current } from "./top-view.ts";

/** What stands below the list. */
export interface Pane {
  readonly lines: readonly string[];
  /** The requests in it. */
  readonly requests: readonly EqualRequests[];
  /** The one that keys answer, and the line on which its text ends; null when that is not in the pane. */
  readonly current: { readonly group: EqualRequests; readonly endLine: number | null } | null;
}

export const NO_PANE: Pane = { lines: [], requests: [], current: null };

const MOST_OTHERS = 3;

/** What is known of the chosen session, and all that it asks: one request whole, the others on a line each. */
export function paneOf(
  session: SessionSnapshot | undefined,
  { groups, current }: { readonly groups: readonly EqualRequests[]; readonly current: Current | null },
  most: number,
  options: RowOptions & RequestOptions,
): Pane {
  if (session === undefined) return NO_PANE;
  const head = headOf(session, options);
  if (groups.length === 0 && current === null)
    return { ...NO_PANE, lines: [head, ...saidLines(session, options)] };
  const group = currentGroup(current, groups);
  const others = groups.filter((one) => one !== group);
  const below = otherLines(others, options);
  const room = Math.max(2, most - 1 - below.length);
  if (group === undefined) {
    const ended = options.paint("yellow", " That request has ended.");
    const listed = others.slice(0, MOST_OTHERS);
    return { lines: [head, ended, ...below], requests: listed, current: null };
  }
  const block = requestBlock(group, groups, options);
  const { how } = block;
  const isWhole = block.isReadable && block.text.length + how.length <= room;
  const shown = isWhole ? block.text : block.text.slice(0, Math.max(0, room - how.length - 1));
  const rest = isWhole ? [] : [options.paint("yellow", " … there is more: ↵ shows it whole")];
  return {
    lines: [head, ...shown, ...rest, ...how, ...below],
    requests: [group, ...others.slice(0, MOST_OTHERS)],
    current: { group, endLine: isWhole ? block.text.length : null },
  };
}

function headOf(session: SessionSnapshot, { width, now, paint }: RowOptions): string {
  const evidence = session.evidence.map(
    ({ source, what, atIso }) => `${source} ${oneLine(what)} ${clock(atIso, now)}`,
  );
  const head = [
    placeOf(session),
    shortId(session.sessionId),
    visibleLine(session.why),
    ...evidence.slice(0, 2),
    oneLine(session.cwd ?? ""),
  ].filter((part) => part !== "");
  return paint("bold", cutTo(` ${head.join(" · ")}`, width));
}

/** Requests that keys do not answer, on a line each. */
export function otherLines(others: readonly EqualRequests[], { width, paint }: RowOptions): string[] {
  const lines = others.slice(0, MOST_OTHERS).map(({ first, ids }) => {
    const where = whyTerminal(first) === null ? "" : "in terminal · ";
    return paint("dim", cutTo(` Tab: ${where}${requestLine(first, ids.length)}`, width));
  });
  const more = others.length - lines.length;
  return more > 0 ? [...lines, paint("dim", ` … and ${more} more`)] : lines;
}

function saidLines({ lastAssistantMessage }: SessionSnapshot, { width, paint }: RowOptions): string[] {
  const said =
    lastAssistantMessage === null ? [] : plainLines(lastAssistantMessage).filter(Boolean).slice(0, 2);
  return said.map((line) => paint("dim", cutTo(` ${line}`, width)));
}
