import { readdirSync } from "node:fs";
import type { CommandDef } from "citty";
import { describe, expect, it } from "vitest";
import { closestWord } from "../shown/did-you-mean.ts";
import { COMMANDS } from "./commands.ts";
import { checkArgs } from "./read-args.ts";

// `answer` parses its own arguments; see answer-args.test.ts.
const NAMES = Object.keys(COMMANDS).filter((name) => name !== "answer");

const load = (name: string): Promise<CommandDef<never>> => COMMANDS[name]!();

const check = async (name: string, ...raw: string[]) => checkArgs(await load(name), raw);

describe("every command", () => {
  it("is covered by these tests", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(32);
    expect(readdirSync(import.meta.dirname)).toEqual(
      expect.arrayContaining(NAMES.map((name) => `${name}.ts`)),
    );
  });

  it.each(NAMES)("%s rejects unknown options, long, short and negated", async (name) => {
    for (const option of ["--bogus", "--bogus=1", "-Z", "--no-bogus", "--no-json", "--__proto__"])
      await expect(check(name, option), option).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining(`unknown option ${option.replace(/=.*/, "")}`),
      });
  });

  it.each(NAMES)("%s rejects one argument too many, even after --", async (name) => {
    const defs = Object.values((await load(name)).args ?? {}) as { type: string; variadic?: boolean }[];
    const positionals = defs.filter(({ type }) => type === "positional");
    if (positionals.some(({ variadic }) => variadic)) {
      await expect(check(name, "1", "2", "3", "4", "5")).resolves.toMatchObject({ wantsHelp: false });
      return;
    }
    const words = [...positionals.map(() => "1"), "one-more"];
    for (const raw of [words, ["--", ...words]])
      await expect(check(name, ...raw)).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining('unexpected argument "one-more"'),
      });
  });

  it.each(NAMES)("%s rejects an option without its value, and a switch with a value", async (name) => {
    for (const [option, def] of Object.entries((await load(name)).args ?? {}) as [
      string,
      { type: string },
    ][]) {
      if (def.type === "positional") continue;
      const invalid =
        def.type === "boolean"
          ? [[`--${option}=yes`], [`--${option}=false`]]
          : [[`--${option}`], [`--${option}`, "--json"], [`--${option}`, "-f"], [`--${option}`, "--", "x"]];
      for (const raw of invalid)
        await expect(check(name, ...raw), raw.join(" ")).rejects.toMatchObject({ code: "usage" });
    }
  });

  it.each(NAMES)("%s shows help, whatever else is missing", async (name) => {
    expect((await check(name, "--help")).wantsHelp).toBe(true);
    expect((await check(name, "-h")).wantsHelp).toBe(true);
    expect((await check(name).catch(() => ({ wantsHelp: false }))).wantsHelp).toBe(false);
  });
});

describe("a switch and its opposite", () => {
  it.each([["guard"], ["approve"], ["fail-closed"]])("cannot be combined: --%s", async (name) => {
    for (const raw of [
      [`--${name}`, `--no-${name}`],
      [`--no-${name}`, `--${name}`],
    ])
      await expect(check("install", ...raw)).rejects.toMatchObject({
        code: "usage",
        message: `--${name} and --no-${name} contradict each other.`,
      });
  });
});

describe("a suggestion", () => {
  it.each([
    ["recipes", "--dryrun", "--dry-run"],
    ["forget", "--dryRun", "--dry-run"],
    ["forget", "--dry_run", "--dry-run"],
    ["sessions", "--limt=3", "--limit"],
    ["sessions", "--needsme", "--needs-me"],
    ["install", "--no-gaurd", "--no-guard"],
    ["run", "--resum", "--resume"],
    ["top", "--exit-wehn", "--exit-when"],
  ])("corrects %s %s to %s", async (name, typed, suggestion) => {
    await expect(check(name, typed)).rejects.toMatchObject({
      message: expect.stringContaining(`did you mean ${suggestion}?`),
    });
  });

  it("is omitted if nothing is close", async () => {
    await expect(check("trust", "--approve")).rejects.toMatchObject({
      message: "unknown option --approve; see `hookline trust --help`.",
    });
    expect(closestWord("zzz", ["up", "down", "run"])).toBeNull();
  });

  it.each([
    ["sesions", "sessions"],
    ["serach", "search"],
    ["stat", "status"],
    ["unistall", "uninstall"],
  ])("corrects %s to the command %s", (typed, suggestion) => {
    expect(closestWord(typed, NAMES)).toBe(suggestion);
  });
});

describe("words that only look like options", () => {
  it("are values and arguments: negative numbers, a dash, sentences", async () => {
    expect((await check("config", "memory.digestTokens", "-5")).argv).toEqual([
      "--",
      "memory.digestTokens",
      "-5",
    ]);
    expect((await check("sessions", "--limit", "-3")).argv).toEqual(["--limit=-3", "--"]);
    expect((await check("run", "- fix the list", "--json")).argv).toEqual(["--json", "--", "- fix the list"]);
    expect((await check("run", "--json is broken, fix it")).argv).toEqual(["--", "--json is broken, fix it"]);
    expect((await check("search", "--", "--json")).argv).toEqual(["--", "--json"]);
  });

  it("do not affect the usual forms of options", async () => {
    for (const raw of [["-n", "5", "-f"], ["-fn5"], ["-fn", "5"], ["-f", "-n=5"], ["--follow", "--lines=5"]])
      expect((await check("tail", ...raw)).argv.toSorted()).toEqual(["--", "--follow", "--lines=5"]);
  });

  it("must not be empty, unless the value can be cleared", async () => {
    await expect(check("session", "")).rejects.toMatchObject({ message: "ID is empty." });
    await expect(check("session")).rejects.toMatchObject({
      message: "ID is missing: `hookline session ID`.",
    });
    await expect(check("forget", "--session=")).rejects.toMatchObject({ message: "--session is empty." });
    expect((await check("edit", "5", "--text", "")).argv).toEqual(["--text=", "--", "5"]);
  });
});
