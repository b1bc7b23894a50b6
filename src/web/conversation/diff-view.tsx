import { Fragment, memo, useMemo, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { type Hunk, markChanges, type Ranges } from "./diff-lines.ts";
import type { Token } from "./highlight.ts";
import { markTokens } from "./line-tokens.ts";
import { useHighlight } from "./use-highlight.ts";
import "./diff-view.css";

const INITIAL_LINES = 60;

/** A unified diff with line numbers and syntax colours; changed words are marked within a changed line. */
export const DiffView = memo(function DiffView({
  hunks,
  path,
  initialLines = INITIAL_LINES,
}: {
  readonly hunks: readonly Hunk[];
  /** The file's path, which determines the language. */
  readonly path: string;
  readonly initialLines?: number | undefined;
}) {
  const { session } = useStrings();
  const [isOpen, setOpen] = useState(false);
  let remaining = isOpen ? Number.POSITIVE_INFINITY : initialLines;
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    <div className="diff-view">
      {hunks.map((hunk, index) => {
        const maxLines = remaining;
        remaining -= hunk.lines.length;
        return maxLines <= 0 ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: hunks of one diff keep their order
          <Fragment key={index}>
            {index > 0 && <div className="between" aria-hidden="true" />}
            <Lines hunk={hunk} maxLines={maxLines} path={path} />
          </Fragment>
        );
      })}
      {!isOpen && total > initialLines && (
        <button type="button" className="button bare more" onClick={() => setOpen(true)}>
          {fill(session.moreLines, { n: total - initialLines })}
        </button>
      )}
    </div>
  );
});

function Lines({
  hunk,
  maxLines,
  path,
}: {
  readonly hunk: Hunk;
  readonly maxLines: number;
  readonly path: string;
}) {
  const { session } = useStrings();
  const changes = useMemo(() => markChanges(hunk.lines), [hunk]);
  const tokens = useHighlight(hunk, path);
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const hasPosition = hunk.oldStart > 0 || hunk.newStart > 0;
  return hunk.lines.slice(0, maxLines).map((line, index) => {
    const sign = line[0];
    const isOld = sign === "-";
    const isNew = sign === "+";
    const number = hasPosition ? (isOld ? oldLine : newLine) : null;
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
          <LineText text={line.slice(1)} tokens={tokens.get(index)} changed={changes.get(index) ?? []} />
        </code>
      </div>
    );
  });
}

const MAX_LINE_CHARS = 2_000;

function LineText({
  text,
  tokens = [{ text, className: "" }],
  changed,
}: {
  readonly text: string;
  readonly tokens: readonly Token[] | undefined;
  readonly changed: Ranges;
}) {
  if (text.length > MAX_LINE_CHARS) return `${visibleText(text.slice(0, MAX_LINE_CHARS))}…`;
  return markTokens(tokens, changed).map(({ text: tokenText, className, isChanged }, index) => {
    const Tag = isChanged ? "mark" : "span";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one line keep their order
      <Tag key={index} className={className === "" ? undefined : className}>
        {visibleText(tokenText)}
      </Tag>
    );
  });
}
