import { describe, expect, it } from "vitest";
import { ItemContent } from "../memory-item.ts";
import { command, compressed, PROJECT } from "./call.testing.ts";
import { promptItemContent, summaryItemContent } from "./turn-item.ts";

const CART = `${PROJECT}/src/cart.ts`;
const summary = {
  request: "Fix the cart.",
  investigated: null,
  learned: null,
  completed: null,
  nextSteps: null,
};
const calls = [
  compressed({ toolName: "Read", toolInput: { file_path: CART }, success: true }),
  compressed({ toolName: "Read", toolInput: { file_path: `${PROJECT}/README.md` }, success: true }),
  compressed({
    toolName: "Edit",
    toolInput: { file_path: CART, old_string: "a", new_string: "b" },
    success: true,
  }),
  command("git add docs/a.md"),
].map((content) => ({ content }));

describe("summaryItemContent", () => {
  it("uses the result as title, and merges the files of the calls", () => {
    const content = summaryItemContent(
      { ...summary, completed: "Fixed total(). Edited src/cart.ts." },
      calls,
    );
    expect(ItemContent.parse(content)).toEqual(content);
    expect(content).toMatchObject({
      type: "summary",
      title: "Fixed total(). Edited src/cart.ts.",
      filesRead: [`${PROJECT}/README.md`],
      filesModified: [CART, `${PROJECT}/docs/a.md`],
    });
    expect(content.concepts.slice(0, 2)).toEqual(["payment", "typescript"]);
  });

  it("uses the request as title when nothing was done", () => {
    expect(summaryItemContent(summary, []).title).toBe("Fix the cart.");
    expect(summaryItemContent({ ...summary, request: null }, []).title).toBe("Turn without text");
  });

  it("limits title and files", () => {
    const manyCalls = Array.from({ length: 100 }, (_, at) =>
      compressed({ toolName: "Read", toolInput: { file_path: `/p/${at}.ts` }, success: true }),
    ).map((content) => ({ content }));
    const content = summaryItemContent({ ...summary, completed: "word ".repeat(200) }, manyCalls);
    expect(content.title.length).toBeLessThanOrEqual(120);
    expect(content.filesRead).toHaveLength(30);
  });
});

describe("promptItemContent", () => {
  it("contains the prompt without injected text", () => {
    expect(promptItemContent("Fix the login\n<system-reminder>x</system-reminder>")).toEqual({
      type: "prompt",
      title: "Fix the login",
      facts: [],
      narrative: null,
      filesRead: [],
      filesModified: [],
      concepts: ["auth"],
    });
  });

  it("keeps the full text in the narrative if the title is too short", () => {
    const prompt = `Make the cart faster. ${"It is slow with many prices. ".repeat(10)}`.trim();
    const content = promptItemContent(prompt);
    expect(content.title.length).toBeLessThanOrEqual(120);
    expect(content.narrative).toBe(prompt);
    expect(promptItemContent(" ").title).toBe("Prompt without text");
  });
});
