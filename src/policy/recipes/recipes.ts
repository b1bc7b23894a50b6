import { AppError } from "../../app-error.ts";
import { commitAfterEdit, formatAfterEdit, protectPaths } from "./edit-recipes.ts";
import type { Recipe, RecipeRules } from "./recipe.ts";
import {
  backupBeforeCompaction,
  branchPerSession,
  gitContext,
  keywordSkillHint,
  notifyNeedsMe,
  sessionMetrics,
} from "./session-recipes.ts";
import {
  checkDependenciesAtStop,
  promiseDetection,
  requireStep,
  testAtStop,
  warnUncommitted,
} from "./stop-recipes.ts";

export const RECIPES: readonly Recipe[] = [
  formatAfterEdit,
  commitAfterEdit,
  testAtStop,
  checkDependenciesAtStop,
  warnUncommitted,
  requireStep,
  promiseDetection,
  branchPerSession,
  keywordSkillHint,
  gitContext,
  protectPaths,
  backupBeforeCompaction,
  sessionMetrics,
  notifyNeedsMe,
];

export function findRecipe(name: string): Recipe {
  const found = RECIPES.find((recipe) => recipe.name === name);
  if (found === undefined)
    throw new AppError(
      "unknown_recipe",
      `there is no recipe "${name}"; \`hookline recipes list\` names them`,
    );
  return found;
}

/** What a recipe adds to a file. Each entry is marked with its name, by which it is found again. */
export function recipeRules(
  recipe: Recipe,
  chosen: Readonly<Record<string, string>>,
  project: string | null,
): RecipeRules {
  for (const key of Object.keys(chosen))
    if (!Object.hasOwn(recipe.options, key)) {
      const known = Object.keys(recipe.options);
      const hint = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
      throw new AppError("recipe_option", `${recipe.name} has no option "${key}"; ${hint}`);
    }
  const options: Record<string, string> = {};
  for (const [key, option] of Object.entries(recipe.options)) {
    const value = chosen[key] ?? option.default;
    if (value === null || (option.default === null && value.trim() === ""))
      throw new AppError("recipe_option", `${recipe.name} needs --set ${key}=…: ${option.description}`);
    options[key] = value;
  }
  const mark = { recipe: recipe.name, ...(project !== null && { project }) };
  const marked = Object.entries(recipe.rules(options)).map(([list, entries]) => [
    list,
    entries.map((entry) => {
      if (typeof entry === "string") return { path: entry, ...mark };
      return "path" in entry ? { ...entry, ...mark } : { id: recipe.name, ...mark, ...entry };
    }),
  ]);
  return Object.fromEntries(marked) as RecipeRules;
}
