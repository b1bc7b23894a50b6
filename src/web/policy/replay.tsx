import { useState } from "react";
import type { ReplayAnswer } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { SegmentedControl } from "../components/segmented-control.tsx";
import { useStrings } from "../i18n/strings.ts";
import { DraftBar } from "./draft-bar.tsx";
import { ReplayAnswerView } from "./replay-answer.tsx";
import { RuleProblemList } from "./rule-problems.tsx";
import type { RulesDraft } from "./use-rules-draft.ts";

const DAY_MS = 86_400_000;
const EXAMPLE_RULES =
  '{\n  "tools": [\n    { "match": "Bash(git push*)", "then": "ask", "reason": "Pushing is for people." }\n  ]\n}\n';

/** Evaluates proposed rules against recorded calls. */
export function Replay({ draft, file }: { readonly draft: RulesDraft; readonly file: string }) {
  const { policy: strings, usage, search } = useStrings();
  const text = draft.text === "" && !draft.isChanged ? EXAMPLE_RULES : draft.text;
  const [range, setRange] = useState<number>(7);
  const [answer, setAnswer] = useState<ReplayAnswer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const runReplay = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const since = new Date(Date.now() - range * DAY_MS).toISOString();
    await send<ReplayAnswer>("POST", "/api/policy/replay", { rules: text, since }).then(
      setAnswer,
      (error: Error) => setError(error.message),
    );
    setBusy(false);
  };
  return (
    <section className="replay" aria-labelledby="replay">
      <div className="replay-rules">
        <h2 id="replay">{strings.replay}</h2>
        <p className="muted">{strings.replayHint}</p>
        <textarea
          className="field mono"
          rows={18}
          spellCheck={false}
          aria-label={strings.rulesText}
          value={text}
          onChange={(event) => draft.setText(event.target.value)}
        />
        <div className="button-row">
          <button type="button" className="button primary" disabled={isBusy} onClick={() => void runReplay()}>
            {isBusy ? strings.running : strings.runReplay}
          </button>
          <SegmentedControl
            label={usage.range}
            options={[
              [1, search.last24Hours],
              [7, search.last7Days],
              [30, search.last30Days],
            ]}
            selected={range}
            onSelect={setRange}
          />
        </div>
        <RuleProblemList file={file} text={text} problems={draft.problems} />
        <DraftBar draft={draft} file={file} />
      </div>
      <div className="replay-answer" aria-live="polite">
        {error !== null && (
          <p className="error-text" role="alert">
            {visibleText(error)}
          </p>
        )}
        {answer !== null && <ReplayAnswerView answer={answer} />}
      </div>
    </section>
  );
}
