import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { stripPrivateTags } from "../../privacy/private-tags.ts";
import { estimateTokens } from "../item-text.ts";
import type { MemoryItem } from "../memory-item.ts";
import { injectionNotice, sessionStartAnswer } from "./answers.ts";
import { buildDigest, type DigestInput } from "./build-digest.ts";
import { lineFormat, makeItem, makeTurn, minute } from "./items.testing.ts";

const build = (items: readonly MemoryItem[], rest: Partial<DigestInput> = {}) =>
  buildDigest({
    ...lineFormat,
    source: "startup",
    items,
    changedFiles: [],
    nowIso: minute(600),
    budgetTokens: 900,
    sessionId: null,
    ...rest,
  });
const linesOf = (text: string | undefined) => (text ?? "").split("\n").slice(2, -1);

const cart = "/srv/shop/src/cart.ts";
const projectItems = [
  makeItem(1, { title: "Prices are integers, in cents" }, { pinned: true }),
  makeItem(2, { type: "decision", title: "Keep the cart in one module" }, { sessionId: "s0" }),
  makeTurn(
    3,
    { request: "Mend the rounding", completed: "Rounded the total half up" },
    {},
    { filesModified: [cart] },
  ),
  makeItem(
    4,
    { type: "failure", title: "npm run e2e failed: 1 of 9", facts: ["Command: npm run e2e"] },
    { success: false },
  ),
  makeTurn(
    5,
    {
      request: "Speed up",
      completed: "Cached the prices",
      nextSteps: "Measure the cache\nDrop the old index",
    },
    { sessionId: "s2" },
  ),
  makeItem(6, { type: "fix", title: "Edited /srv/shop/src/tax.ts (+3 -1)" }, { sessionId: "s3" }),
];

describe("buildDigest at startup", () => {
  it("lists pinned, open, touched, decided, failed and recent items, each once with its day", () => {
    const digest = build(projectItems, { changedFiles: [cart] })!;
    expect(linesOf(digest.text)).toEqual([
      "Pinned:",
      "- #1 2026-11-12 change: Prices are integers, in cents",
      "Open next steps:",
      "- #5 2026-11-12 Measure the cache; Drop the old index (after: Cached the prices)",
      "Work on the files now changed in git:",
      "- #3 2026-11-12 src/cart.ts: Rounded the total half up (asked: Mend the rounding)",
      "Recent decisions and open failures:",
      "- #4 2026-11-12 failure: npm run e2e failed: 1 of 9 · Command: npm run e2e",
      "- #2 2026-11-12 decision: Keep the cart in one module",
      "Recent work:",
      "- #6 2026-11-12 fix: Edited src/tax.ts (+3 -1)",
    ]);
    expect(digest.items.map(({ id, why }) => [id, why])).toEqual([
      [1, "pinned"],
      [5, "a next step that no later work completed"],
      [3, "touched src/cart.ts, changed in git now"],
      [4, "failed, and has not succeeded since"],
      [2, "a recent decision"],
      [6, "recent work"],
    ]);
    expect(digest.tokens).toBe(estimateTokens(digest.text));
  });

  it("is null for a project without items, or with prompts only", () => {
    expect(build([])).toBeNull();
    expect(build([makeItem(1, { type: "prompt", title: "hello" }, { kind: "prompt" })])).toBeNull();
  });

  it("limits the share of each section", () => {
    const manyItems = Array.from({ length: 40 }, (_, at) =>
      makeItem(at + 10, { title: `Pinned ${at} ${"word ".repeat(40)}` }, { pinned: true }),
    );
    const { items } = build([...projectItems, ...manyItems], { changedFiles: [cart], budgetTokens: 600 })!;
    expect(items.filter(({ why }) => why === "pinned").length).toBeLessThan(6);
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([3, 4, 5]));
  });

  it("lists changes only of turns without a summary", () => {
    const items = [
      makeItem(1, { title: "Edited a.ts" }, { promptNumber: 1 }),
      makeItem(2, { title: "Edited b.ts" }, { promptNumber: 2 }),
      makeTurn(3, { completed: "Renamed a" }, { promptNumber: 1 }),
    ];
    expect(linesOf(build(items)?.text)).toEqual([
      "Recent work:",
      "- #3 2026-11-12 summary: Renamed a",
      "- #2 2026-11-12 change: Edited b.ts",
    ]);
  });

  it("drops a failure after two weeks, or once it succeeded", () => {
    const failure = (id: number) =>
      makeItem(
        id,
        { type: "failure", title: "npm test failed", facts: ["Command: npm test"] },
        { success: false },
      );
    const passed = makeItem(2, { type: "test", title: "npm test passed", facts: ["Command: npm test"] });
    expect(build([failure(1)])).not.toBeNull();
    expect(build([failure(1), passed])).toBeNull();
    expect(build([failure(1)], { nowIso: "2026-11-27T00:00:00.000Z" })).toBeNull();
  });

  it("shows days in the user's time zone", () => {
    const lateItem = makeItem(1, {}, { createdAtIso: "2026-11-12T20:00:00.000Z" });
    expect(build([lateItem], { timeZone: "Asia/Seoul" })!.text).toContain("#1 2026-11-13 ");
  });

  it("includes files of an untracked folder", () => {
    const items = [makeItem(1, { filesModified: ["/srv/shop/new/a.ts"] })];
    expect(build(items, { changedFiles: ["/srv/shop/new/"] })!.items[0]!.why).toContain("changed in git now");
    expect(build(items, { changedFiles: ["/srv/shop/ne"] })!.items[0]!.why).toBe("recent work");
  });
});

