import { Fragment, memo, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { changedPart, type Hunk } from "./diff-lines.ts";
import "./diff-view.css";

const FIRST_LINES = 60;

/** A unified diff with line numbers, and the changed words highlighted within a changed line. */
export const DiffView = memo(function DiffView({
  hunks,
  first = FIRST_LINES,
}: {
  readonly hunks: readonly Hunk[];
  readonly first?: number;
}) {
  const { session } = useStrings();
  const [isOpen, setOpen] = useState(false);
  let room = isOpen ? Number.POSITIVE_INFINITY : first;
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    <div className="diff-view">
      {hunks.map((hunk, index) => {
        const lines = hunk.lines.slice(0, Math.max(0, room));
        room -= hunk.lines.length;
        return lines.length === 0 ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: hunks of one diff keep their order
          <Fragment key={index}>
            {index > 0 && <div className="between" aria-hidden="true" />}
            <Lines hunk={{ ...hunk, lines }} />
          </Fragment>
        );
      })}
      {!isOpen && total > first && (
        <button type="button" className="button bare more" onClick={() => setOpen(true)}>
          {fill(session.moreLines, { n: total - first })}
        </button>
      )}
    </div>
  );
});

function Lines({ hunk }: { readonly hunk: Hunk }) {
  const { session } = useStrings();
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const isPlaced = hunk.oldStart > 0 || hunk.newStart > 0;
  const parts = pairRuns(hunk.lines);
  return hunk.lines.map((line, index) => {
    const sign = line[0];
    const isOld = sign === "-";
    const isNew = sign === "+";
    const number = isPlaced ? (isOld ? oldLine : newLine) : null;
    if (!isNew) oldLine++;
    if (!isOld) newLine++;
    const label = isOld ? session.lineRemoved : isNew ? session.lineAdded : null;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff keep their order
      <div key={index} className={`line ${isOld ? "old" : isNew ? "new" : ""}`}>
        <span className="line-number" aria-hidden="true">
          {number}
        </span>
        <span className="sign" aria-hidden="true">
          {isOld ? "−" : isNew ? "+" : ""}
        </span>
        <code>
          {label !== null && <span className="sr-only">{label} </span>}
          {mark(line.slice(1), parts.get(index))}
        </code>
      </div>
    );
  });
}

const LONGEST = 2_000;

function mark(text: string, part: readonly [number, number] | undefined) {
  if (text.length > LONGEST) return `${visibleText(text.slice(0, LONGEST))}…`;
  if (part === undefined || part[0] >= part[1]) return visibleText(text);
  return (
    <>
      {visibleText(text.slice(0, part[0]))}
      <mark>{visibleText(text.slice(...part))}</mark>
      {visibleText(text.slice(part[1]))}
    </>
  );
}

/** Pairs removed lines with the lines that replace them, one to one if their numbers match. */
function pairRuns(lines: readonly string[]): Map<number, readonly [number, number]> {
  const parts = new Map<number, readonly [number, number]>();
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]!.startsWith("-")) continue;
    let middle = at;
    while (lines[middle]?.startsWith("-")) middle++;
    let end = middle;
    while (lines[end]?.startsWith("+")) end++;
    for (let n = 0; middle - at === end - middle && at + n < middle; n++) {
      const changed = changedPart(lines[at + n]!.slice(1), lines[middle + n]!.slice(1));
      if (changed === null) continue;
      parts.set(at + n, changed.old);
      parts.set(middle + n, changed.new);
    }
    at = end - 1;
  }
  return parts;
}
