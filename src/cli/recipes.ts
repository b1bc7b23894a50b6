import { readFileSync } from "node:fs";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { loadConfig } from "../config.ts";
import { readRulesFile, requireRules } from "../control/policy-files.ts";
import { writeRules } from "../control/write-rules.ts";
import { type Home, resolveHome } from "../home.ts";
import { askKind } from "../hook/ask-command.ts";
import { inspectHooks } from "../hook/inspect-hooks.ts";
import { waitingHooks } from "../policy/layers.ts";
import { addRecipe, removeRecipe } from "../policy/recipes/edit-rules.ts";
import type { Recipe } from "../policy/recipes/recipe.ts";
import { findRecipe, RECIPES, recipeRules } from "../policy/recipes/recipes.ts";
import { NO_RULES, type Rules, readRules } from "../policy/rules-file.ts";
import { oneLine } from "../shown/plain-text.ts";
import { agent } from "./agent.ts";
import { plural } from "./amounts.ts";
import { print, printJson } from "./output.ts";
import { refuseUnused, unknownAction } from "./read-args.ts";
import { tableLines } from "./table.ts";
import { terminalWidth } from "./terminal-width.ts";

export const recipesCommand = defineCommand({
  meta: { name: "recipes", description: "List, add and remove ready-made rules" },
  args: {
    action: { type: "positional", required: false, default: "list", description: "list, add or remove" },
    name: {
      type: "positional",
      required: false,
      description: "Recipe name; with list, shows its options",
    },
    set: { type: "string", description: "With add: an option as name=value (repeatable)" },
    project: { type: "string", description: "With add: only in projects that match this glob" },
    "dry-run": { type: "boolean", description: "Show what would be written; write nothing" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args, rawArgs }) => {
    if (args.action !== "add")
      refuseUnused(
        { set: args.set, project: args.project },
        (flag) => `${flag} works only with recipes add.`,
      );
    if (args.action === "list")
      refuseUnused(
        { "dry-run": args["dry-run"] },
        (flag) => `${flag} works only with recipes add or remove.`,
      );
    const { result, lines } = await runAction(resolveHome(), {
      action: args.action,
      name: args.name ?? null,
      options: toOptions(rawArgs),
      project: args.project ?? null,
      dryRun: args["dry-run"] ?? false,
    });
    if (args.json) printJson(result);
    else print(lines.join("\n"));
  },
});

interface RecipeRequest {
  readonly action: string;
  readonly name: string | null;
  readonly options: Readonly<Record<string, string>>;
  readonly project: string | null;
  readonly dryRun: boolean;
}

interface RecipeReport {
  readonly result: unknown;
  readonly lines: readonly string[];
}

async function runAction(home: Home, wish: RecipeRequest): Promise<RecipeReport> {
  if (wish.action === "list") return wish.name === null ? list(home) : describe(findRecipe(wish.name));
  if (wish.action !== "add" && wish.action !== "remove")
    throw unknownAction("recipes", wish.action, ["list", "add", "remove"]);
  if (wish.name === null) throw new AppError("usage", "missing recipe name; see `hookline recipes list`.");
  return wish.action === "add"
    ? add(home, findRecipe(wish.name), wish)
    : remove(home, findRecipe(wish.name), wish);
}

function list(home: Home): RecipeReport {
  const reading = readRulesFile(home.rules, home);
  const { protect, prompts, reactions } = reading?.type === "rules" ? reading.rules : NO_RULES;
  const inUse = new Set([...protect, ...prompts, ...reactions].map(({ recipe }) => recipe));
  const result = RECIPES.map((recipe) => ({ ...recipeSummary(recipe), inUse: inUse.has(recipe.name) }));
  const rows = result.map((recipe) => [recipe.inUse ? "on" : "", recipe.name, recipe.description]);
  const lines = [
    ...tableLines([{}, {}, { isWide: true }], rows, terminalWidth()),
    "Show options: `hookline recipes list NAME`. Add to your rules: `hookline recipes add NAME`.",
    ...(reading?.type === "invalid" ? [`${home.rules} has errors; see \`hookline policy check\`.`] : []),
  ];
  return { result, lines };
}

