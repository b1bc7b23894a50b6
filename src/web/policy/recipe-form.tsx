import { useId, useState } from "react";
import type { RecipeSummary } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** The options of a recipe. An empty field means its default. */
export function RecipeForm({
  recipe,
  onAdd,
  onCancel,
}: {
  readonly recipe: RecipeSummary;
  readonly onAdd: (change: { options: Record<string, string>; project: string | null }) => void;
  readonly onCancel: () => void;
}) {
  const { recipeForm: strings, app } = useStrings();
  const id = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [project, setProject] = useState("");
  const add = (): void => {
    const filled = Object.entries(values).filter(([, value]) => value.trim() !== "");
    onAdd({ options: Object.fromEntries(filled), project: project.trim() === "" ? null : project.trim() });
  };
  return (
    <form
      className="rule-form recipe-form"
      aria-label={fill(strings.on, { name: visibleText(recipe.name) })}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onCancel();
      }}
    >
      {recipe.options.map((option, index) => (
        <div key={option.name} className="form-field">
          <label htmlFor={`${id}-${option.name}`}>
            {visibleText(option.name)}{" "}
            {option.default === null && <span className="muted">{strings.required}</span>}
          </label>
          <input
            id={`${id}-${option.name}`}
            className="field mono"
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the form was opened by a switch
            autoFocus={index === 0}
            required={option.default === null}
            placeholder={
              option.default === null || option.default === ""
                ? ""
                : fill(strings.default, { value: visibleText(option.default) })
            }
            aria-describedby={`${id}-${option.name}-hint`}
            value={values[option.name] ?? ""}
            onChange={(event) => setValues({ ...values, [option.name]: event.target.value })}
          />
          <span id={`${id}-${option.name}-hint`} className="hint muted">
            {visibleText(daemonText(option.description))}
          </span>
        </div>
      ))}
      <div className="form-field">
        <label htmlFor={`${id}-project`}>{strings.project}</label>
        <input
          id={`${id}-project`}
          className="field mono"
          autoComplete="off"
          spellCheck={false}
          placeholder="/home/me/work/**"
          aria-describedby={`${id}-project-hint`}
          value={project}
          onChange={(event) => setProject(event.target.value)}
        />
        <span id={`${id}-project-hint`} className="hint muted">
          {strings.projectHint}
        </span>
      </div>
      <p className="button-row wide">
        <button type="submit" className="button primary">
          {strings.add}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {app.cancel}
        </button>
      </p>
    </form>
  );
}
