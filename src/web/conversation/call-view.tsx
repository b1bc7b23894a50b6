import { memo, type ReactNode, useContext, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useNow } from "../api/clock.ts";
import { Icon } from "../components/icon.tsx";
import { useReservedHeight } from "../components/use-reserved-height.ts";
import { formatDuration } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CallBody } from "./call-body.tsx";
import { blobHashOf, hunksOf, isEdit } from "./call-hunks.ts";
import { CALL_SHAPES } from "./call-shapes.ts";
import { subjectOf, toolLabel } from "./call-subject.ts";
import { countChanges } from "./diff-lines.ts";
import { type Call, type Entry, isBad, isWaiting } from "./entry.ts";
import { InlineRequest, SettledLine } from "./inline-request.tsx";
import { OpenRows } from "./open-rows.ts";

type RenderEntry = (entry: Entry, folder: string | null) => ReactNode;

/** A tool call: a summary line, with details when expanded. A pending request replaces the line. */
export const CallView = memo(function CallView({
  call,
  inner,
  folder,
  renderEntry,
}: {
  readonly call: Call;
  readonly inner: readonly Entry[];
  readonly folder: string | null;
  /** Renders one of the inner entries. */
  readonly renderEntry: RenderEntry;
}) {
  const rows = useContext(OpenRows);
  const [isOpen, setOpen] = useState(() => rows.get(call.key) ?? opensByDefault(call));
  const toggle = (): void => {
    rows.set(call.key, !isOpen);
    setOpen(!isOpen);
  };
  const { status, kind, output, driven } = call;
  const isRequesting = isWaiting(call);
  const reserved = useReservedHeight(isRequesting);
  // A subagent's last message is the output of its call.
  const steps = inner.filter(
    (entry) => entry.type !== "answer" || !output?.includes(entry.text.trim().slice(0, 200)),
  );
  const isPending = isRequesting || (status === "running" && (call.asked || kind === "question"));
  const innerList = steps.length > 0 && (
    <InnerSteps entries={steps} folder={folder} renderEntry={renderEntry} />
  );
  return (
    <div className={`call-view ${isPending ? "waiting" : status}`} {...reserved}>
      {isRequesting ? (
        <InlineRequest call={call} requestId={driven!.request!.requestId} />
      ) : (
        <button type="button" className="summary" aria-expanded={isOpen} data-row onClick={toggle}>
          <Summary call={call} folder={folder} steps={steps.length} isPending={isPending} />
        </button>
      )}
      {driven !== undefined && !isRequesting && <SettledLine call={call} driven={driven} />}
      {isOpen && !isRequesting ? (
        <CallBody call={call} folder={folder}>
          {innerList}
        </CallBody>
      ) : (
        (status === "running" || inner.some((entry) => entry.type === "call" && isWaiting(entry.call))) &&
        innerList
      )}
    </div>
  );
});

function Summary({
  call,
  folder,
  steps,
  isPending,
}: {
  readonly call: Call;
  readonly folder: string | null;
  readonly steps: number;
  readonly isPending: boolean;
}) {
  const { session } = useStrings();
  const { status, toolName, kind, output, startMs, endMs } = call;
  return (
    <>
      <span className="shape">
        <Icon name={isPending ? "diamond" : CALL_SHAPES[status]} />
      </span>
      <span className="sr-only">{session.status[status]}</span>
      <span className="tool">{visibleText(toolLabel(toolName))}</span>
      <code className="subject cut">{visibleText(subjectOf(call, folder))}</code>
      <span className="meta muted">
        {call.asked && call.driven === undefined && <span className="asked-badge">{session.askedYou}</span>}
        {steps > 0 && <span>{fill(session.steps, { n: steps })}</span>}
        {isEdit(kind) ? (
          <ChangeCounts call={call} />
        ) : (
          output?.includes("\n") && <span>{fill(session.lines, { n: output.split("\n").length })}</span>
        )}
        {status === "running" && <RunningTime sinceMs={startMs} />}
        {endMs !== null && endMs - startMs >= 1_000 && <span>{formatDuration(endMs - startMs)}</span>}
      </span>
    </>
  );
}

function RunningTime({ sinceMs }: { readonly sinceMs: number }) {
  const { steer } = useStrings();
  return <span>{fill(steer.running, { age: formatDuration(useNow() - sinceMs) })}</span>;
}

function ChangeCounts({ call: { kind, input, patch, metadata } }: { readonly call: Call }) {
  const { lineCount } = metadata;
  const isCut = blobHashOf(input) !== null || blobHashOf(patch) !== null;
  // If the content is stored elsewhere, only the agent's own count is known here.
  if (isCut && (kind !== "write" || typeof lineCount !== "number")) return null;
  const { added, removed } = isCut
    ? { added: lineCount as number, removed: 0 }
    : countChanges(hunksOf(kind, input, patch));
  return (
    <span className="changes">
      {added > 0 && <span className="added">+{added}</span>}
      {removed > 0 && <span className="removed">−{removed}</span>}
    </span>
  );
}

const INITIAL_STEPS = 40;

/** What a subagent did, indented. */
function InnerSteps({
  entries,
  folder,
  renderEntry,
}: {
  readonly entries: readonly Entry[];
  readonly folder: string | null;
  readonly renderEntry: RenderEntry;
}) {
  const { session } = useStrings();
  const [shownCount, setShownCount] = useState(INITIAL_STEPS);
  return (
    <div className="inner">
      {entries.slice(0, shownCount).map((entry) => renderEntry(entry, folder))}
      {entries.length > shownCount && (
        <button type="button" className="button bare" onClick={() => setShownCount(shownCount * 5)}>
          {fill(session.moreSteps, { n: entries.length - shownCount })}
        </button>
      )}
    </div>
  );
}

/** File changes, failures and questions start open; a denial's reason is already on its line. */
function opensByDefault(call: Call): boolean {
  const { kind, driven } = call;
  const isExplained = driven?.settled != null || driven?.decision?.verdict === "deny";
  return isEdit(kind) || kind === "question" || kind === "plan" || (isBad(call) && !isExplained);
}
