import type { z } from "zod";
import type { RulesFile } from "../rules-schema.ts";

/** A named set of ready-made rules. */
export interface Recipe {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** What must be installed for it to have an effect; null: nothing. */
  readonly needs: string | null;
  readonly options: Readonly<Record<string, RecipeOption>>;
  /** What it adds to a rules file. All options are set, those not chosen to their default. */
  rules(options: Readonly<Record<string, string>>): RecipeRules;
}

export interface RecipeOption {
  readonly description: string;
  /** Null: required. */
  readonly default: string | null;
}

export type RecipeRules = Readonly<Partial<z.input<typeof RulesFile>>>;

export const EDIT_TOOLS = "Edit|MultiEdit|Write|NotebookEdit";

/** Commands that run tests. */
export const TEST_COMMANDS: readonly string[] = [
  ...[
    "npm test*",
    "npm t",
    "npm run test*",
    "npm run check*",
    "npx vitest*",
    "npx jest*",
    "npx playwright test*",
  ],
  ...[
    "pnpm test*",
    "pnpm run test*",
    "yarn test*",
    "yarn run test*",
    "bun test*",
    "bun run test*",
    "deno test*",
  ],
  ...[
    "vitest*",
    "jest*",
    "node --test*",
    "pytest*",
    "python -m pytest*",
    "python3 -m pytest*",
    "uv run pytest*",
  ],
  ...["python -m unittest*", "python3 -m unittest*", "tox*", "cargo test*", "cargo nextest*", "go test*"],
  ...[
    "make test*",
    "make check*",
    "mvn test*",
    "mvn verify*",
    "./gradlew test*",
    "gradle test*",
    "dotnet test*",
  ],
  ...["rspec*", "bundle exec rspec*", "bin/rails test*", "mix test*", "phpunit*", "swift test*", "ctest*"],
].map((command) => `Bash(${command})`);

/** Exits a sh command while a git operation is in progress, or outside a repository. */
export const EXIT_UNLESS_GIT_IDLE = `g=$(git rev-parse --absolute-git-dir 2>/dev/null) || exit 0
for busy in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply; do
  [ -e "$g/$busy" ] && exit 0
done`;
