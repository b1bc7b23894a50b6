import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { addRecipeToRules, removeRecipeFromRules } from "../control/change-recipes.ts";
import { readRulesFile } from "../control/policy-files.ts";
import { type Home, resolveHome } from "../home.ts";
import type { Recipe } from "../policy/recipes/recipe.ts";
import { findRecipe, RECIPES } from "../policy/recipes/recipes.ts";
import { NO_RULES } from "../policy/rules-file.ts";
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

async function runAction(home: Home, request: RecipeRequest): Promise<RecipeReport> {
  if (request.action === "list")
    return request.name === null ? list(home) : describe(findRecipe(request.name));
  if (request.action !== "add" && request.action !== "remove")
    throw unknownAction("recipes", request.action, ["list", "add", "remove"]);
  if (request.name === null) throw new AppError("usage", "missing recipe name; see `hookline recipes list`.");
  const { name } = request;
  return request.action === "add" ? add(home, { ...request, name }) : remove(home, name, request.dryRun);
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
  { name, ...request }: RecipeRequest & { name: string },
): Promise<RecipeReport> {
  const { dryRun } = request;
  const context = { home, agent, env: process.env, projectDir: process.cwd() };
  const { recipe, added, install, guard } = await addRecipeToRules(context, { name, ...request });
  const lines = [
    `${dryRun ? "Would add" : "Added"} ${recipe.name} to ${home.rules}.`,
    ...(dryRun ? [JSON.stringify(added, null, 2)] : []),
    ...(recipe.needs !== null && !guard ? [`Requires ${recipe.needs}.`] : []),
    ...(install ? ["Run `hookline install` to add the hook it needs."] : []),
    ...(guard ? ["To apply it in terminal sessions, run `hookline install --guard`."] : []),
  ];
  return { result: { file: home.rules, recipe: recipe.name, added, install, guard, dryRun }, lines };
}

function remove(home: Home, name: string, dryRun: boolean): RecipeReport {
  const { removed, install } = removeRecipeFromRules(home, name, { dryRun });
  const lines = [
    `${dryRun ? "Would remove" : "Removed"} ${name}: ${plural(removed, "rule")} from ${home.rules}.`,
    ...(install ? ["Run `hookline install` to remove the hook it no longer needs."] : []),
  ];
  return { result: { file: home.rules, recipe: name, removed, install, dryRun }, lines };
}

/** Reads all `--set` options: the parser keeps only the last one. */
function toOptions(rawArgs: readonly string[]): Record<string, string> {
  const end = rawArgs.indexOf("--");
  const settings = rawArgs
    .slice(0, end < 0 ? undefined : end)
    .flatMap((arg) => (arg.startsWith("--set=") ? [arg.slice("--set=".length)] : []));
  return Object.fromEntries(
    settings.map((text) => {
      const separator = text.indexOf("=");
      if (separator < 1) throw new AppError("usage", `--set must be name=value, not "${oneLine(text)}".`);
      return [text.slice(0, separator), text.slice(separator + 1)];
    }),
  );
}
