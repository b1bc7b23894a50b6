import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown.tsx";
import { parseInline } from "./parse-inline.ts";
import { parseMarkdown } from "./parse-markdown.ts";

const html = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }));

describe("parsing", () => {
  it("reads headings, paragraphs, lists, tables, quotes, fences and rules", () => {
    const text = [
      "# One",
      "words *and* `code`",
      "goes on",
      "",
      "- a",
      "- [x] b",
      "    - deep",
      "",
      "3. third",
      "4. fourth",
      "",
      "| l | r |",
      "|---|--:|",
      "| a \\| b | 1 |",
      "",
      "> said",
      "",
      "---",
      "```ts",
      "# no heading",
      "```",
    ].join("\n");
    expect(parseMarkdown(text).map(({ type }) => type)).toEqual([
      "heading",
      "paragraph",
      "list",
      "list",
      "table",
      "quote",
      "rule",
      "code",
    ]);
    expect(parseMarkdown(text)[2]).toMatchObject({
      start: null,
      items: [{ checked: null }, { checked: true, blocks: [{ type: "paragraph" }, { type: "list" }] }],
    });
    expect(parseMarkdown(text)[3]).toMatchObject({ start: 3, items: [{}, {}] });
    expect(parseMarkdown(text)[4]).toMatchObject({
      align: ["left", "right"],
      rows: [[[{ text: "a | b" }], [{ text: "1" }]]],
    });
    expect(parseMarkdown(text)[7]).toEqual({ type: "code", language: "ts", text: "# no heading" });
  });

  it("tells emphasis from snake_case names and multiplication", () => {
    expect(parseInline("snake_case_name and 2 * 3 * 4")).toEqual([
      { type: "text", text: "snake_case_name and 2 * 3 * 4" },
    ]);
    expect(parseInline("**bold *and* more**")).toMatchObject([
      { type: "strong", inner: [{ text: "bold " }, { type: "em" }, { text: " more" }] },
    ]);
    expect(parseInline("``a ` b``")).toEqual([{ type: "code", text: "a ` b" }]);
    expect(parseInline("\\*not\\*")).toEqual([{ type: "text", text: "*not*" }]);
  });

  it("strips closing heading marks, and requires a valid table divider", () => {
    expect(parseMarkdown("## Two # ##  ")).toEqual([
      { type: "heading", level: 2, inner: [{ type: "text", text: "Two #" }] },
    ]);
    expect(parseMarkdown("a | b\n:-: | -")).toMatchObject([{ type: "table", align: ["center", "left"] }]);
    for (const none of ["a | b\n: | -", "a | b\n|", "#no heading"])
      expect(parseMarkdown(none)).toMatchObject([{ type: "paragraph" }]);
  });

  it("treats an unclosed fence as code to the end", () => {
    expect(parseMarkdown("```\na\n\nb")).toEqual([{ type: "code", language: "", text: "a\n\nb" }]);
  });
});

describe("hostile text", () => {
  it("never turns HTML into elements, links or handlers", () => {
    const shown = html(
      '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<a href="javascript:1">x</a>',
    );
    expect(shown).toContain("&lt;script&gt;");
    expect(shown).not.toMatch(/<(script|img|a|iframe)\b/);
    expect(shown).not.toMatch(/<[^>]*\s(href|src|style|on\w+)=/);
  });

  it("shows links as text with their address, whatever the scheme, and fetches no images", () => {
    for (const address of [
      "https://example.com/a_(b)",
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil",
    ]) {
      const shown = html(`[safe](${address}) ![pixel](${address})`);
      expect(shown).not.toMatch(/<(a|img)\b/);
      expect(shown).toContain(address);
    }
  });

  it("makes bidirectional and control characters visible", () => {
    expect(html("a\u202eb `c\u0007` \u2066d")).toContain("a\\u202eb");
    expect(html("`c\u0007`")).toContain("c\\u0007");
    expect(html("[x](https://a.b/\u202ecod)")).toContain("\\u202ecod");
  });

  it("stays fast on unclosed delimiters and deep nesting", () => {
    const hostile = [
      "*a ".repeat(30_000),
      "*a ".repeat(6_000),
      "**a* ".repeat(3_900),
      "[".repeat(50_000),
      "[a](".repeat(10_000),
      `${"`".repeat(9_999)}${"a".repeat(9_999)}`,
      "_a*b".repeat(20_000),
      `${"> ".repeat(5_000)}x`,
      Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}- x`).join("\n"),
      `${"|".repeat(20_000)}\n|-|`,
      "x".repeat(500_000),
      "# ".repeat(50_000),
      "- - - - - - - - - - x\n".repeat(1_000),
      `# a${" ".repeat(20_000)}x\u2028`,
      `-${" ".repeat(20_000)}x\u2028`,
      `a|b\n-${" ".repeat(100_000)}x`,
      `a|b\n${" ".repeat(50_000)}|${" ".repeat(50_000)}x`,
      `${"[]".repeat(9_500)}\n\n`.repeat(10),
    ];
    for (const text of hostile) expect(html(text).length).toBeGreaterThan(0);
  });
});