function describe(recipe: Recipe): RecipeReport {
  const { name, description, needs, options } = recipeSummary(recipe);
  const rows = options.map((option) => [
    `--set ${option.name}=…`,
    `${option.description}${option.default === null ? " (required)" : ""}`,
  ]);
  const lines = [
    `${name}: ${description}`,
    ...(needs === null ? [] : [`Requires ${needs}.`]),
    ...tableLines([{}, { isWide: true }], rows, terminalWidth()),
  ];
  return { result: recipeSummary(recipe), lines };
}

function recipeSummary({ name, description, needs, options }: Recipe) {
  const named = Object.entries(options).map(([option, about]) => ({ name: option, ...about }));
  return { name, description, needs, options: named };
}

async function add(
  home: Home,
  recipe: Recipe,
  { options, project, dryRun }: RecipeRequest,
): Promise<RecipeReport> {
  const added = recipeRules(recipe, options, project);
  const next = addRecipe(currentRules(home).text, added);
  const reading = readRules(next, "user");
  if (reading.type === "invalid") {
    const told = reading.problems.map(({ message }) => message).join("; ");
    throw new AppError("recipe_option", `cannot add ${recipe.name}: ${told}`);
  }
  const install = hasAnsweringRules(recipe, reading.rules) && (await isHookMissing(reading.rules));
  const guard = added.protect !== undefined && !loadConfig(home).config.guard.on;
  if (!dryRun) writeRules(home, next);
  const lines = [
    `${dryRun ? "Would add" : "Added"} ${recipe.name} to ${home.rules}.`,
    ...(dryRun ? [JSON.stringify(added, null, 2)] : []),
    ...(recipe.needs !== null && !guard ? [`Requires ${recipe.needs}.`] : []),
    ...(install ? ["Run `hookline install` to add the hook it needs."] : []),
    ...(guard ? ["To apply it in terminal sessions, run `hookline install --guard`."] : []),
  ];
  return { result: { file: home.rules, recipe: recipe.name, added, install, guard, dryRun }, lines };
}

function remove(home: Home, { name }: Recipe, { dryRun }: RecipeRequest): RecipeReport {
  const { text, rules: before } = currentRules(home);
  const { text: next, removed } = removeRecipe(text, name);
  if (removed === 0) throw new AppError("recipe_not_added", `${name} is not in ${home.rules}.`);
  const install = answersMoreEvents(requireRules(home.rules, readRules(next, "user")), before);
  if (!dryRun) writeRules(home, next);
  const lines = [
    `${dryRun ? "Would remove" : "Removed"} ${name}: ${plural(removed, "rule")} from ${home.rules}.`,
    ...(install ? ["Run `hookline install` to remove the hook it no longer needs."] : []),
  ];
  return { result: { file: home.rules, recipe: name, removed, install, dryRun }, lines };
}

/** The user's rules file; a file with an error is never modified. */
function currentRules(home: Home): { text: string; rules: Rules } {
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
async function isHookMissing(rules: Rules): Promise<boolean> {
  const react = waitingHooks(rules);
  const files = await inspectHooks({ agent, env: process.env, projectDir: process.cwd(), react });
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

/** Reads all `--set` options: the parser keeps only the last one. */
function toOptions(rawArgs: readonly string[]): Record<string, string> {
  const end = rawArgs.indexOf("--");
  const given = rawArgs
    .slice(0, end < 0 ? undefined : end)
    .flatMap((arg) => (arg.startsWith("--set=") ? [arg.slice("--set=".length)] : []));
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new AppError("usage", `--set must be name=value, not "${oneLine(text)}".`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
