import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followRules, projectRulesFile, type RulesError } from "./follow-rules.ts";

let root: string;
let userFile: string;
let trustFile: string;
let troubles: RulesError[];
let trusted: Set<string>;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-rules-")));
  userFile = join(root, ".hookline", "rules.json");
  trustFile = join(root, ".hookline", "trust.json");
  mkdirSync(dirname(userFile));
  troubles = [];
  trusted = new Set();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function follow() {
  return followRules({
    userFile,
    trustFile,
    isTrusted: async (project) =>
      trusted.has(`${project} ${readFileSync(projectRulesFile(project), "utf8")}`),
    onError: (trouble) => troubles.push(trouble),
  });
}

function rule(match: string): string {
  return `{"tools":[{"match":"${match}","then":"deny"}]}`;
}

const matches = (rules: ReturnType<typeof follow>, project: string | null = null): string[] =>
  rules.joined(project).policy.rules.map(({ match }) => match);

describe("rules that are followed", () => {
  it("hold from the next question on when their file changes, and no longer when it is gone", () => {
    const rules = follow();
    expect(matches(rules)).toEqual([]);
    writeFileSync(userFile, rule("Bash"));
    expect(matches(rules)).toEqual(["Bash"]);
    writeFileSync(userFile, rule("Write"));
    expect(matches(rules)).toEqual(["Write"]);
    rmSync(userFile);
    expect(matches(rules)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it("stay as they were while the file has a mistake, which is told once", () => {
    const rules = follow();
    writeFileSync(userFile, rule("Bash"));
    expect(matches(rules)).toEqual(["Bash"]);
    writeFileSync(userFile, `{"tools":[{"match":"Edit","then":"deny"},\n{"match":"Write"}]}`);
    for (let count = 0; count < 3; count++) expect(matches(rules)).toEqual(["Bash"]);
    expect(troubles).toEqual([
      {
        file: userFile,
        problems: [expect.objectContaining({ line: 2, message: expect.stringContaining("then") })],
        previousInForce: true,
      },
    ]);
    expect(rules.errors()).toEqual(troubles);
    // Saved again unchanged: it is still wrong.
    utimesSync(userFile, 1, 1);
    expect(matches(rules)).toEqual(["Bash"]);
    expect(rules.errors()).toHaveLength(1);
    writeFileSync(userFile, rule("Write"));
    expect(matches(rules)).toEqual(["Write"]);
    expect(rules.errors()).toEqual([]);
  });

  it("do not claim to hold on where the first that was read has a mistake", () => {
    writeFileSync(userFile, "{");
    const rules = follow();
    expect(matches(rules)).toEqual([]);
    expect(rules.errors()).toMatchObject([{ previousInForce: false }]);
  });

  it("of a project hold there, for exactly the text that is trusted, as long as it is", async () => {
    const rules = follow();
    const shop = join(root, "shop");
    const file = projectRulesFile(shop);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(userFile, rule("Bash"));
    writeFileSync(file, rule("Edit"));
    const approve = async (...texts: string[]): Promise<void> => {
      trusted = new Set(texts.map((text) => `${shop} ${text}`));
      writeFileSync(trustFile, `${texts}${performance.now()}`);
      await rules.prepare(shop);
    };
    await approve();
    expect(matches(rules, shop)).toEqual(["Bash"]);
    await approve(rule("Edit"));
    expect(matches(rules, shop)).toEqual(["Edit", "Bash"]);
    expect(matches(rules, join(root, "other"))).toEqual(["Bash"]);
    writeFileSync(file, rule("Write"));
    expect(matches(rules, shop)).toEqual(["Bash"]);
    await rules.prepare(shop);
    expect(matches(rules, shop)).toEqual(["Bash"]);
    await approve(rule("Write"));
    expect(matches(rules, shop)).toEqual(["Write", "Bash"]);
    await approve();
    expect(matches(rules, shop)).toEqual(["Bash"]);
    expect(troubles).toEqual([]);
  });

  it("are the user's alone in the home folder, where both files are one", async () => {
    const rules = follow();
    writeFileSync(userFile, rule("Bash"));
    trusted.add(`${root} ${rule("Bash")}`);
    await rules.prepare(root);
    expect(matches(rules, root)).toEqual(["Bash"]);
  });

  it("come from files: a folder, a pipe or something huge is told, not waited for", () => {
    const rules = follow();
    mkdirSync(userFile);
    expect(matches(rules)).toEqual([]);
    rmSync(userFile, { recursive: true });
    execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', userFile]);
    expect(matches(rules)).toEqual([]);
    rmSync(userFile);
    writeFileSync(userFile, " ".repeat(1024 * 1024 + 1));
    expect(matches(rules)).toEqual([]);
    expect(troubles.map(({ problems }) => problems[0]!.message)).toEqual([
      "cannot be read: it is not a file",
      "cannot be read: it is not a file",
      "cannot be read: it is larger than 1 MB",
    ]);
  });
});
