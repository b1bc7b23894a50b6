import { useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";
import "./folded-text.css";

const MAX_LINE_CHARS = 1_000;

/** A tool's output: the first lines (the last for an error), all on demand. Terminal colours are removed. */
export function FoldedText({
  text,
  lines = 10,
  from = "start",
  tone,
}: {
  readonly text: string;
  readonly lines?: number;
  readonly from?: "start" | "end";
  readonly tone?: "bad" | undefined;
}) {
  const { session, app } = useStrings();
  const [isOpen, setOpen] = useState(false);
  const all = withoutColors(text).split("\n");
  // Don't fold when it would save only a line or two.
  const isLong = all.length > lines + 3;
  const shown = isOpen || !isLong ? all : from === "start" ? all.slice(0, lines) : all.slice(-lines);
  const isCut = shown.some((line) => line.length > MAX_LINE_CHARS);
  const toggle = isLong && (
    <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? session.showLess : fill(session.allLines, { n: all.length })}
    </button>
  );
  return (
    <div className={`folded-text ${tone ?? ""}`}>
      {from === "end" && !isOpen && toggle}
      <pre>
        <code>
          {shown
            .map((line) =>
              visibleText(
                !isOpen && line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line,
              ),
            )
            .join("\n")}
        </code>
      </pre>
      {(from === "start" || isOpen) && toggle}
      {isCut && !isLong && !isOpen && (
        <button type="button" className="fold" onClick={() => setOpen(true)}>
          {fill(session.allChars, { n: text.length })}
        </button>
      )}
      <CopyButton className="copy" text={text} label={app.copy} />
    </div>
  );
}

/** Removes terminal colours. */
function withoutColors(text: string): string {
  return text
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "");
}
