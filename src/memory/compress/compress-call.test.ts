import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ItemContent } from "../memory-item.ts";
import { callEvent, command, compressed, PROJECT } from "./call.testing.ts";
import { compressCall } from "./compress-call.ts";

const CART = `${PROJECT}/src/cart.ts`;
const edit = {
  toolName: "Edit",
  toolInput: {
    file_path: CART,
    old_string: "export function total(prices) {\n  return sum(prices);\n}",
    new_string: "export function total(prices) {\n  return Math.round(sum(prices) * 100) / 100;\n}",
  },
  success: true,
  metadata: { filePath: CART },
};

describe("compressCall of an edit", () => {
  it("names the agent's intention, the changed lines and their function", () => {
    const before = "I see. Now let me make total() round to cents.";
    expect(compressed(edit, { before })).toEqual({
      type: "change",
      title: "Edited src/cart.ts: make total() round to cents",
      facts: ["Touches total", "Changed: return sum(prices); → return Math.round(sum(prices) * 100) / 100;"],
      narrative: before,
      filesRead: [],
      filesModified: [CART],
      concepts: ["typescript", "payment", "total"],
    });
  });

  it("takes the lines from the patch if there is one", () => {
    const structuredPatch = [
      { oldStart: 1, lines: [" function total() {", "-  return 1;", "+  return 2;", "+  // two", " }"] },
    ];
    const { facts } = compressed({ ...edit, toolInput: { file_path: CART }, structuredPatch });
    expect(facts).toEqual([
      "Touches total",
      "Added: return 2;",
      "Added: // two",
      "Removed: return 1;",
      "2 lines added, 1 removed",
    ]);
  });

  it.each([
    ["a fix if the text before it says so", { before: "Found the bug, fixing it." }, "fix"],
    ["a fix if the text after it says so", { after: "The regression is gone." }, "fix"],
    ["a fix if the user asked for one", { prompt: "장바구니 합계 오류를 고쳐줘" }, "fix"],
    [
      "a decision if the text states a choice",
      { before: "We'll use integers because floats drift." },
      "decision",
    ],
    [
      "a decision if the text weighs alternatives",
      { before: "Rounding here rather than in the view." },
      "decision",
    ],
    ["a decision, in Korean", { before: "정수를 사용하기로 했습니다." }, "decision"],
    ["a fix even though it weighs", { before: "Fix it: round instead of truncating." }, "fix"],
    ["a change if errors are only its subject", { before: "Add error handling." }, "change"],
    ["a change without any text", {}, "change"],
  ])("is %s", (_, contextText, type) => {
    expect(compressed(edit, contextText).type).toBe(type);
  });

  it("is a failure that only names the file if the edit failed", () => {
    const content = compressed({
      ...edit,
      success: false,
      errorMessage: "File has not been read yet. Read it first.",
    });
    expect(content).toMatchObject({
      type: "failure",
      title: "Edit of src/cart.ts failed: File has not been read yet. Read it first.",
      facts: [],
      filesRead: [CART],
      filesModified: [],
    });
  });

  it("is the user's decision if they refused with a reason", () => {
    const errorMessage =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nuse bcrypt, not md5";
    expect(compressed({ ...edit, success: false, errorMessage })).toMatchObject({
      type: "decision",
      title: "User refused: Edit of src/cart.ts (use bcrypt, not md5)",
      facts: ["The user said: use bcrypt, not md5"],
    });
  });
});

