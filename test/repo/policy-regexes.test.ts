// Regular expressions that run while an agent waits must not take quadratic time. A static check for known
// quadratic forms; test/policy/long-inputs.test.ts measures the actual work.

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

/** Recognized by the preceding characters: a slash after a value is a division. */
const LITERAL =
  /(?<=[(,=:[!&|?{};\n]\s*|return\s)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

function patternsOf(file: string, text: string): Pattern[] {
  return [...text.matchAll(LITERAL)].map(([, source = "", flags = ""]) => ({ file, source, flags }));
}

const CLASS = String.raw`\[(?:\\.|[^\]\\])+\]|\\[sSdDwW]|\.`;
const UNIT = String.raw`(?:${CLASS}|\\.|[^\\()[\]{}|*+?^$])`;

/** Why a pattern may take quadratic time; null when it has none of the known forms. */
function slownessOf({ source, flags }: Pattern): string | null {
  const isAnchored = source.startsWith("^") || flags.includes("y");
  // Tried at each position of a run, and each time to the run's end.
  const atEnd = new RegExp(String.raw`(${UNIT}|\))(?:[*+]|\{\d+,\})\$$`).exec(source)?.[1];
  const reachesEnd = atEnd === "." && flags.includes("s");
  if (!isAnchored && atEnd !== undefined && !reachesEnd) return "an unanchored repetition before the end";
  // The boundary between the two repetitions is ambiguous; harmless when nothing follows.
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

  it("are all extracted", () => {
    expect(patterns.length).toBeGreaterThanOrEqual(300);
    expect(patterns.map(({ source }) => source)).toContain(String.raw`^[A-Za-z_]\w*=`);
  });

  it("take linear time", () => {
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
  ])("include a planted /%s/", (source, why) => {
    const found = slownessOf({ file: "x.ts", source, flags: "" });
    if (why === null) expect(found).toBeNull();
    else expect(found).toMatch(why);
  });
});

it("never uses a recursive mkdir, which hangs in /proc", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/\.(test|testing)\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(500);
  const recursive = files.filter((name) =>
    /\bmkdir(Sync)?\([^;]*?recursive: true/.test(readFileSync(join(root, "src", name), "utf8")),
  );
  expect(recursive).toEqual([]);
});
