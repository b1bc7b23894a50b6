import { expect, it } from "vitest";
import { previewLine, stripMarkdown, withoutMarkdown } from "./without-markdown.ts";

it.each([
  ["so **0.1 + 0.2** is not `0.3`", "so 0.1 + 0.2 is not 0.3"],
  ["## Done: [the fix](https://x.dev/a) is ~~out~~ in", "Done: the fix is out in"],
  ["> quoted **words**", "quoted words"],
  ["**bold `code` within**", "bold code within"],
  ["run *.ts and src/**/*.ts", "run *.ts and src/**/*.ts"],
  ["import __init__ and a_b_c", "import __init__ and a_b_c"],
  ["2 * 3 ** 4", "2 * 3 ** 4"],
  ["arr[0](1) and f[x](a.b) stay", "arr[0](1) and f[x](a.b) stay"],
])("shows %j as %j", (text, shown) => {
  expect(withoutMarkdown(text)).toBe(shown);
});

it("previews the first line that contains a letter or digit", () => {
  expect(previewLine("\n```ts\nconst a = 1;\n```")).toBe("const a = 1;");
  expect(previewLine("---\n\n# **Summary**\nmore")).toBe("Summary");
  expect(previewLine("  …  ")).toBe("…");
  expect(previewLine("")).toBe("");
});

it("keeps marks on the same words", () => {
  const text = "so **rows** are `doubled` by **rows**";
  const marks = [...text.matchAll(/rows|doubled/g)].map(
    ({ index, 0: found }) => [index, index + found.length] as const,
  );
  const shown = stripMarkdown(text, marks);
  expect(shown.text).toBe("so rows are doubled by rows");
  expect(shown.marks.map(([from, to]) => shown.text.slice(from, to))).toEqual(["rows", "doubled", "rows"]);
});

it("stays fast on hostile text", () => {
  for (const markup of ["**", "`", "[", "~~", "> ", "**a "])
    expect(withoutMarkdown(markup.repeat(4_000 / markup.length)).length).toBeGreaterThan(0);
});
