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
let errors: RulesError[];
let trusted: Set<string>;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-rules-")));
  userFile = join(root, ".hookline", "rules.json");
  trustFile = join(root, ".hookline", "trust.json");
  mkdirSync(dirname(userFile));
  errors = [];
  trusted = new Set();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function follow() {
  return followRules({
    userFile,
    trustFile,
    isTrusted: async (project) =>
      trusted.has(`${project} ${readFileSync(projectRulesFile(project), "utf8")}`),
    onError: (error) => errors.push(error),
  });
}

function rule(match: string): string {
  return `{"tools":[{"match":"${match}","then":"deny"}]}`;
}

const matches = (rules: ReturnType<typeof follow>, project: string | null = null): string[] =>
  rules.joined(project).policy.rules.map(({ match }) => match);

describe("followed rules", () => {
  it("apply from the next call when their file changes, and stop when it is removed", () => {
    const rules = follow();
    expect(matches(rules)).toEqual([]);
    writeFileSync(userFile, rule("Bash"));
    expect(matches(rules)).toEqual(["Bash"]);
    writeFileSync(userFile, rule("Write"));
    expect(matches(rules)).toEqual(["Write"]);
    rmSync(userFile);
    expect(matches(rules)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("stay in force while the file has an error, which is reported once", () => {
    const rules = follow();
    writeFileSync(userFile, rule("Bash"));
    expect(matches(rules)).toEqual(["Bash"]);
    writeFileSync(userFile, `{"tools":[{"match":"Edit","then":"deny"},\n{"match":"Write"}]}`);
    for (let count = 0; count < 3; count++) expect(matches(rules)).toEqual(["Bash"]);
    expect(errors).toEqual([
      {
        file: userFile,
        problems: [expect.objectContaining({ line: 2, message: expect.stringContaining("then") })],
        previousInForce: true,
      },
    ]);
    expect(rules.errors()).toEqual(errors);
    // Saved again unchanged: it is still wrong.
    utimesSync(userFile, 1, 1);
    expect(matches(rules)).toEqual(["Bash"]);
    expect(rules.errors()).toHaveLength(1);
    writeFileSync(userFile, rule("Write"));
    expect(matches(rules)).toEqual(["Write"]);
    expect(rules.errors()).toEqual([]);
  });

  it("do not claim to stay in force if the first version read has an error", () => {
    writeFileSync(userFile, "{");
    const rules = follow();
    expect(matches(rules)).toEqual([]);
    expect(rules.errors()).toMatchObject([{ previousInForce: false }]);
  });

  it("of a project apply there, only while exactly that text is trusted", async () => {
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
    expect(errors).toEqual([]);
  });

  it("are only the user's in the home folder, where both files are the same", async () => {
    const rules = follow();
    writeFileSync(userFile, rule("Bash"));
    trusted.add(`${root} ${rule("Bash")}`);
    await rules.prepare(root);
    expect(matches(rules, root)).toEqual(["Bash"]);
  });

  it("are not read from a folder, a pipe or a huge file, which is reported", () => {
    const rules = follow();
    mkdirSync(userFile);
    expect(matches(rules)).toEqual([]);
    rmSync(userFile, { recursive: true });
    execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', userFile]);
    expect(matches(rules)).toEqual([]);
    rmSync(userFile);
    writeFileSync(userFile, " ".repeat(1024 * 1024 + 1));
    expect(matches(rules)).toEqual([]);
    expect(errors.map(({ problems }) => problems[0]!.message)).toEqual([
      "cannot be read: it is not a file",
      "cannot be read: it is not a file",
      "cannot be read: it is larger than 1 MB",
    ]);
  });
});
