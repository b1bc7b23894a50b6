import { expect, it } from "vitest";
import { COMMAND_GROUPS } from "./command-groups.ts";
import { COMMANDS } from "./commands.ts";
import { EXAMPLES, ROOT_EXAMPLES } from "./examples.ts";
import { commandHelp, rootHelp } from "./help-text.ts";
import { noPaint } from "./paint.ts";
import { checkArgs } from "./read-args.ts";

const options = { width: 80, paint: noPaint };
const names = Object.keys(COMMANDS);
const tooWide = (text: string): string[] =>
  text.split("\n").filter((line) => line.length > 80 || line.endsWith(" "));

it("lists every command in exactly one group", () => {
  expect(COMMAND_GROUPS.flatMap(([, group]) => group)).toEqual(names);
  expect(COMMAND_GROUPS.map(([title]) => title)).toEqual([
    "Get started",
    "Watch",
    "Memory",
    "Steer",
    "Maintain",
  ]);
});

it("shows all groups and first examples in 80 columns", async () => {
  const loaded = new Map(
    await Promise.all(names.map(async (name) => [name, await COMMANDS[name]!()] as const)),
  );
  const { rootCommand } = await import("./help.ts");
  const text = await rootHelp(rootCommand, loaded, options);
  expect(tooWide(text)).toEqual([]);
  for (const name of names) expect(text).toMatch(new RegExp(`^  ${name} +[A-Z]`, "m"));
  for (const [line] of ROOT_EXAMPLES) expect(text).toContain(line);
});

it.each(names)("shows examples for %s in 80 columns", async (name) => {
  const text = await commandHelp(await COMMANDS[name]!(), options);
  expect(tooWide(text)).toEqual([]);
  expect(text).toContain("\nExamples:\n");
  for (const [line] of EXAMPLES[name]!) expect(text).toContain(line);
});

/** The words of a simple command line, without a pipe or a redirection. */
function wordsOf(line: string): string[] {
  const argumentText = /hookline ([^|>)&]*)/.exec(line)![1]!;
  return [...argumentText.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

it("has only examples that their commands accept", async () => {
  const lines = [...ROOT_EXAMPLES, ...Object.values(EXAMPLES).flat()].map(([line]) => line);
  expect(lines.length).toBeGreaterThan(60);
  for (const line of lines) {
    const [name, ...raw] = wordsOf(line);
    expect(names, line).toContain(name);
    if (name !== "answer") await checkArgs(await COMMANDS[name!]!(), raw);
  }
});
