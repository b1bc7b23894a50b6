import { memo } from "react";
import type { SessionDetail } from "../../serve/contract.ts";
import { estimateText, microsText } from "../../shown/cost-text.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { formatCount, formatDuration, formatTime } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CallView } from "./call-view.tsx";
import type { ChatEntry, Entry, EnvelopeOf } from "./entry.ts";
import { FoldedText } from "./folded-text.tsx";
import { markText } from "./mark-text.ts";
import { Markdown } from "./markdown.tsx";
import { NoticeLine } from "./notice-line.tsx";
import "./conversation.css";

type Turn = SessionDetail["turns"][number];

/** One entry of a conversation, with its time next to it. */
export const EntryView = memo(function EntryView({
  entry,
  folder,
  turn,
}: {
  readonly entry: ChatEntry;
  readonly folder: string | null;
  /** The turn that starts or ends here. */
  readonly turn?: Turn | undefined;
}) {
  return (
    <div className={`entry ${entry.type}`}>
      <time dateTime={new Date(entry.atMs).toISOString()}>
        {formatTime(new Date(entry.atMs).toISOString())}
      </time>
      <div className="content">
        <Content entry={entry} folder={folder} turn={turn} />
      </div>
    </div>
  );
});

function showEntry(entry: Entry, folder: string | null) {
  return <EntryView key={entry.key} entry={entry} folder={folder} />;
}

function Content({
  entry,
  folder,
  turn,
}: {
  readonly entry: ChatEntry;
  readonly folder: string | null;
  readonly turn: Turn | undefined;
}) {
  const strings = useStrings();
  const { session, steer } = strings;
  switch (entry.type) {
    case "prompt":
      return (
        <article
          className={`message prompt ${entry.isMachine ? "machine" : ""}`}
          data-row
          tabIndex={-1}
          aria-label={entry.isMachine ? session.machinePrompt : session.prompt}
        >
          <h2>
            {entry.isMachine ? session.machinePrompt : session.prompt}
            {turn?.number != null && !entry.isMachine && <span className="turn-number"> {turn.number}</span>}
          </h2>
          {entry.text === null ? (
            <p className="muted">{entry.isForgotten ? session.forgottenPrompt : session.privatePrompt}</p>
          ) : entry.isMachine ? (
            <FoldedText text={entry.text} lines={4} />
          ) : (
            <Markdown text={entry.text} />
          )}
          {(entry.images ?? 0) > 0 && <p className="muted">{fill(steer.images, { n: entry.images! })}</p>}
        </article>
      );
    case "answer":
      return (
        <article className="message answer" aria-label={steer.agent}>
          <Markdown text={entry.text} />
          {entry.aborted && <span className="muted"> · {steer.aborted}</span>}
          {entry.error != null && <p className="error-text">{visibleText(entry.error)}</p>}
        </article>
      );
    case "call":
      return <CallView call={entry.call} inner={entry.inner} folder={folder} renderEntry={showEntry} />;
    case "mark":
      return (
        <div className={`rule ${entry.kind}`}>
          <span>
            {session.mark[entry.kind]}
            {markText(entry, strings) !== "" && <span className="what"> {markText(entry, strings)}</span>}
            {entry.kind === "settled" && entry.detail !== null && (
              <span> {fill(session.settledBy, { who: visibleText(entry.detail) })}</span>
            )}
          </span>
          {entry.kind === "compaction" && entry.detail !== null && (
            <details>
              <summary>{session.summary}</summary>
              <Markdown text={entry.detail} />
            </details>
          )}
        </div>
      );
    case "notice":
      return <NoticeLine envelope={entry.envelope} />;
    case "turnEnd":
      return entry.result !== undefined ? (
        <TurnResult result={entry.result} />
      ) : (
        <p className={`turn-end ${entry.failed === null ? "" : "bad"}`}>
          {entry.failed === null
            ? session.turnDone
            : fill(session.turnFailed, { why: visibleText(entry.failed) })}
          {turn !== undefined && <TurnFacts turn={turn} />}
        </p>
      );
    default:
      return entry satisfies never;
  }
}

function TurnFacts({ turn }: { readonly turn: Turn }) {
  const { session, unit } = useStrings();
  const { tokens, costMicros, toolCount, failedToolCount, startedAtIso, endedAtIso } = turn;
  const used = tokens.input + tokens.output + tokens.cacheWrite;
  return (
    <>
      {endedAtIso !== null && (
        <span>{formatDuration(Date.parse(endedAtIso) - Date.parse(startedAtIso))}</span>
      )}
      {toolCount > 0 && <span>{fill(session.calls, { n: toolCount })}</span>}
      {failedToolCount > 0 && <span className="bad">{fill(session.failed, { n: failedToolCount })}</span>}
      {used > 0 && <span>{fill(unit.tokens, { n: formatCount(used) })}</span>}
      {costMicros !== null && <span>{estimateText(costMicros)}</span>}
    </>
  );
}

function TurnResult({ result }: { readonly result: EnvelopeOf<"result"> }) {
  const { steer } = useStrings();
  const { ok, outcome, message, apiStatus, durationMs, turnCostUsd, totalCostUsd } = result;
  const isStopped = outcome === "interrupted";
  const totalCost = microsText(totalCostUsd * 1_000_000);
  const turnCost = microsText((turnCostUsd ?? totalCostUsd) * 1_000_000);
  return (
    <p className={`turn-end ${ok || isStopped ? "" : "bad"}`}>
      <span>
        {ok
          ? fill(steer.done, { age: formatDuration(durationMs) })
          : fill(steer.ended, { outcome: steer.turnOutcome[outcome] })}
        {apiStatus !== null && !ok && ` (${apiStatus})`}
      </span>
      <span>
        {turnCost === totalCost ? turnCost : fill(steer.costOfTotal, { cost: turnCost, total: totalCost })}
      </span>
      {!ok && !isStopped && message !== null && <span className="why">{visibleText(message)}</span>}
    </p>
  );
}
