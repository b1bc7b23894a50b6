import { useState } from "react";
import type { PolicyReport, RecipeResult, RecipeSummary } from "../../serve/policy-contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { daemonText } from "../i18n/daemon-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { HooksUpdate } from "../settings/hooks-update.tsx";
import { Switch } from "../settings/setting-row.tsx";
import { Link } from "../shell/link.tsx";
import { RecipeForm } from "./recipe-form.tsx";

/** Recipes. A switch adds one to the user's rules or removes it; a recipe with options shows a form first. */
export function RecipeList({
  recipes,
  onChanged,
}: {
  readonly recipes: readonly RecipeSummary[];
  readonly onChanged: (report: PolicyReport) => void;
}) {
  const { recipeForm } = useStrings();
  const [open, setOpen] = useState<string | null>(null);
  const [failed, setFailed] = useState<{ readonly name: string; readonly why: string } | null>(null);
  const [result, setResult] = useState<RecipeResult | null>(null);
  const submit = async (name: string, request: Promise<RecipeResult>): Promise<void> => {
    setFailed(null);
    setResult(null);
    try {
      const response = await request;
      onChanged(response.policy);
      setResult(response);
      setOpen(null);
    } catch (error) {
      setFailed({ name, why: (error as Error).message });
    }
  };
  const path = (name: string): string => `/api/recipes/${encodeURIComponent(name)}`;
  const add = (name: string, body: object): void => void submit(name, send("PUT", path(name), body));
  const toggle = ({ name, options }: RecipeSummary, isOn: boolean): void => {
    if (!isOn) void submit(name, send("DELETE", path(name)));
    else if (options.length === 0) add(name, {});
    else setOpen(open === name ? null : name);
  };
  return (
    <section className="recipes">
      <div aria-live="polite" className="feedback">
        {result?.install && <HooksUpdate />}
        {result?.guard && (
          <p className="panel notice">
            {recipeForm.guardOff} <Link href="/settings">{recipeForm.openSettings}</Link>
          </p>
        )}
      </div>
      <ul className="panel recipe-list">
        {recipes.map((recipe) => (
          <li key={recipe.name} data-row tabIndex={-1}>
            <RecipeHeader recipe={recipe} onToggle={(isOn) => toggle(recipe, isOn)} />
            {open === recipe.name && (
              <RecipeForm
                recipe={recipe}
                onAdd={(body) => add(recipe.name, body)}
                onCancel={() => setOpen(null)}
              />
            )}
            {failed?.name === recipe.name && (
              <p className="error-text" role="alert">
                {visibleText(failed.why)}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecipeHeader({
  recipe,
  onToggle,
}: {
  readonly recipe: RecipeSummary;
  readonly onToggle: (isOn: boolean) => void;
}) {
  const { policy: strings } = useStrings();
  const { name, description, needs, inUse } = recipe;
  const id = `recipe-${name}`;
  return (
    <div className="recipe-head">
      <div className="what">
        <h2 id={id}>{visibleText(name)}</h2>
        <p>{visibleText(daemonText(description))}</p>
        {needs !== null && (
          <p className="muted more">{fill(strings.needs, { what: visibleText(daemonText(needs)) })}</p>
        )}
      </div>
      <Switch isOn={inUse} labelId={id} onChange={onToggle} />
    </div>
  );
}
