// Regular expressions of what is judged while an agent waits: none may take the square of its text. A static look for
// the forms that do; what they cost in truth is counted in test/policy/long-inputs.test.ts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const FOLDERS = ["src/policy", "src/policy/shell", "src/control/terminal"];

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** By the characters before it: what follows a value is a division. */
const LITERAL =
  /(?<=[(,=:[!&|?{};\n]\s*|return\s)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

function patternsOf(file: string, text: string): Pattern[] {
  return [...text.matchAll(LITERAL)].map(([, source = "", flags = ""]) => ({ file, source, flags }));
}

const CLASS = String.raw`\[(?:\\.|[^\]\\])+\]|\\[sSdDwW]|\.`;
const UNIT = String.raw`(?:${CLASS}|\\.|[^\\()[\]{}|*+?^$])`;

/** Why a pattern may take the square of its text; null when none of the known forms is in it. */
function slownessOf({ source, flags }: Pattern): string | null {
  const isAnchored = source.startsWith("^") || flags.includes("y");
  // Tried at each place of a run, and each time to the run's end.
  const atEnd = new RegExp(String.raw`(${UNIT}|\))(?:[*+]|\{\d+,\})\$$`).exec(source)?.[1];
  const reachesEnd = atEnd === "." && flags.includes("s");
  if (!isAnchored && atEnd !== undefined && !reachesEnd) return "an unanchored repetition before the end";
  // Where the first repetition ends and the second begins can be chosen at each place; with nothing after, it need not.
  const twice = new RegExp(String.raw`(${CLASS})[*+]((?:${UNIT})[?*]?|)\1[*+](?!$)`, "g");
  for (const [, repeated = "", between = ""] of source.matchAll(twice))
    if (between === "" || /[?*]$/.test(between) || new RegExp(`^(?:${repeated})$`).test(unescaped(between)))
      return `${repeated} is repeated twice in a row`;
  return new RegExp(String.raw`\((?:\?:)?(?:${UNIT})[*+]\)[*+]`).test(source)
    ? "a repetition is repeated"
    : null;
}

function unescaped(text: string): string {
  return text.startsWith("\\") ? text.slice(1) : text;
}

describe("regular expressions of the policy", () => {
  const patterns = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".ts") && !/\.(test|testing)\.ts$/.test(name))
      .flatMap((name) => patternsOf(`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8"))),
  );

  it("are all found", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(300);
    expect(patterns.map(({ source }) => source)).toContain(String.raw`^[A-Za-z_]\w*=`);
  });

  it("take no longer than the text is long", () => {
    const slow = patterns.flatMap((pattern) => {
      const why = slownessOf(pattern);
      return why === null ? [] : [`${pattern.file}: /${pattern.source}/: ${why}`];
    });
    // On names of at most 50 characters.
    expect(slow.filter((line) => !line.includes(String.raw`hidden-code.ts: /[\d.]+$/`))).toEqual([]);
  });

  it.each([
    [String.raw`\/+$`, /unanchored/],
    [String.raw`[\d.]+$`, /unanchored/],
    ["^-[a-zA-Z]*n[a-zA-Z]*$", /twice/],
    [String.raw`^p\s*\d?\s*$`, /twice/],
    ["(a+)+b", /repeated/],
    [String.raw`(?:\w+)+b`, /repeated/],
    ["^-(?=[a-zA-Z]*n)[a-zA-Z]+$", null],
    ["^[a-z]+:[a-z]+$", null],
    [String.raw`^\s*!?\s*`, null],
  ])("a planted /%s/ is judged", (source, why) => {
    const found = slownessOf({ file: "x.ts", source, flags: "" });
    if (why === null) expect(found).toBeNull();
    else expect(found).toMatch(why);
  });
});

it("folders are made one by one: Node's own recursive mkdir never returns in /proc", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/\.(test|testing)\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(500);
  const recursive = files.filter((name) =>
    /\bmkdir(Sync)?\([^;]*?recursive: true/.test(readFileSync(join(root, "src", name), "utf8")),
  );
  expect(recursive).toEqual([]);
});