describe("buildDigest on resume", () => {
  it("lists only what other sessions did since", () => {
    const digest = build(projectItems, { source: "resume", sessionId: "s1" })!;
    expect(digest.items.map(({ id }) => id)).toEqual([5, 6]);
    expect(digest.text).toContain("What other sessions did since:");
    expect(build(projectItems, { source: "resume", sessionId: "s3" })).toBeNull();
  });

  it("lists recent work in half the budget if the session is unknown", () => {
    const digest = build(projectItems, { source: "resume" })!;
    expect(digest.items.map(({ id }) => id)).toEqual([5, 4, 2, 6, 3]);
    const manyItems = Array.from({ length: 60 }, (_, at) =>
      makeItem(at, { title: `Change ${at} ${"word ".repeat(20)}` }),
    );
    expect(build(manyItems, { source: "resume" })!.tokens).toBeLessThanOrEqual(450);
  });
});

it("buildDigest after a compaction lists open work and the session's next steps", () => {
  const openWork = ["Editing /srv/shop/src/cart.ts: half of the tests are renamed\nTask 3: measure\n"];
  const digest = build(projectItems, { source: "compact", sessionId: "s2", openWork })!;
  expect(linesOf(digest.text)).toEqual([
    "Pinned:",
    "- #1 2026-11-12 change: Prices are integers, in cents",
    "Open work before the compaction:",
    "- Editing src/cart.ts: half of the tests are renamed",
    "- Task 3: measure",
    "Open next steps:",
    "- #5 2026-11-12 Measure the cache; Drop the old index (after: Cached the prices)",
  ]);
});

it("stays within its budget, contains no foreign tag, and is stripped completely when recorded", () => {
  const word = fc.constantFrom(
    "cart",
    "</hookline-context>",
    "<private>x",
    "결제",
    "\n# Pinned",
    "Human: hi",
    "<b>",
    "x".repeat(300),
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  const anyItem = fc
    .tuple(fc.integer({ min: 1, max: 500 }), text, text, fc.boolean(), fc.nat(4))
    .map(([id, a, b, pinned, type]) =>
      type === 4
        ? makeTurn(id, { request: a, completed: b, nextSteps: a }, { pinned })
        : makeItem(
            id,
            {
              type: (["decision", "failure", "fix", "change"] as const)[type]!,
              title: a,
              facts: [b],
              filesModified: [cart],
            },
            { pinned },
          ),
    );
  const source = fc.constantFrom("startup", "resume", "compact" as const);
  fc.assert(
    fc.property(
      fc.array(anyItem, { maxLength: 40 }),
      fc.integer({ min: 100, max: 5_000 }),
      source,
      (items, budgetTokens, digestSource) => {
        const digest = build(items, {
          budgetTokens,
          source: digestSource,
          changedFiles: [cart],
          openWork: ["<private>x", "y"],
        });
        if (digest === null) return;
        expect(digest.tokens).toBeLessThanOrEqual(budgetTokens);
        expect(digest.text.length).toBeLessThan(10_000);
        expect(digest.text.match(/</g)).toHaveLength(2);
        expect(stripPrivateTags(`a${digest.text}b`).text).toBe("ab");
        const ids = digest.items.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const line of linesOf(digest.text)) expect(line).toMatch(/^(?:- \S|[A-Z][\w ,]+:$)/);
      },
    ),
    { numRuns: 300 },
  );
});

it("is written in Claude Code's format, with a notice for the user if enabled", () => {
  const digest = build(projectItems)!;
  const hookSpecificOutput = { hookEventName: "SessionStart", additionalContext: digest.text };
  expect(JSON.parse(sessionStartAnswer(claude.answers, digest, null))).toEqual({ hookSpecificOutput });
  const systemMessage = injectionNotice(digest, 37_777);
  expect(systemMessage).toBe(
    `Hookline added 6 notes of earlier work to this session (${digest.tokens} tokens): http://127.0.0.1:37777 · hookline context --explain`,
  );
  expect(JSON.parse(sessionStartAnswer(claude.answers, digest, systemMessage))).toEqual({
    hookSpecificOutput,
    systemMessage,
  });
});
