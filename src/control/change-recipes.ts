import { readFileSync } from "node:fs";
import type { HookedAgent } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import type { Env, Home } from "../home.ts";
import { askKind } from "../hook/ask-command.ts";
import { inspectHooks } from "../hook/inspect-hooks.ts";
import { waitingHooks } from "../policy/layers.ts";
import { addRecipe, removeRecipe } from "../policy/recipes/edit-rules.ts";
import type { Recipe, RecipeRules } from "../policy/recipes/recipe.ts";
import { findRecipe, recipeRules } from "../policy/recipes/recipes.ts";
import { type Rules, readRules } from "../policy/rules-file.ts";
import { requireRules } from "./policy-files.ts";
import { writeRules } from "./write-rules.ts";

export interface RecipeAddition {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** Only in projects that match this glob. */
  readonly project: string | null;
  readonly dryRun: boolean;
}

export interface AddedRecipe {
  readonly recipe: Recipe;
  readonly added: RecipeRules;
  /** It has no effect until `hookline install` adds a hook. */
  readonly install: boolean;
  /** In terminals it has no effect until the guard is on. */
  readonly guard: boolean;
}

export interface RecipePlace {
  readonly home: Home;
  readonly agent: HookedAgent;
  readonly env: Env;
  /** Its settings may hold our hooks, too. */
  readonly projectDir: string;
}

/** Adds a recipe to the user's rules, or replaces what it added before. */
export async function addRecipeToRules(
  place: RecipePlace,
  { name, options, project, dryRun }: RecipeAddition,
): Promise<AddedRecipe> {
  const { home, env } = place;
  const recipe = findRecipe(name);
  const added = recipeRules(recipe, options, project);
  const next = addRecipe(readUserRules(home).text, added);
  const reading = readRules(next, "user");
  if (reading.type === "invalid") {
    const told = reading.problems.map(({ message }) => message).join("; ");
    throw new AppError("recipe_option", `cannot add ${recipe.name}: ${told}`);
  }
  const install = hasAnsweringRules(recipe, reading.rules) && (await isHookMissing(place, reading.rules));
  const guard = added.protect !== undefined && !loadConfig(home, env).config.guard.on;
  if (!dryRun) writeRules(home, next);
  return { recipe, added, install, guard };
}

/** `install`: a hook is left that no rule needs. */
export function removeRecipeFromRules(
  home: Home,
  name: string,
  { dryRun }: { readonly dryRun: boolean },
): { readonly removed: number; readonly install: boolean } {
  const recipe = findRecipe(name);
  const { text, rules: before } = readUserRules(home);
  const { text: next, removed } = removeRecipe(text, recipe.name);
  if (removed === 0) throw new AppError("recipe_not_added", `${recipe.name} is not in ${home.rules}.`);
  const install = answersMoreEvents(requireRules(home.rules, readRules(next, "user")), before);
  if (!dryRun) writeRules(home, next);
  return { removed, install };
}

/** The user's rules file; a file with an error is never modified. */
function readUserRules(home: Home): { text: string; rules: Rules } {
  let text = "";
  try {
    text = readFileSync(home.rules, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new AppError("rules_unreadable", `${home.rules} cannot be read: ${message}`);
  }
  return { text, rules: requireRules(home.rules, readRules(text, "user")) };
}

function hasAnsweringRules({ name }: Recipe, { prompts, reactions }: Rules): boolean {
  const isOwn = ({ recipe }: { readonly recipe: string | null }): boolean => recipe === name;
  return waitingHooks({ prompts: prompts.filter(isOwn), reactions: reactions.filter(isOwn) }).length > 0;
}

/** Whether a hook that these rules need is missing, regardless of earlier rules. */
async function isHookMissing({ agent, env, projectDir }: RecipePlace, rules: Rules): Promise<boolean> {
  const react = waitingHooks(rules);
  const files = await inspectHooks({ agent, env, projectDir, react });
  const isMissing = (event: string): boolean =>
    !files.some((file) => {
      if (file.type !== "read" || !file.asks.includes(`${askKind("react")} ${event}`)) return false;
      return !file.missing.includes(event) && file.stale.every(({ what }) => what !== event);
    });
  return react.some(({ event }) => isMissing(event));
}

/** Whether the later rules answer events that the earlier ones do not. */
function answersMoreEvents(earlier: Rules, later: Rules): boolean {
  const known = new Set(waitingHooks(earlier).map((event) => JSON.stringify(event)));
  return waitingHooks(later).some((event) => !known.has(JSON.stringify(event)));
}
