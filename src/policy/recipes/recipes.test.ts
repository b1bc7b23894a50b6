import { describe, expect, it } from "vitest";
import { matchesTool } from "../match-tool.ts";
import { readRules } from "../rules-file.ts";
import { toRegExp } from "../rules-pattern.ts";
import { addRecipe, removeRecipe } from "./edit-rules.ts";
import { findRecipe, RECIPES, recipeRules } from "./recipes.ts";

const NAMES = [
  "format-after-edit",
  "commit-after-edit",
  "test-at-stop",
  "check-dependencies-at-stop",
  "warn-uncommitted",
  "require-step",
  "promise-detection",
  "branch-per-session",
  "keyword-skill-hint",
  "git-context",
  "protect-paths",
  "backup-before-compaction",
  "session-metrics",
  "notify-needs-me",
];

/** Values for required options. */
const REQUIRED_OPTIONS: Readonly<Record<string, Record<string, string>>> = {
  "keyword-skill-hint": { keyword: "invoice|rechnung", skill: "billing" },
  "protect-paths": { paths: "migrations/**, *.lock" },
};

function addTo(
  name: string,
  options = REQUIRED_OPTIONS[name] ?? {},
  text = "",
  project: string | null = null,
): string {
  return addRecipe(text, recipeRules(findRecipe(name), options, project));
}

function read(text: string) {
  const reading = readRules(text, "user");
  if (reading.type === "invalid") throw new Error(JSON.stringify(reading.problems));
  return reading.rules;
}

describe("recipes", () => {
  it("are a fixed list", () => {
    expect(RECIPES.map(({ name }) => name)).toEqual(NAMES);
  });

  it.each(NAMES)("%s produces a valid file whose rules carry its name", (name) => {
    const { protect, prompts, reactions } = read(addTo(name));
    const rules = [...protect, ...prompts, ...reactions];
    expect(rules.length).toBeGreaterThan(0);
    expect(new Set(rules.map(({ recipe }) => recipe))).toEqual(new Set([name]));
  });

  it("can all be added to one file and removed again byte for byte, also for one project", () => {
    const original =
      '{\n  "tools": [{ "match": "Bash",   "then": "ask" }],\n  "reactions": [\n    {"on":"Stop","do":{"type":"speak","text":"done"}}\n  ]\n}\n';
    let text = original;
    for (const name of NAMES) text = addTo(name, REQUIRED_OPTIONS[name], text);
    for (const name of NAMES) text = addTo(name, REQUIRED_OPTIONS[name], text, "/srv/shop");
    const { reactions } = read(text);
    expect(reactions).toHaveLength(1 + 2 * 13);
    expect(reactions.filter(({ project }) => project === "/srv/shop")).toHaveLength(13);
    for (const name of NAMES.toReversed()) text = removeRecipe(text, name).text;
    expect(text).toBe(original.replace("  ]\n}", '  ],\n  "protect": []\n}'));
  });

  it("replace their entries when added again with other options", () => {
    const once = addTo("test-at-stop");
    const twice = addTo("test-at-stop", { command: "make check" }, once);
    const { reactions } = read(twice);
    expect(reactions.map(({ id, do: action }) => [id, action])).toEqual([
      ["user/test-at-stop", { type: "command", command: "make check", answer: "block_on_failure", most: 2 }],
    ]);
    expect(
      read(addTo("test-at-stop", {}, addTo("test-at-stop", {}, once, "/a"), "/a")).reactions.map(
        ({ id }) => id,
      ),
    ).toEqual(["user/test-at-stop", "user/test-at-stop-2"]);
  });

  it("for hints and paths accumulate", () => {
    const both = addTo("keyword-skill-hint", { keyword: "x", skill: "other" }, addTo("keyword-skill-hint"));
    expect(read(both).reactions).toHaveLength(2);
    const paths = addTo("protect-paths", { paths: "*.lock,b/**" }, addTo("protect-paths"));
    expect(read(paths).protect.map(({ glob }) => glob)).toEqual(["migrations/**", "*.lock", "b/**"]);
  });

  it("reject unknown options and require mandatory ones", () => {
    expect(() => addTo("git-context", { colour: "red" })).toThrow(/has no option "colour"; it has on/);
    expect(() => addTo("protect-paths", {})).toThrow(/needs --set paths=/);
    expect(() => findRecipe("nothing")).toThrow(/no recipe "nothing"/);
  });
});

describe("the claim that tests pass", () => {
  const { answer } = read(addTo("promise-detection")).reactions[0]!.when;
  const claim = toRegExp(answer!);

  it.each([
    "Done. All tests pass.",
    "The tests are passing now",
    "I fixed it, and the whole test suite is green.",
    "3 tests passed",
    "Tests now all succeed",
    "모든 테스트를 통과했습니다.",
  ])("is found in: %s", (text) => {
    expect(claim.test(text)).toBe(true);
  });

  it.each([
    "I could not run the tests.",
    "The tests do not pass yet.",
    "Two tests still fail; the others passed.",
    "Let me know if the tests pass.",
    "Make sure all tests pass before you merge.",
    "Once the tests pass, merge it.",
    "The tests should pass now.",
    "Did the tests pass?",
    "Updated the README.",
  ])("is not found in: %s", (text) => {
    expect(claim.test(text)).toBe(false);
  });
});

describe("a test run", () => {
  const { ranWithout } = read(addTo("promise-detection")).reactions[0]!.when;
  const world = { home: "/home/me", realPath: (path: string) => path };
  const isRun = (command: string): boolean =>
    ranWithout!.tools.some((match) =>
      matchesTool(
        match,
        { toolName: "Bash", toolInput: { command }, mode: "default", cwd: "/srv/shop" },
        world,
      ),
    );

  it.each([
    "npm test",
    "cd web && CI=1 npx vitest run src 2>&1 | tail -n 20",
    "timeout 60 pytest -q tests/test_a.py",
    "go test ./...",
    "python3 -m pytest",
    "./gradlew test --info",
  ])("is recognized: %s", (command) => {
    expect(isRun(command)).toBe(true);
  });

  it.each(["npm run build", "echo npm test", "cat test.log", "git commit -m 'npm test'"])(
    "is not recognized in: %s",
    (command) => {
      expect(isRun(command)).toBe(false);
    },
  );
});
