import type { PolicyReport, RuleSummary } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";
import { VerdictBadge } from "./verdict-badge.tsx";

/** Whether the guard is on, what is wrong, and which rules apply. */
export function RulesInForce({ report }: { readonly report: PolicyReport }) {
  const { policy: words, app } = useStrings();
  const { guard, problems, rules, file } = report;
  return (
    <section aria-labelledby="rules">
      <div className={`guard-line ${guard.on ? "on" : "off"}`}>
        <p>
          <span aria-hidden="true">{guard.on ? "●" : "○"}</span> {guard.on ? words.guardOn : words.guardOff}
        </p>
        {!guard.on && (
          <p className="how muted">
            {words.guardHint} <code>hookline install --guard</code>
            <CopyButton text="hookline install --guard" label={app.copy} className="button small" />
          </p>
        )}
      </div>
      {problems.length > 0 && (
        <div className="rule-problems panel" role="alert">
          <h3>✕ {words.problems}</h3>
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.file} ${problem.line} ${problem.column} ${problem.message}`}>
                <code title={visibleText(problem.file)}>
                  {visibleText(baseName(problem.file))}:{problem.line}:{problem.column}
                </code>{" "}
                {visibleText(problem.message)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <h2 id="rules">
        {words.rules} <code className="muted">{visibleText(file)}</code>
      </h2>
      {rules.length === 0 ? (
        <p className="muted">{words.noRules}</p>
      ) : (
        <ul className="panel rule-list">
          {rules.map((rule) => (
            <Rule key={`${rule.kind} ${rule.id} ${rule.match}`} rule={rule} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Rule({ rule }: { readonly rule: RuleSummary }) {
  const { policy: words } = useStrings();
  return (
    <li>
      <span className="line">
        <VerdictBadge verdict={rule.does} />
        <code className="cut" title={visibleText(rule.match)}>
          {visibleText(rule.match)}
        </code>
      </span>
      {rule.detail !== null && <span className="detail cut">{visibleText(rule.detail)}</span>}
      <span className="about muted">
        <span>{words.kind[rule.kind]}</span>
        <span>{words.source[rule.source]}</span>
        <span className="cut">{visibleText(rule.id)}</span>
        {rule.project !== null && <span className="cut">{visibleText(rule.project)}</span>}
        {rule.recipe !== null && <span>{fill(words.fromRecipe, { name: visibleText(rule.recipe) })}</span>}
      </span>
    </li>
  );
}
