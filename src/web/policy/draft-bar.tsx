import { useState } from "react";
import type { ReplayAnswer } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";
import { ReplayAnswerView } from "./replay-answer.tsx";
import type { RulesDraft } from "./use-rules-draft.ts";

/** Unsaved rules: tests them on recorded calls, saves or discards them. */
export function DraftBar({ draft, file }: { readonly draft: RulesDraft; readonly file: string }) {
  const { ruleEditor: strings } = useStrings();
  const name = { file: visibleText(baseName(file)) };
  if (draft.isSaved)
    return (
      <p className="trusted" role="status">
        ✓ {fill(strings.saved, { file: visibleText(file) })}
      </p>
    );
  if (!draft.isChanged) return null;
  return (
    <section className="draft-bar panel" aria-label={strings.unsaved}>
      <p>
        <strong>{strings.unsaved}</strong>{" "}
        <span className="muted" title={visibleText(file)}>
          {fill(strings.unsavedHint, name)}
        </span>
      </p>
      <DraftActions key={draft.text} draft={draft} />
      {draft.error !== null && (
        <p className="error-text" role="alert">
          {draft.isStale ? fill(strings.changedOnDisk, name) : visibleText(draft.error)}{" "}
          {draft.isStale && (
            <>
              <button type="button" className="button small" onClick={draft.discard}>
                {strings.reload}
              </button>{" "}
              <CopyButton text={draft.text} label={strings.copyJson} className="button small" />
            </>
          )}
        </p>
      )}
    </section>
  );
}

function DraftActions({ draft }: { readonly draft: RulesDraft }) {
  const { ruleEditor: strings } = useStrings();
  const [tested, setTested] = useState<"running" | ReplayAnswer | Error | null>(null);
  const test = (): void => {
    setTested("running");
    send<ReplayAnswer>("POST", "/api/policy/replay", { rules: draft.text }).then(setTested, setTested);
  };
  const isBusy = draft.isBusy || tested === "running";
  return (
    <>
      <p className="button-row">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void draft.save()}>
          {strings.save}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={test}>
          {tested === "running" ? strings.testing : strings.test}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={draft.discard}>
          {strings.discard}
        </button>
      </p>
      <div className="tested" aria-live="polite">
        {tested instanceof Error && <p className="error-text">{visibleText(tested.message)}</p>}
        {tested !== null && typeof tested === "object" && !(tested instanceof Error) && (
          <ReplayAnswerView answer={tested} />
        )}
      </div>
    </>
  );
}
