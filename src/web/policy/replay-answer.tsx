import { useState } from "react";
import type { ReplayAnswer } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { JudgedList } from "./judged-list.tsx";

/** What the rules would have decided, and how that differs from what happened. */
export function ReplayAnswerView({ answer }: { readonly answer: ReplayAnswer }) {
  const { policy: strings } = useStrings();
  const [isOnlyChanged, setOnlyChanged] = useState(true);
  const { problems, changed, calls, asked, denied, rewritten, allowed } = answer;
  if (problems.length > 0)
    return (
      <ul className="rule-problems panel">
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            ✕ <code>{fill(strings.line, { line, column })}</code> {visibleText(message)}
          </li>
        ))}
      </ul>
    );
  const found =
    isOnlyChanged && (changed ?? 0) > 0 ? answer.found.filter(({ now }) => now !== null) : answer.found;
  return (
    <>
      <p>
        {fill(strings.replaySummary, { calls, asked, denied, rewritten, allowed })}{" "}
        {changed !== null && (
          <strong>{changed === 0 ? strings.noneDiffer : fill(strings.differs, { n: changed })}</strong>
        )}
      </p>
      {changed !== null && changed > 0 && (
        <label className="only">
          <input
            type="checkbox"
            checked={isOnlyChanged}
            onChange={(event) => setOnlyChanged(event.target.checked)}
          />{" "}
          {strings.onlyChanged}
        </label>
      )}
      {found.length > 0 && (
        <JudgedList
          calls={found}
          renderExtra={({ now }) =>
            now === null ? null : (
              <span className="badge">
                {fill(strings.currentVerdict, {
                  verdict: strings.verdict[now as keyof typeof strings.verdict] ?? now,
                })}
              </span>
            )
          }
        />
      )}
    </>
  );
}
