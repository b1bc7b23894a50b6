/**
 * Collects the options that programs on this machine list in their help and manuals, for tests that generate
 * commands: `node scripts/collect-options.ts`. Programs that are not installed keep their previous list.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { FILE_TOOLS } from "../src/policy/read-only/programs/file-tools.ts";
import { GIT_COMMANDS, GIT_SUBCOMMANDS } from "../src/policy/read-only/programs/git-commands.ts";
import { SEARCH_TOOLS } from "../src/policy/read-only/programs/search-tools.ts";
import { SYSTEM_INFO } from "../src/policy/read-only/programs/system-info.ts";
import { TEXT_TOOLS } from "../src/policy/read-only/programs/text-tools.ts";

const OTHERS =
  "sed awk gawk mawk jq yq find tar unzip node make gcc cmake perl curl less man nm tee touch bash".split(
    " ",
  );
const BUILTINS =
  "jobs read printf test wait type command cd pushd export set shopt mapfile declare hash trap".split(" ");
/** Programs that print their help differently. */
const HELP: Readonly<Record<string, readonly string[]>> = {
  ps: ["--help", "all"],
  awk: ["-W", "help"],
  mawk: ["-W", "help"],
};
const OPTION = /(?<![\w-])(--?[A-Za-z\d](?:[\w-]*\w)?)(\[?=?)/g;
const MAX_OPTIONS = 400;

const file = new URL("../test/policy/option-lists.json", import.meta.url);
const before = JSON.parse(readFileSync(file, { encoding: "utf8", flag: "a+" }) || "{}") as Record<
  string,
  string[]
>;

function helpOf(program: string, args: readonly string[]): string {
  const env = { ...process.env, LC_ALL: "C", GIT_PAGER: "cat", PAGER: "cat" };
  const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 10_000, input: "", env });
  return `${stdout ?? ""}\n${stderr ?? ""}`;
}

function manualOf(name: string): string {
  return helpOf("man", ["-P", "cat", name]);
}

function optionsIn(help: string): readonly string[] {
  const found = [...help.matchAll(OPTION)].map(
    ([, name = "", value = ""]) => name + (value.includes("=") ? "=" : ""),
  );
  return [...new Set(found)].sort().slice(0, MAX_OPTIONS);
}

const programs = Object.keys({ ...TEXT_TOOLS, ...FILE_TOOLS, ...SEARCH_TOOLS, ...SYSTEM_INFO });
const lists: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    [...programs, ...OTHERS].map((name) => [
      name,
      optionsIn(helpOf(name, HELP[name] ?? ["--help"]) + manualOf(name)),
    ]),
  ),
  ...Object.fromEntries(BUILTINS.map((name) => [name, optionsIn(helpOf("bash", ["-c", `help ${name}`]))])),
  ...Object.fromEntries(
    [...Object.keys(GIT_COMMANDS), ...Object.keys(GIT_SUBCOMMANDS)].map((name) => [
      `git ${name}`,
      optionsIn(
        helpOf("git", [name, "-h"]) +
          helpOf("git", [name, "--git-completion-helper-all"]) +
          manualOf(`git-${name}`),
      ),
    ]),
  ),
  git: optionsIn(helpOf("git", ["--help"])),
};
const merged = Object.entries(lists).map(
  ([name, options]) => [name, options.length > 0 ? options : (before[name] ?? [])] as const,
);
const lines = merged
  .filter(([, options]) => options.length > 0)
  .map(([name, options]) => `  ${JSON.stringify(name)}: ${JSON.stringify(options)}`);
writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