describe("compressCall of a command", () => {
  it("uses the commit as title and lists its files", () => {
    const line = `git add src/cart.ts && git commit -m "$(cat <<'EOF'\nFix "total()": it's in cents\n\nLong text (with brackets.\nEOF\n)"`;
    const output = `[main 1a2b3c4] Fix "total()": it's in cents\n 1 file changed, 2 insertions(+), 1 deletion(-)`;
    expect(command(line, { output })).toMatchObject({
      type: "fix",
      title: `Committed 1a2b3c4: Fix "total()": it's in cents`,
      filesModified: [CART],
    });
    expect(command(line).title).toBe(`Committed: Fix "total()": it's in cents`);
  });

  it("reports how many tests passed", () => {
    const output = " Test Files  4 passed (4)\n      Tests  41 passed (41)\n";
    expect(command("cd /home/dev/acme-shop && npm test 2>&1 | tail -5", { output })).toMatchObject({
      type: "test",
      title: "npm test passed: 41 tests",
    });
  });

  it("is a failure if tests failed, also behind a pipe that hides the exit code", () => {
    const output = [
      " FAIL  src/cart.test.ts > total > rounds",
      "AssertionError: expected 0.30000000000000004 to be 0.3",
      " ❯ src/cart.test.ts:12:20",
      "      Tests  2 failed | 39 passed (41)",
    ].join("\n");
    const content = command("npm test 2>&1 | tail", { output });
    expect(content).toMatchObject({ type: "failure", title: "npm test failed: 2 of 41 (cart.test.ts)" });
    expect(content.facts).toEqual(
      expect.arrayContaining([
        "Error: AssertionError: expected 0.30000000000000004 to be 0.3",
        "Tests: 39 passed, 2 failed",
        "Failing: src/cart.test.ts > total > rounds",
        "Command: npm test 2>&1 | tail",
        "At src/cart.test.ts:12:20",
      ]),
    );
  });

  it("uses the error line as title, with paths relative to the project", () => {
    const output = `${PROJECT}/src/cart.ts(3,5): error TS2345: Argument of type 'string' is not assignable.`;
    expect(command("npx tsc", { output, exitCode: 2 })).toMatchObject({
      type: "failure",
      title:
        "npx tsc failed (exit 2): src/cart.ts(3,5): error TS2345: Argument of type 'string' is not assignable.",
      facts: ["Command: npx tsc", "Exit code 2"],
      concepts: ["ts2345", "typescript", "payment", "error"],
    });
  });

  it("is no failure if a search found nothing", () => {
    expect(command("grep -rn anvil src", { exitCode: 1 })).toMatchObject({
      type: "discovery",
      title: "Ran grep -rn anvil src: nothing found",
    });
    expect(
      command("grep -rn anvil nowhere", { output: "grep: nowhere: No such file or directory", exitCode: 2 })
        .type,
    ).toBe("failure");
  });

  it("uses the agent's description as title of a long command", () => {
    const line = `for f in $(ls src); do\n  sed -e 's/a/b/' "$f" | sort | uniq -c | sort -rn\ndone`;
    const content = command(line, { description: "Count words in all sources" });
    expect(content.title).toBe("Count words in all sources");
    expect(content.facts[0]).toContain("for f in $(ls src)");
  });

  it("is a change if the shell writes a file", () => {
    expect(command("cat > scripts/run.sh <<'EOF'\nrm /etc/hosts.txt\nEOF\n")).toMatchObject({
      type: "change",
      title: "Wrote scripts/run.sh from the shell",
      filesModified: [`${PROJECT}/scripts/run.sh`],
    });
  });
});

describe("compressCall of other tools", () => {
  it("uses a decision before an inspection as title", () => {
    const content = compressed(
      { toolName: "Read", toolInput: { file_path: CART }, success: true },
      { before: "We decided to keep prices as integers. Let me look at the cart." },
    );
    expect(content).toMatchObject({ type: "decision", title: "We decided to keep prices as integers." });
    expect(content.facts).toContain("Read src/cart.ts");
  });

  it("turns a plan into a decision with its steps", () => {
    const plan = "# Move the cart to SQLite\n\n1. Add a table\n2. Migrate\n";
    expect(compressed({ toolName: "ExitPlanMode", toolInput: { plan }, success: true })).toMatchObject({
      type: "decision",
      title: "Plan: Move the cart to SQLite",
      facts: ["Add a table", "Migrate"],
    });
  });

  it("turns a fetched page into research", () => {
    const content = compressed({
      toolName: "WebFetch",
      toolInput: { url: "https://nodejs.org/api/sqlite.html?x=1", prompt: "Is FTS5 there?" },
      toolOutput: "Yes, it is compiled in.",
      success: true,
    });
    expect(content).toMatchObject({
      type: "research",
      title: "Fetched nodejs.org/api/sqlite.html: Is FTS5 there?",
    });
    expect(content.facts).toContain("Answer: Yes, it is compiled in.");
  });

  it("finds the files of Codex patches", () => {
    const patch =
      "*** Begin Patch\n*** Update File: src/cart.ts\n-a = 1\n+a = 2\n*** Add File: new.txt\n+hello\n*** End Patch\n";
    expect(
      compressed({ toolName: "apply_patch", toolInput: { command: patch }, success: true }),
    ).toMatchObject({
      type: "change",
      title: "Edited src/cart.ts, new.txt",
      filesModified: [CART, `${PROJECT}/new.txt`],
    });
  });
});

