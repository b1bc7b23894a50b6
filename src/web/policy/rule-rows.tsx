import { useEffect, useRef, useState } from "react";
import type { RuleChange, RuleSummary } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { fill, useStrings } from "../i18n/strings.ts";
import { RuleForm } from "./rule-form.tsx";
import type { RulesDraft } from "./use-rules-draft.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

const LISTS = { tool: "tools", protect: "protect", prompt: "prompts", reaction: "reactions" } as const;

/** The rules of the draft. Rules of a recipe change only with the recipe. */
export function RuleRows({ draft }: { readonly draft: RulesDraft }) {
  const { ruleEditor: strings, policy } = useStrings();
  /** The index of the tool rule being edited; `new` while adding one. */
  const [open, setOpen] = useState<number | "new" | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<string | null>(null);
  useEffect(() => {
    if (focus === null) return;
    list.current?.querySelector<HTMLElement>(focus)?.focus();
    setFocus(null);
  }, [focus]);
  const close = (): void => {
    setFocus(open === "new" ? "[data-act=add]" : `[data-rule="tool ${open}"] [data-act=edit]`);
    setOpen(null);
  };
  const applyChange = async (change: RuleChange, next: string): Promise<void> => {
    await draft.change(change).catch(() => undefined);
    setFocus(next);
  };
  const rows = withIndexes(draft.rules);
  return (
    <div className="rule-rows" ref={list}>
      {rows.length === 0 && open !== "new" && <p className="muted">{policy.noRules}</p>}
      {(rows.length > 0 || open === "new") && (
        <ul className="panel rule-list">
          {rows.map(({ rule, index }) =>
            rule.kind === "tool" && open === index ? (
              <li key={`${rule.kind} ${index}`}>
                <RuleForm
                  label={fill(strings.edit, { rule: visibleText(rule.match) })}
                  rule={draft.tools[index] ?? null}
                  onCancel={close}
                  onApply={async (fields) => {
                    const problems = await draft.change({ type: "replace", index, rule: fields });
                    if (problems.length === 0) close();
                    return problems;
                  }}
                />
              </li>
            ) : (
              <RuleRow
                key={`${rule.kind} ${index}`}
                rule={rule}
                index={index}
                isLast={rule.kind !== "tool" || index === draft.tools.length - 1}
                onEdit={() => setOpen(index)}
                onMove={(step) =>
                  void applyChange(
                    { type: "move", index, to: index + step },
                    `[data-rule="tool ${index + step}"] [data-act=${step < 0 ? "up" : "down"}]:enabled, [data-rule="tool ${index + step}"] [data-act=edit]`,
                  )
                }
                onRemove={() =>
                  void applyChange(
                    { type: "remove", list: LISTS[rule.kind], index },
                    `[data-rule="${rule.kind} ${index}"] [data-act=remove], [data-act=add]`,
                  )
                }
              />
            ),
          )}
          {open === "new" && (
            <li>
              <RuleForm
                label={strings.newRule}
                rule={null}
                onCancel={close}
                onApply={async (fields) => {
                  const problems = await draft.change({ type: "add", rule: fields });
                  if (problems.length === 0) close();
                  return problems;
                }}
              />
            </li>
          )}
        </ul>
      )}
      {open !== "new" && (
        <button type="button" className="button" data-act="add" data-key="c" onClick={() => setOpen("new")}>
          <Icon name="plus" /> {strings.add}
        </button>
      )}
    </div>
  );
}

/** Each rule with its index in its own list of the file. */
function withIndexes(rules: readonly RuleSummary[]): { rule: RuleSummary; index: number }[] {
  const counts = { tool: 0, protect: 0, prompt: 0, reaction: 0 };
  return rules.map((rule) => ({ rule, index: counts[rule.kind]++ }));
}

function RuleRow({
  rule,
  index,
  isLast,
  onEdit,
  onMove,
  onRemove,
}: {
  readonly rule: RuleSummary;
  readonly index: number;
  readonly isLast: boolean;
  readonly onEdit: () => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}) {
  const { policy: strings, ruleEditor } = useStrings();
  const name = visibleText(rule.match);
  return (
    <li data-rule={`${rule.kind} ${index}`} data-row tabIndex={-1}>
      <VerdictBadge verdict={rule.does} />
      <span className="rule-text">
        <code className="cut" title={name}>
          {name}
        </code>
        {rule.detail !== null && <span className="detail cut">{visibleText(rule.detail)}</span>}
        <span className="about muted">
          <span>{strings.kind[rule.kind]}</span>
          <span className="cut">{visibleText(rule.id)}</span>
          {rule.project !== null && <span className="cut">{visibleText(rule.project)}</span>}
          {rule.recipe !== null && (
            <span>{fill(strings.fromRecipe, { name: visibleText(rule.recipe) })}</span>
          )}
        </span>
      </span>
      {rule.recipe === null && (
        <span className="rule-actions">
          {rule.kind === "tool" && (
            <>
              <RowAction
                action="up"
                icon="up"
                label={fill(ruleEditor.moveUp, { rule: name })}
                disabled={index === 0}
                onClick={() => onMove(-1)}
              />
              <RowAction
                action="down"
                icon="down"
                label={fill(ruleEditor.moveDown, { rule: name })}
                disabled={isLast}
                onClick={() => onMove(1)}
              />
              <RowAction
                action="edit"
                icon="pencil"
                label={fill(ruleEditor.edit, { rule: name })}
                onClick={onEdit}
              />
            </>
          )}
          <RowAction
            action="remove"
            icon="trash"
            label={fill(ruleEditor.remove, { rule: name })}
            onClick={onRemove}
          />
        </span>
      )}
    </li>
  );
}

function RowAction({
  action,
  icon,
  label,
  disabled = false,
  onClick,
}: {
  readonly action: string;
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="button bare icon-button"
      data-act={action}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
