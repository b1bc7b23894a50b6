import { visibleText } from "../../shown/visible-text.ts";
import { baseName } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import type { RuleProblems } from "./use-rules-draft.ts";

const MAX_LINE_CHARS = 300;

/** The problems of a rules file, each with its line. */
export function RuleProblemList({
  file,
  text,
  problems,
}: {
  readonly file: string;
  readonly text: string;
  readonly problems: RuleProblems;
}) {
  const { policy: strings } = useStrings();
  if (problems.length === 0) return null;
  const lines = text.split("\n");
  return (
    <div className="rule-problems panel" role="alert">
      <h3>✕ {strings.problems}</h3>
      <ul>
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            <code title={visibleText(file)}>
              {visibleText(baseName(file))}:{line}:{column}
            </code>{" "}
            {visibleText(message)}
            <MarkedLine text={lines[line - 1] ?? ""} column={column} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The line, marked from the column on. */
function MarkedLine({ text, column }: { readonly text: string; readonly column: number }) {
  const start = Math.max(0, column - 1 - MAX_LINE_CHARS / 2);
  const before = text.slice(start, column - 1);
  const after = text.slice(column - 1, start + MAX_LINE_CHARS);
  return (
    <pre className="excerpt">
      {visibleText(before)}
      <mark>{visibleText(after === "" ? " " : after)}</mark>
    </pre>
  );
}
