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
const EMPTY =
  '{\n  "tools": [\n    { "match": "Bash(git push*)", "then": "ask", "reason": "Pushing is for people." }\n  ]\n}\n';

/** Evaluates proposed rules against recorded calls. */
export function Replay({ draft, file }: { readonly draft: RulesDraft; readonly file: string }) {
  const { policy: words, usage, search } = useStrings();
  const text = draft.text === "" && !draft.isChanged ? EMPTY : draft.text;
  const [range, setRange] = useState<number>(7);
  const [answer, setAnswer] = useState<ReplayAnswer | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const judge = async (): Promise<void> => {
    setBusy(true);
    setTrouble(null);
    const since = new Date(Date.now() - range * DAY_MS).toISOString();
    await send<ReplayAnswer>("POST", "/api/policy/replay", { rules: text, since }).then(
      setAnswer,
      (error: Error) => setTrouble(error.message),
    );
    setBusy(false);
  };
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
          onChange={(event) => draft.setText(event.target.value)}
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
        </div>
        <RuleProblemList file={file} text={text} problems={draft.problems} />
        <DraftBar draft={draft} file={file} />
      </div>
      <div className="replay-answer" aria-live="polite">
        {trouble !== null && (
          <p className="trouble" role="alert">
            {visibleText(trouble)}
          </p>
        )}
        {answer !== null && <ReplayAnswerView answer={answer} />}
      </div>
    </section>
  );
}
