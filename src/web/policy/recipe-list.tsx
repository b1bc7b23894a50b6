import type { RecipeSummary } from "../../serve/policy-contract.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { CopyButton } from "../session/copy-button.tsx";

/** Ready-made rules, those in use first, each with the command that changes it. */
export function RecipeList({ recipes }: { readonly recipes: readonly RecipeSummary[] }) {
  const { policy: words, app } = useStrings();
  const sorted = recipes.toSorted((a, b) => Number(b.inUse) - Number(a.inUse));
  return (
    <ul className="panel recipe-list">
      {sorted.map(({ name, description, needs, options, inUse }) => {
        const due = options.filter((option) => option.default === null);
        const command = inUse
          ? `hookline recipes remove ${name}`
          : `hookline recipes add ${name}${due.map((option) => ` --set ${option.name}=…`).join("")}`;
        return (
          <li key={name}>
            <div className="what">
              <h2>
                {name} {inUse && <span className="badge done">✓ {words.inUse}</span>}
              </h2>
              <p>{description}</p>
              {(needs !== null || options.length > 0) && (
                <p className="muted more">
                  {needs !== null && <span>{fill(words.needs, { what: needs })}</span>}
                  {options.length > 0 && (
                    <span title={options.map((option) => `${option.name}: ${option.description}`).join("\n")}>
                      {fill(words.options, { names: options.map((option) => option.name).join(", ") })}
                    </span>
                  )}
                </p>
              )}
            </div>
            <div className="command">
              <code>{command}</code>
              <CopyButton text={command} label={app.copy} className="button small" />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