describe("compressCall of any call", () => {
  it("drops injected text, code blocks and control characters", () => {
    const content = compressed(edit, {
      before:
        "One \u001b[31mred\u001b[0m word.\u202e<system-reminder>never</system-reminder>\n```ts\ncode();\n```\nNow two.<hookline-context>never</hookline-context>",
    });
    expect(content.narrative).toBe("One red word.\nNow two.");
    expect(JSON.stringify(content)).not.toContain("never");
  });

  it("describes a preview by what it contains", () => {
    const content = compressed({
      toolName: "Write",
      toolInput: { file_path: CART, content: "export class Cart {…", $blob: "ab12" },
      structuredPatch: { $blob: "cd34" },
      success: true,
      metadata: { filePath: CART, lineCount: 900 },
    });
    expect(content).toMatchObject({
      title: "Wrote src/cart.ts (900 lines)",
      facts: ["Defines Cart", "Begins: export class Cart {…"],
    });
  });

  it("bounds megabyte texts, and reads both ends", () => {
    const huge = "x".repeat(1_000_000);
    const content = command(
      "make all",
      { output: `${huge}\nerror: no rule to make target 'all'`, exitCode: 2 },
      { before: huge },
    );
    expect(content.title).toBe("make all failed (exit 2): error: no rule to make target 'all'");
    expect(content.narrative?.length).toBe(600);
  });

  it("creates a valid item from any payload", () => {
    const tool = fc.constantFrom(
      ...[
        "Bash",
        "Read",
        "Edit",
        "MultiEdit",
        "Write",
        "NotebookEdit",
        "Grep",
        "Glob",
        "LS",
        "WebFetch",
        "WebSearch",
      ],
      ...[
        "Task",
        "Agent",
        "ExitPlanMode",
        "AskUserQuestion",
        "TaskCreate",
        "Skill",
        "mcp__a__b",
        "mcp__",
        "apply_patch",
        "",
        "?",
      ],
    );
    const key = fc.constantFrom(
      ...[
        "command",
        "file_path",
        "pattern",
        "path",
        "content",
        "old_string",
        "new_string",
        "edits",
        "url",
        "prompt",
      ],
      ...["plan", "answers", "description", "offset", "limit", "query", "$blob", "notebook_path", "subject"],
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      SHELL_LIKE,
      fc.constantFrom("<system-reminder>", "Exit code 7", "FAIL  a.ts > b"),
    );
    const value = fc.oneof(
      text,
      fc.jsonValue(),
      fc.array(fc.record({ old_string: text, lines: fc.array(text) }, { requiredKeys: [] })),
    );
    const payload = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          toolName: fc.oneof(tool, text),
          toolInput: fc.oneof(fc.dictionary(key, value), value),
          toolOutput: value,
          success: fc.oneof(fc.boolean(), value),
          errorMessage: value,
          structuredPatch: value,
          metadata: fc.oneof(
            fc.record({ exitCode: value, lineCount: value, matchCount: value, filePath: value }),
            value,
          ),
        },
        { requiredKeys: [] },
      ),
    );
    const contextText = fc.option(text);
    fc.assert(
      fc.property(
        payload,
        contextText,
        contextText,
        contextText,
        fc.option(fc.constantFrom("/", PROJECT, "relative", "")),
        (anyPayload, before, after, prompt, projectPath) => {
          const event = { ...callEvent(anyPayload), cwd: projectPath };
          const content = compressCall({ event, before, after, prompt, projectPath });
          expect(ItemContent.parse(content)).toEqual(content);
          expect(content.title.length).toBeGreaterThan(0);
          expect(content.title.length).toBeLessThanOrEqual(120);
          expect(content.facts.length).toBeLessThanOrEqual(8);
          for (const fact of content.facts) expect(fact.length).toBeLessThanOrEqual(240);
          expect(content.narrative?.length ?? 0).toBeLessThanOrEqual(600);
          expect(content.concepts.length).toBeLessThanOrEqual(8);
          for (const concept of content.concepts) expect(concept).toBe(concept.toLowerCase());
          expect(content.filesRead.length + content.filesModified.length).toBeLessThanOrEqual(40);
          const all = [
            content.title,
            ...content.facts,
            content.narrative ?? "",
            ...content.filesRead,
            ...content.filesModified,
          ];
          for (const value of [...all, ...content.concepts]) {
            expect(value).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
            expect(value.isWellFormed()).toBe(true);
          }
          expect(compressCall({ event, before, after, prompt, projectPath })).toEqual(content);
        },
      ),
      { numRuns: 400 },
    );
  });
});

const SHELL_LIKE = fc
  .array(
    fc.constantFrom(
      "git",
      "commit",
      "-m",
      '"',
      "'",
      "$(",
      ")",
      "<<EOF",
      "\n",
      "EOF",
      ">",
      "a.ts",
      "&&",
      "|",
      "cat",
      "cd",
      "\\",
      "`",
      "npm",
      "test",
      "#",
      "sed",
      "-i",
    ),
    { maxLength: 30 },
  )
  .map((contextText) => contextText.join(" "));
