import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { functionLines } from "./function-lines.ts";
import { LONG_FUNCTIONS } from "./long-functions.ts";

// No function exceeds 100 lines, and those over 60 are listed with a reason.

const ROOT = join(import.meta.dirname, "../..");
const MAX_LINES = 100;
const GOOD_LINES = 60;

const sources = ["src", "scripts"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:d|test|testing)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);
const functions = sources.flatMap((path) =>
  functionLines(path, readFileSync(join(ROOT, path), "utf8")).map((entry) => ({
    ...entry,
    key: `${path} ${entry.name}`,
  })),
);
const over = (max: number) => functions.filter(({ lines }) => lines > max);
const describeFunction = ({ key, lines }: (typeof functions)[number]): string => `${key}: ${lines}`;

describe("functions", () => {
  it("are all checked", () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(functions.length).toBeGreaterThan(5_000);
  });

  it(`have at most ${MAX_LINES} lines`, () => {
    expect(over(MAX_LINES).map(describeFunction)).toEqual([]);
  });

  it(`have at most ${GOOD_LINES} lines, or a reason for more`, () => {
    const unnamed = over(GOOD_LINES).filter(
      ({ key, lines }) => lines <= MAX_LINES && !(key in LONG_FUNCTIONS),
    );
    expect(unnamed.map(describeFunction)).toEqual([]);
  });

  it("are listed with a reason only as long as they need one", () => {
    const needed = new Set(over(GOOD_LINES).map(({ key }) => key));
    expect(Object.keys(LONG_FUNCTIONS).filter((key) => !needed.has(key))).toEqual([]);
    for (const reason of Object.values(LONG_FUNCTIONS)) expect(reason).toMatch(/^[A-Z].{20,140}\.$/);
  });
});

describe("the count", () => {
  const count = (source: string, path = "x.ts") =>
    functionLines(path, source).map(({ name, startLine, lines }) => [name, startLine, lines]);

  it("covers lines with code in the body: no blank ones, comments, braces, or lines within a text", () => {
    const source = `
/** Outside. */
export function long(
  first: string,
  second: number,
): string {
  // A comment.
  const text = \`one
two

three\`;

  /*
   * Another.
   */
  if (second > 0) {
    return first;
  } else {
    call(
      text,
    );
  }
  const value = [
    { a: 1 },
    2
    * 3,
  ];
  return String(value);
}
`;
    expect(count(source)).toEqual([["long", 3, 11]]);
  });

  it("covers every function, including nested ones", () => {
    const body = "    call();\n".repeat(70);
    const source = `const made = () => {\n  const inner = function () {\n${body}  };\n  return {\n    act() {\n${body}    },\n    act2: async () => {\n${body}    },\n    3: (x: number) =>\n      x,\n  };\n};\n`;
    expect(count(source)).toEqual([
      ["made", 1, 216],
      ["inner", 2, 70],
      ["act", 75, 70],
      ["act2", 147, 70],
      ["made", 219, 1],
    ]);
  });

  it("covers methods and components, in TypeScript and TSX", () => {
    const source = `class A {\n  async go() {\n    say("한국어 😀");\n    return 1;\n  }\n}\nexport function Page() {\n  const 이름 = use();\n  return (\n    <p>\n      Some text\n      {이름}\n    </p>\n  );\n}\n`;
    expect(count(source, "x.tsx")).toEqual([
      ["go", 2, 2],
      ["Page", 7, 4],
    ]);
  });
});
