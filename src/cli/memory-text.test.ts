import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { ItemDetail, SearchHit } from "../serve/contract.ts";
import { injectionsText, previewText } from "./context-text.ts";
import { displayWidth } from "./display-width.ts";
import { itemsText } from "./item-text.ts";
import { type Paint, paintFor } from "./paint.ts";
import { searchText } from "./search-text.ts";
import { timelineText } from "./timeline-text.ts";

const now = Date.parse("2026-11-15T09:00:00Z");
const hostile = "\u001b]0;owned\u0007\u001b[2J\u202e";

function hit(changes: Partial<SearchHit> = {}): SearchHit {
  return {
    id: 1_089_262_213_755_150,
    kind: "observation",
    type: "fix",
    title: "Fixed the cart's total",
    snippet: "total() rounded every price before adding",
    marks: [[0, 5]],
    score: 1,
    why: { fullText: 1, vector: null, recency: 0, sameFile: false, pinned: false },
    sessionId: "s1",
    project: "/home/dev/acme-shop",
    promptNumber: 1,
    toolName: "Edit",
    branch: "main",
    success: true,
    outcome: null,
    createdAtIso: "2026-11-14T09:12:00.000Z",
    files: [],
    tokens: 1_234,
    ...changes,
  };
}

const detail: ItemDetail = {
  id: 7,
  kind: "observation",
  sessionId: "s1",
  project: "/home/dev/acme-shop",
  promptNumber: 2,
  toolName: "Bash",
  branch: "main",
  success: false,
  createdAtIso: "2026-11-14T09:12:00.000Z",
  content: {
    type: "failure",
    title: `npm test${hostile}`,
    facts: [],
    narrative: null,
    filesRead: [],
    filesModified: [],
    concepts: [],
  },
  summary: null,
  madeBy: "person",
  pinned: true,
  tokens: 50,
  text: `npm test${hostile}\n- exit 1`,
  tool: {
    input: { command: "npm test" },
    output: Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n"),
  },
};

describe("search on a terminal", () => {
  it("shows a hit in two lines", () => {
    expect(searchText([hit()], { width: 90, now }).replace(/\d\d:12/, "09:12")).toBe(
      "1089262213755150  2026-11-14 09:12  fix         Fixed the cart's total              1k tok\n" +
        "                  total() rounded every price before adding",
    );
  });

  it("shows one line if the title says it all, and the project if there are several", () => {
    expect(searchText([hit({ snippet: "the cart's" })], { width: 90, now }).split("\n")).toHaveLength(1);
    const two = searchText([hit(), hit({ project: "/srv/blog" })], { width: 90, now });
    expect(two).toContain("acme-shop: total()");
    expect(two).toContain("blog: total()");
  });

  it("highlights a match in the title if the title is all there is", () => {
    const paint: Paint = (colour, text) => (colour === "bold" ? `*${text}*` : text);
    const text = searchText([hit({ snippet: hit().title, marks: [[10, 14]] })], { width: 90, now, paint });
    expect(text).toContain("Fixed the *cart*'s total");
    expect(text.split("\n")).toHaveLength(1);
  });

  it("fits a terminal with colours, too", () => {
    const paint = paintFor({ isTTY: true }, {});
    const wide = hit({
      title: "합계 ".repeat(40),
      snippet: "합계 ".repeat(40),
      why: { ...hit().why, pinned: true },
    });
    const plain = stripVTControlCharacters(searchText([wide], { width: 80, now, paint }));
    expect(plain.split("\n").map(displayWidth)).toEqual([80]);
  });

  it.each([60, 72, 80, 100, 200])("fits %d columns, even with wide letters", (width) => {
    const korean = "장바구니 합계가 틀렸던 것을 고쳤다 ".repeat(10);
    const text = searchText([hit({ title: korean, snippet: korean, marks: [[0, 4]], id: 3 }), hit()], {
      width,
      now,
    });
    for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it("removes control characters from an agent's text", () => {
    const evil = hit({ title: hostile, snippet: hostile, project: `/p/${hostile}`, marks: [[1, 3]] });
    const texts = [
      searchText([evil, hit()], { width: 80, now }),
      timelineText(
        { anchor: 1, entries: [{ ...evil, isAnchor: true, file: hostile, sessionId: hostile }] },
        { width: 80, now },
      ),
      itemsText([detail], { width: 80, now }),
      previewText(
        { project: hostile, kind: "startup", text: hostile, tokens: 1, items: [], off: null },
        { width: 80, now },
      ),
      injectionsText(
        [
          {
            sessionId: hostile,
            project: hostile,
            kind: "prompt",
            atIso: hostile,
            tokens: 1,
            items: [{ id: 1, title: hostile, why: hostile, tokens: 1 }],
          },
        ],
        { width: 80, now },
      ),
    ];
    for (const text of texts) expect(text).not.toMatch(/[^\P{C}\n]/u);
  });
});

it("an item is shown in full, except a long output", () => {
  const text = itemsText([detail], { width: 80, now });
  expect(text).toContain(
    "session s1 · prompt 2 · /home/dev/acme-shop · main · Bash · failed · pinned · by a person",
  );
  expect(text).toContain("  - exit 1\n  Input\n    {\n");
  expect(text).toContain("line 39\n    … 20 more lines");
});
