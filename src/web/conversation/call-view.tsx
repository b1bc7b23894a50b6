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

type ShowEntry = (entry: Entry, folder: string | null) => ReactNode;

/** One tool call: a line with its subject and outcome, and all of it when expanded. A pending request replaces the line. */
export const CallView = memo(function CallView({
  call,
  inner,
  folder,
  show,
}: {
  readonly call: Call;
  readonly inner: readonly Entry[];
  readonly folder: string | null;
  /** Renders one of the inner entries. */
  readonly show: ShowEntry;
}) {
  const rows = useContext(OpenRows);
  const [isOpen, setOpen] = useState(() => rows.get(call.key) ?? opensByDefault(call));
  const toggle = (): void => {
    rows.set(call.key, !isOpen);
    setOpen(!isOpen);
  };
  const { status, kind, output, driven } = call;
  const isAsking = isWaiting(call);
  const place = useReservedHeight(isAsking);
  // A subagent's last message is the output of its call.
  const steps = inner.filter(
    (entry) => entry.type !== "answer" || !output?.includes(entry.text.trim().slice(0, 200)),
  );
  const waits = isAsking || (status === "running" && (call.asked || kind === "question"));
  const innerList = steps.length > 0 && <Inner entries={steps} folder={folder} show={show} />;
  return (
    <div className={`call-view ${waits ? "waiting" : status}`} {...place}>
      {isAsking ? (
        <InlineRequest call={call} requestId={driven!.request!.requestId} />
      ) : (
        <button type="button" className="summary" aria-expanded={isOpen} data-row onClick={toggle}>
          <Summary call={call} folder={folder} steps={steps.length} isWaiting={waits} />
        </button>
      )}
      {driven !== undefined && !isAsking && <SettledLine call={call} driven={driven} />}
      {isOpen && !isAsking ? (
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
  isWaiting: waits,
}: {
  readonly call: Call;
  readonly folder: string | null;
  readonly steps: number;
  readonly isWaiting: boolean;
}) {
  const { session } = useStrings();
  const { status, toolName, kind, output, startMs, endMs } = call;
  return (
    <>
      <span className="shape">
        <Icon name={waits ? "diamond" : CALL_SHAPES[status]} />
      </span>
      <span className="sr-only">{session.status[status]}</span>
      <span className="tool">{visibleText(toolLabel(toolName))}</span>
      <code className="subject cut">{visibleText(subjectOf(call, folder))}</code>
      <span className="meta muted">
        {call.asked && call.driven === undefined && <span className="asked-tag">{session.askedYou}</span>}
        {steps > 0 && <span>{fill(session.steps, { n: steps })}</span>}
        {isEdit(kind) ? (
          <Changes call={call} />
        ) : (
          output?.includes("\n") && <span>{fill(session.lines, { n: output.split("\n").length })}</span>
        )}
        {status === "running" && <Running sinceMs={startMs} />}
        {endMs !== null && endMs - startMs >= 1_000 && <span>{formatDuration(endMs - startMs)}</span>}
      </span>
    </>
  );
}

function Running({ sinceMs }: { readonly sinceMs: number }) {
  const { steer } = useStrings();
  return <span>{fill(steer.running, { age: formatDuration(useNow() - sinceMs) })}</span>;
}

function Changes({ call: { kind, input, patch, metadata } }: { readonly call: Call }) {
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

const FIRST_INNER = 40;

/** What a subagent did, indented. */
function Inner({
  entries,
  folder,
  show,
}: {
  readonly entries: readonly Entry[];
  readonly folder: string | null;
  readonly show: ShowEntry;
}) {
  const { session } = useStrings();
  const [most, setMost] = useState(FIRST_INNER);
  return (
    <div className="inner">
      {entries.slice(0, most).map((entry) => show(entry, folder))}
      {entries.length > most && (
        <button type="button" className="button bare" onClick={() => setMost(most * 5)}>
          {fill(session.moreSteps, { n: entries.length - most })}
        </button>
      )}
    </div>
  );
}

/** File changes, failures and questions are usually read; why a call was denied is already on its line. */
function opensByDefault(call: Call): boolean {
  const { kind, driven } = call;
  const isExplained = driven?.settled != null || driven?.decision?.verdict === "deny";
  return isEdit(kind) || kind === "question" || kind === "plan" || (isBad(call) && !isExplained);
}
