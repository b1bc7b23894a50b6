import { useId, useState } from "react";
import type { RuleFields } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import type { RuleProblems } from "./use-rules-draft.ts";

const EXAMPLES = "Bash(npm test*), Edit(docs/**), mcp__memory__.*";
const DECISIONS = ["allow", "ask", "deny"] as const;

/** Matcher, decision, reason and projects of one tool rule. The daemon checks them. */
export function RuleForm({
  label,
  rule,
  onApply,
  onCancel,
}: {
  readonly label: string;
  /** Null for a new rule. */
  readonly rule: RuleFields | null;
  readonly onApply: (rule: RuleFields) => Promise<RuleProblems>;
  readonly onCancel: () => void;
}) {
  const { ruleEditor: strings, policy, app } = useStrings();
  const id = useId();
  const [match, setMatch] = useState(rule?.match ?? "");
  const [then, setThen] = useState<RuleFields["then"]>(rule?.then ?? "ask");
  const [reason, setReason] = useState(rule?.reason ?? "");
  const [project, setProject] = useState(rule?.project ?? "");
  const [problems, setProblems] = useState<readonly string[]>([]);
  const isRewrite = rule?.then === "rewrite";
  const apply = async (): Promise<void> => {
    const fields = { match: match.trim(), then, reason: toNullable(reason), project: toNullable(project) };
    try {
      const found = await onApply(fields);
      setProblems(found.map(({ message }) => message.replace(/^tools\[\d+\]\.?/, "")));
    } catch (error) {
      setProblems([(error as Error).message]);
    }
  };
  return (
    <form
      className="rule-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <label className="wide" htmlFor={`${id}-match`}>
        {strings.match}
        <input
          id={`${id}-match`}
          className="field mono"
          required
          // biome-ignore lint/a11y/noAutofocus: the form was opened by a button
          autoFocus
          autoComplete="off"
          spellCheck={false}
          placeholder="Bash(git push*)"
          aria-describedby={`${id}-hint`}
          value={match}
          onChange={(event) => setMatch(event.target.value)}
        />
      </label>
      <p id={`${id}-hint`} className="hint muted wide">
        {fill(strings.matchHint, { examples: EXAMPLES })}
      </p>
      <label htmlFor={`${id}-then`}>
        {strings.decision}
        <select
          id={`${id}-then`}
          className="field"
          value={then}
          disabled={isRewrite}
          onChange={(event) => setThen(event.target.value as RuleFields["then"])}
        >
          {(isRewrite ? (["rewrite"] as const) : DECISIONS).map((decision) => (
            <option key={decision} value={decision}>
              {strings.decisions[decision]}
            </option>
          ))}
        </select>
      </label>
      <TextField label={strings.reason} hint={strings.reasonHint} value={reason} onChange={setReason} />
      <TextField label={strings.project} hint={strings.projectHint} value={project} onChange={setProject} />
      {isRewrite && (
        <p className="hint muted wide">{fill(strings.rewriteHint, { tab: policy.tabs.history })}</p>
      )}
      {problems.length > 0 && (
        <ul className="error-text wide" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{visibleText(problem)}</li>
          ))}
        </ul>
      )}
      <p className="button-row wide">
        <button type="submit" className="button primary">
          {rule === null ? strings.add : strings.apply}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {app.cancel}
        </button>
      </p>
    </form>
  );
}

function TextField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <input
        className="field"
        autoComplete="off"
        placeholder={hint}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

function toNullable(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
