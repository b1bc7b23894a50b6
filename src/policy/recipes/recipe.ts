import type { z } from "zod";
import type { RulesFile } from "../rules-schema.ts";

/** A named set of rules that somebody would else have to write. */
export interface Recipe {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** What must be there for it to do anything; null: nothing. */
  readonly needs: string | null;
  readonly options: Readonly<Record<string, RecipeOption>>;
  /** What it adds to a rules file. All options are there, those not chosen with their default. */
  rules(options: Readonly<Record<string, string>>): RecipeRules;
}

export interface RecipeOption {
  readonly description: string;
  /** Null: it must be given. */
  readonly default: string | null;
}

export type RecipeRules = Readonly<Partial<z.input<typeof RulesFile>>>;

export const EDITS = "Edit|MultiEdit|Write|NotebookEdit";

/** Commands that run tests. */
export const TESTS: readonly string[] = [
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

/** One word of a sh command, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Ends a sh command where git is in the middle of something, or not at all. */
export const UNLESS_GIT_IS_FREE = `g=$(git rev-parse --absolute-git-dir 2>/dev/null) || exit 0
for busy in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply; do
  [ -e "$g/$busy" ] && exit 0
done`;
