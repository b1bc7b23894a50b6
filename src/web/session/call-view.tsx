import { memo, type ReactNode, useContext, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { age } from "../words/amounts.ts";
import { fill, useWords } from "../words/words.ts";
import { CallBody } from "./call-body.tsx";
import { blobOf, hunksOf, isEdit } from "./call-hunks.ts";
import { CALL_SHAPES } from "./call-shapes.ts";
import { subjectOf, toolLabel } from "./call-subject.ts";
import { countChanges } from "./diff-lines.ts";
import { OpenRows } from "./open-rows.ts";
import type { Call } from "./pair-calls.ts";
import type { Entry } from "./story.ts";

type ShowEntry = (entry: Entry, folder: string | null) => ReactNode;

/** One tool call: a line that says what and how it went, and all of it when it is opened. */
export const CallView = memo(function CallView({
  call,
  inner,
  folder,
  show,
}: {
  readonly call: Call;
  readonly inner: readonly Entry[];
  readonly folder: string | null;
  /** How one of the inner entries is shown. */
  readonly show: ShowEntry;
}) {
  const { session } = useWords();
  const rows = useContext(OpenRows);
  const [isOpen, setOpen] = useState(() => rows.get(call.key) ?? opensByItself(call));
  const toggle = (): void => {
    rows.set(call.key, !isOpen);
    setOpen(!isOpen);
  };
  const { status, toolName, kind, output, startMs, endMs } = call;
  // A subagent's last words are what its call gives back.
  const steps = inner.filter(
    (entry) => entry.type !== "answer" || !output?.includes(entry.text.trim().slice(0, 200)),
  );
  const isWaiting = status === "running" && (call.asked || kind === "question");
  return (
    <div className={`call-view ${isWaiting ? "waiting" : status}`}>
      <button type="button" className="summary" aria-expanded={isOpen} data-row onClick={toggle}>
        <span className="shape">
          <Icon name={isWaiting ? "diamond" : CALL_SHAPES[status]} />
        </span>
        <span className="sr-only">{session.status[status]}</span>
        <span className="tool">{visibleText(toolLabel(toolName))}</span>
        <code className="subject cut">{visibleText(subjectOf(call, folder))}</code>
        <span className="meta muted">
          {call.asked && <span className="asked-tag">{session.asked}</span>}
          {steps.length > 0 && <span>{fill(session.steps, { n: steps.length })}</span>}
          {isEdit(kind) ? (
            <Changes call={call} />
          ) : (
            output?.includes("\n") && <span>{fill(session.lines, { n: output.split("\n").length })}</span>
          )}
          {endMs !== null && endMs - startMs >= 1_000 && <span>{age(endMs - startMs)}</span>}
        </span>
      </button>
      {isOpen && (
        <CallBody call={call} folder={folder}>
          {steps.length > 0 && <Inner entries={steps} folder={folder} show={show} />}
        </CallBody>
      )}
    </div>
  );
});

function Changes({ call: { kind, input, patch, metadata } }: { readonly call: Call }) {
  const { lineCount } = metadata;
  const isCut = blobOf(input) !== null || blobOf(patch) !== null;
  // Of what is kept elsewhere only the agent's own count is known here.
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

/** What a subagent did, a step to the right. */
function Inner({
  entries,
  folder,
  show,
}: {
  readonly entries: readonly Entry[];
  readonly folder: string | null;
  readonly show: ShowEntry;
}) {
  const { session } = useWords();
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

/** What changed files, what went wrong and what was asked is read more often than not. */
function opensByItself({ kind, status }: Call): boolean {
  return isEdit(kind) || status === "failed" || status === "denied" || kind === "question" || kind === "plan";
}
