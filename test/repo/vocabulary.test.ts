import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The glossary owns the list. */
const avoided = new Set(
  /`test\/repo\/vocabulary\.test\.ts`\): ([^.]+)\./.exec(read("docs/glossary.md"))![1]!.split(", "),
);

const sources = execFileSync("git", ["ls-files", "src"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => /\.tsx?$/.test(path));

const EXPORTED =
  /^export (?:declare )?(?:async )?(?:function\*?|const|let|interface|type|class|abstract class) (\w+)/gm;
const TEXT_KEY = /^\s+(\w+):/gm;

/** The words of a camelCase, PascalCase, UPPER_CASE or kebab-case name. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_.-]+/);
}

function findAvoided(names: Iterable<string>): string[] {
  return [...names].filter((name) => wordsOf(name).some((word) => avoided.has(word)));
}

function* matches(pattern: RegExp, path: string): Generator<string> {
  for (const [, name] of read(path).matchAll(pattern)) yield name!;
}

it("reads a list of words to avoid, and finds them in every kind of name", () => {
  expect(avoided.size).toBeGreaterThan(30);
  expect(findAvoided(["tellSlow", "MOST_TOLD", "CallTelling", "session-keeper", "toldSession"])).toHaveLength(
    5,
  );
  expect(findAvoided(["emit", "maxTokens", "standalone", "holdings", "saidi"])).toEqual([]);
});

it("names no source file with a word to avoid", () => {
  expect(sources.length).toBeGreaterThan(1_000);
  expect(findAvoided(sources.map((path) => basename(path)))).toEqual([]);
});

it("exports no name with a word to avoid", () => {
  const names = sources.flatMap((path) => [...matches(EXPORTED, path)]);
  expect(names.length).toBeGreaterThan(2_000);
  expect(findAvoided(names)).toEqual([]);
});

it("has no text key with a word to avoid", () => {
  const tables = sources.filter((path) => /^src\/web\/i18n\/en[\w-]*\.ts$/.test(path));
  const keys = tables.flatMap((path) => [...matches(TEXT_KEY, path)]);
  expect(keys.length).toBeGreaterThan(300);
  expect(findAvoided(keys)).toEqual([]);
});
