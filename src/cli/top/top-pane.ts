import type { SessionSnapshot } from "../../serve/contract.ts";
import { localTime } from "../../shown/duration.ts";
import { oneLine, plainLines } from "../../shown/plain-text.ts";
import { visibleLine } from "../../shown/visible-text.ts";
import { truncateToWidth } from "../display-width.ts";
import { requestLine, terminalOnlyReason } from "../request-text.ts";
import { projectLabel, shortId } from "../session-activity.ts";
import type { EqualRequests } from "../waiting-requests.ts";
import { currentGroup } from "./current-request.ts";
import { type RequestOptions, requestBlock } from "./top-request.ts";
import type { RowOptions } from "./top-row.ts";
import type { CurrentRequest } from "./top-view.ts";

/** The pane below the list. */
export interface Pane {
  readonly lines: readonly string[];
  readonly requests: readonly EqualRequests[];
  /** The request that keys answer, and the line on which its text ends; null if that is not in the pane. */
  readonly current: { readonly group: EqualRequests; readonly endLine: number | null } | null;
}

export const NO_PANE: Pane = { lines: [], requests: [], current: null };

const MAX_OTHER_REQUESTS = 3;

/** Details of the selected session and all its requests: one in full, the others on one line each. */
export function drawPane(
  session: SessionSnapshot | undefined,
  { groups, current }: { readonly groups: readonly EqualRequests[]; readonly current: CurrentRequest | null },
  maxLines: number,
  options: RowOptions & RequestOptions,
): Pane {
  if (session === undefined) return NO_PANE;
  const head = paneTitle(session, options);
  if (groups.length === 0 && current === null)
    return { ...NO_PANE, lines: [head, ...lastMessageLines(session, options)] };
  const group = currentGroup(current, groups);
  const others = groups.filter((other) => other !== group);
  const below = otherRequestLines(others, options);
  const availableLines = Math.max(2, maxLines - 1 - below.length);
  if (group === undefined) {
    const ended = options.paint("yellow", " That request is no longer waiting.");
    const listed = others.slice(0, MAX_OTHER_REQUESTS);
    return { lines: [head, ended, ...below], requests: listed, current: null };
  }
  const block = requestBlock(group, groups, options);
  const { how } = block;
  const isComplete = block.isReadable && block.text.length + how.length <= availableLines;
  const shown = isComplete ? block.text : block.text.slice(0, Math.max(0, availableLines - how.length - 1));
  const rest = isComplete ? [] : [options.paint("yellow", " … there is more: press ↵ to show all")];
  return {
    lines: [head, ...shown, ...rest, ...how, ...below],
    requests: [group, ...others.slice(0, MAX_OTHER_REQUESTS)],
    current: { group, endLine: isComplete ? block.text.length : null },
  };
}

function paneTitle(session: SessionSnapshot, { width, now, paint }: RowOptions): string {
  const evidence = session.evidence.map(
    ({ source, what, atIso }) => `${source} ${oneLine(what)} ${localTime(atIso, now)}`,
  );
  const head = [
    projectLabel(session),
    shortId(session.sessionId),
    visibleLine(session.why),
    ...evidence.slice(0, 2),
    oneLine(session.cwd ?? ""),
  ].filter((part) => part !== "");
  return paint("bold", truncateToWidth(` ${head.join(" · ")}`, width));
}

/** Requests that keys do not answer, on one line each. */
export function otherRequestLines(others: readonly EqualRequests[], { width, paint }: RowOptions): string[] {
  const lines = others.slice(0, MAX_OTHER_REQUESTS).map(({ first, ids }) => {
    const where = terminalOnlyReason(first) === null ? "" : "in terminal · ";
    return paint("dim", truncateToWidth(` Tab: ${where}${requestLine(first, ids.length)}`, width));
  });
  const hiddenCount = others.length - lines.length;
  return hiddenCount > 0 ? [...lines, paint("dim", ` … and ${hiddenCount} more`)] : lines;
}

function lastMessageLines({ lastAssistantMessage }: SessionSnapshot, { width, paint }: RowOptions): string[] {
  const messageLines =
    lastAssistantMessage === null ? [] : plainLines(lastAssistantMessage).filter(Boolean).slice(0, 2);
  return messageLines.map((line) => paint("dim", truncateToWidth(` ${line}`, width)));
}
