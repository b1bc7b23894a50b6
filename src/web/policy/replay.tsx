import { useState } from "react";
import type { PolicyReport, ReplayAnswer } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { JudgedList } from "./judged-list.tsx";

const DAY_MS = 86_400_000;
const EMPTY =
  '{\n  "tools": [\n    { "match": "Bash(git push*)", "then": "ask", "reason": "Pushing is for people." }\n  ]\n}\n';

/** Evaluates proposed rules against recorded calls. */
export function Replay({ report, onSaved }: { readonly report: PolicyReport; readonly onSaved: () => void }) {
  const { policy: words, usage, search } = useStrings();
  const [text, setText] = useState(report.text ?? EMPTY);
  const [range, setRange] = useState<number>(7);
  const [answer, setAnswer] = useState<ReplayAnswer | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setTrouble(null);
    setSaved(false);
    await act().catch((error: Error) => setTrouble(error.message));
    setBusy(false);
  };
  const judge = (): Promise<void> =>
    attempt(async () => {
      const since = new Date(Date.now() - range * DAY_MS).toISOString();
      setAnswer(await send<ReplayAnswer>("POST", "/api/policy/replay", { rules: text, since }));
    });
  const save = (): Promise<void> =>
    attempt(async () => {
      await send("PUT", "/api/rules", { text, was: report.text });
      setSaved(true);
      onSaved();
    });
  const isChanged = text !== (report.text ?? "");
  return (
    <section className="replay" aria-labelledby="replay">
      <div className="replay-rules">
        <h2 id="replay">{words.replay}</h2>
        <p className="muted">{words.replayHint}</p>
        <textarea
          className="field mono"
          rows={18}
          spellCheck={false}
          aria-label={words.rulesText}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="acts">
          <button type="button" className="button primary" disabled={isBusy} onClick={() => void judge()}>
            {isBusy ? words.running : words.runReplay}
          </button>
          <SegmentedControl
            label={usage.range}
            choices={[
              [1, search.last24Hours],
              [7, search.last7Days],
              [30, search.last30Days],
            ]}
            chosen={range}
            onChoose={setRange}
          />
          <button
            type="button"
            className="button end"
            disabled={isBusy || !isChanged}
            title={visibleText(report.file)}
            onClick={() => void save()}
          >
            {words.save}
          </button>
        </div>
      </div>
      <div className="replay-answer" aria-live="polite">
        {trouble !== null && (
          <p className="trouble" role="alert">
            {visibleText(trouble)}
          </p>
        )}
        {isSaved && <p className="trusted">✓ {fill(words.saved, { file: visibleText(report.file) })}</p>}
        {answer !== null && <Answer answer={answer} />}
      </div>
    </section>
  );
}

function Answer({ answer }: { readonly answer: ReplayAnswer }) {
  const { policy: words } = useStrings();
  const [isOnlyChanged, setOnlyChanged] = useState(true);
  const { problems, changed, calls, asked, denied, rewritten, allowed } = answer;
  if (problems.length > 0)
    return (
      <ul className="rule-problems panel">
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            ✕ <code>{fill(words.line, { line, column })}</code> {visibleText(message)}
          </li>
        ))}
      </ul>
    );
  const found =
    isOnlyChanged && (changed ?? 0) > 0 ? answer.found.filter(({ now }) => now !== null) : answer.found;
  return (
    <>
      <p>
        {fill(words.replaySummary, { calls, asked, denied, rewritten, allowed })}{" "}
        {changed !== null && (
          <strong>{changed === 0 ? words.noneDiffer : fill(words.differs, { n: changed })}</strong>
        )}
      </p>
      {changed !== null && changed > 0 && (
        <label className="only">
          <input
            type="checkbox"
            checked={isOnlyChanged}
            onChange={(event) => setOnlyChanged(event.target.checked)}
          />{" "}
          {words.onlyChanged}
        </label>
      )}
      {found.length > 0 && (
        <JudgedList
          calls={found}
          beside={({ now }) =>
            now === null ? null : (
              <span className="badge">
                {fill(words.currentVerdict, {
                  verdict: words.verdict[now as keyof typeof words.verdict] ?? now,
                })}
              </span>
            )
          }
        />
      )}
    </>
  );
}
