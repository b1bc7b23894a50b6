import { memo } from "react";
import { shortModelName } from "../../agents/model-name.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { waitDurationMs } from "../../shown/wait-duration.ts";
import { useNow } from "../api/clock.ts";
import { Icon } from "../components/icon.tsx";
import { SessionMarkIcons } from "../components/session-marks.tsx";
import { titleOf } from "../components/session-status.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { PHONE, useMedia } from "../components/use-media.ts";
import { useVirtualRows } from "../components/virtual-rows.ts";
import { withoutMarkdown } from "../components/without-markdown.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { baseName, formatCost, formatDateTime, formatDuration, formatShortDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { go } from "../shell/router.ts";
import { SORTS, type Sort } from "./session-filter.ts";

const ROW_PX = 48;
const CARD_PX = 100;
const COLUMNS = ["state", "session", "where", "model", "turns", "wait", "cost", "last"] as const;

/** A table of any length: only rows near the window are rendered. */
export function SessionTable({
  sessions,
  sort,
  isAscending,
  onSort,
}: {
  readonly sessions: readonly SessionSnapshot[];
  readonly sort: Sort;
  readonly isAscending: boolean;
  readonly onSort: (sort: Sort) => void;
}) {
  const strings = useStrings();
  const rowPx = useMedia(PHONE) ? CARD_PX : ROW_PX;
  const { list, from, to, abovePx, belowPx } = useVirtualRows<HTMLTableSectionElement>(
    sessions.length,
    rowPx,
  );
  return (
    <table className="session-table" aria-rowcount={sessions.length + 1} aria-label={strings.pages.sessions}>
      <thead>
        <tr>
          {COLUMNS.map((column) => {
            const sortKey = SORTS.find((known) => known === column);
            const isSorted = sortKey === sort;
            return (
              <th
                key={column}
                scope="col"
                className={column}
                aria-sort={isSorted ? (isAscending ? "ascending" : "descending") : undefined}
                title={column === "wait" ? strings.sessions.waitedTitle : undefined}
              >
                {sortKey === undefined ? (
                  strings.sessions.col[column]
                ) : (
                  <button type="button" className={isSorted ? "by" : ""} onClick={() => onSort(sortKey)}>
                    {strings.sessions.col[column]}
                    {isSorted && <Icon name={isAscending ? "up" : "down"} />}
                  </button>
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody ref={list}>
        {abovePx > 0 && <Spacer px={abovePx} />}
        {sessions.slice(from, to).map((session, index) => (
          <Row key={session.sessionId} session={session} index={from + index + 2} />
        ))}
        {belowPx > 0 && <Spacer px={belowPx} />}
      </tbody>
    </table>
  );
}

function Spacer({ px }: { readonly px: number }) {
  return (
    <tr className="spacer">
      <td colSpan={COLUMNS.length} style={{ height: px }} />
    </tr>
  );
}

const Row = memo(function Row({
  session,
  index,
}: {
  readonly session: SessionSnapshot;
  readonly index: number;
}) {
  const { now } = useStrings();
  const { action, endedAtIso, model } = session;
  const href = `/s/${encodeURIComponent(session.sessionId)}`;
  const activityText =
    session.waiting?.text ??
    (endedAtIso === null && action !== null
      ? `${action.toolName ?? ""} ${action.toolName === null ? daemonText(action.text) : action.text}`
      : withoutMarkdown(session.lastAssistantMessage ?? daemonText(session.why)));
  return (
    <tr
      data-row
      data-session={session.sessionId}
      aria-rowindex={index}
      onClick={(event) => {
        if (!event.defaultPrevented && getSelection()?.isCollapsed !== false) go(href);
      }}
    >
      <td className="state">
        <StateBadge session={session} />
      </td>
      <td className="session">
        <span className="title-line">
          <Link href={href} className="title cut">
            {titleOf(session).split("\n")[0]}
          </Link>
          <SessionMarkIcons sessionId={session.sessionId} />
          {session.requests.length > 1 && (
            <span className="more-requests">{fill(now.requests, { n: session.requests.length })}</span>
          )}
        </span>
        <span className="doing cut muted">{visibleText(activityText.trim().split("\n")[0] ?? "")}</span>
      </td>
      <td className="where cut muted">
        {visibleText(baseName(session.projectPath))}
        {session.gitBranch !== null && <span> ▸ {visibleText(session.gitBranch)}</span>}
      </td>
      <td className="model cut muted">{visibleText(model === null ? "–" : shortModelName(model))}</td>
      <td className="turns number muted">{session.turnCount}</td>
      <td className="wait number muted">
        <Waited session={session} />
      </td>
      <td className="cost number">{formatCost(session.cost)}</td>
      <td className="last number muted">
        <TimeAgo iso={session.lastEventAtIso} />
      </td>
    </tr>
  );
});

function Waited({ session }: { readonly session: SessionSnapshot }) {
  const ms = waitDurationMs(session, useNow());
  return <>{ms < 1_000 ? "–" : session.waiting === null ? formatShortDuration(ms) : formatDuration(ms)}</>;
}

function TimeAgo({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={formatDateTime(iso)}>
      {formatShortDuration(useNow() - Date.parse(iso))}
    </time>
  );
}
