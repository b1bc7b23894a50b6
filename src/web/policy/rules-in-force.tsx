import type { PolicyReport } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { useStrings } from "../i18n/strings.ts";
import { Link } from "../shell/link.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { RuleProblemList } from "./rule-problems.tsx";
import { RuleRows } from "./rule-rows.tsx";
import type { RulesDraft } from "./use-rules-draft.ts";

/** Whether the guard is on, what is wrong, and the rules, which can be edited. */
export function RulesInForce({
  report,
  draft,
}: {
  readonly report: PolicyReport;
  readonly draft: RulesDraft;
}) {
  const { policy: strings, ruleEditor, recipeForm } = useStrings();
  const { guard, file } = report;
  const isInvalid = draft.problems.length > 0;
  return (
    <section aria-labelledby="rules">
      <p className={`guard-line ${guard.on ? "on" : "off"}`}>
        <span aria-hidden="true">{guard.on ? "●" : "○"}</span> {guard.on ? strings.guardOn : strings.guardOff}{" "}
        {!guard.on && <Link href="/settings">{recipeForm.openSettings}</Link>}
      </p>
      <h2 id="rules">
        {strings.rules} <code className="muted">{visibleText(file)}</code>
      </h2>
      <DraftBar draft={draft} file={file} />
      {isInvalid ? (
        <>
          <RuleProblemList file={file} text={draft.text} problems={draft.problems} />
          <p>
            <Link href="/policy?tab=history" className="button">
              {ruleEditor.editJson}
            </Link>
          </p>
        </>
      ) : (
        <RuleRows draft={draft} />
      )}
    </section>
  );
}
