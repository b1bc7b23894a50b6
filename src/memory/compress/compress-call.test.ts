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

describe("an edit", () => {
  it("is told with what the agent set out to do, the lines it changed and the function they are in", () => {
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

  it("takes the lines from the patch where there is one", () => {
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
    ["a fix, where the words before it say so", { before: "Found the bug, fixing it." }, "fix"],
    ["a fix, where the words after it say so", { after: "The regression is gone." }, "fix"],
    ["a fix, where the user asked for one", { prompt: "장바구니 합계 오류를 고쳐줘" }, "fix"],
    [
      "a decision, where they state a choice",
      { before: "We'll use integers because floats drift." },
      "decision",
    ],
    [
      "a decision, where one thing is weighed against another",
      { before: "Rounding here rather than in the view." },
      "decision",
    ],
    ["a decision, in Korean", { before: "정수를 사용하기로 했습니다." }, "decision"],
    ["a fix even though it weighs", { before: "Fix it: round instead of truncating." }, "fix"],
    ["a change, where errors are only its subject", { before: "Add error handling." }, "change"],
    ["a change, where nobody says anything", {}, "change"],
  ])("is %s", (_, words, type) => {
    expect(compressed(edit, words).type).toBe(type);
  });

  it("that could not be made is a failure which only names the file", () => {
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

  it("that the user refused with a word is their decision", () => {
    const errorMessage =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nuse bcrypt, not md5";
    expect(compressed({ ...edit, success: false, errorMessage })).toMatchObject({
      type: "decision",
      title: "User refused: Edit of src/cart.ts (use bcrypt, not md5)",
      facts: ["The user said: use bcrypt, not md5"],
    });
  });
});

describe("a command", () => {
  it("that commits is titled by the commit, and changes the files it adds", () => {
    const line = `git add src/cart.ts && git commit -m "$(cat <<'EOF'\nFix "total()": it's in cents\n\nLong text (with brackets.\nEOF\n)"`;
    const output = `[main 1a2b3c4] Fix "total()": it's in cents\n 1 file changed, 2 insertions(+), 1 deletion(-)`;
    expect(command(line, { output })).toMatchObject({
      type: "fix",
      title: `Committed 1a2b3c4: Fix "total()": it's in cents`,
      filesModified: [CART],
    });
    expect(command(line).title).toBe(`Committed: Fix "total()": it's in cents`);
  });

  it("that runs tests tells how many passed", () => {
    const output = " Test Files  4 passed (4)\n      Tests  41 passed (41)\n";
    expect(command("cd /home/dev/acme-shop && npm test 2>&1 | tail -5", { output })).toMatchObject({
      type: "test",
      title: "npm test passed: 41 tests",
    });
  });

  it("has failed when its tests have, also behind a pipe that hides the exit code", () => {
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

  it("that failed is titled by the line that says why, with paths of the project", () => {
    const output = `${PROJECT}/src/cart.ts(3,5): error TS2345: Argument of type 'string' is not assignable.`;
    expect(command("npx tsc", { output, exitCode: 2 })).toMatchObject({
      type: "failure",
      title:
        "npx tsc failed (exit 2): src/cart.ts(3,5): error TS2345: Argument of type 'string' is not assignable.",
      facts: ["Command: npx tsc", "Exit code 2"],
      concepts: ["ts2345", "typescript", "payment", "error"],
    });
  });

  it("that looks for something which is not there has not failed", () => {
    expect(command("grep -rn anvil src", { exitCode: 1 })).toMatchObject({
      type: "discovery",
      title: "Ran grep -rn anvil src: nothing found",
    });
    expect(
      command("grep -rn anvil nowhere", { output: "grep: nowhere: No such file or directory", exitCode: 2 })
        .type,
    ).toBe("failure");
  });

  it("that is long is titled by what the agent says it is for", () => {
    const line = `for f in $(ls src); do\n  sed -e 's/a/b/' "$f" | sort | uniq -c | sort -rn\ndone`;
    const content = command(line, { description: "Count words in all sources" });
    expect(content.title).toBe("Count words in all sources");
    expect(content.facts[0]).toContain("for f in $(ls src)");
  });

  it("that writes a file from the shell is a change of it", () => {
    expect(command("cat > scripts/run.sh <<'EOF'\nrm /etc/hosts.txt\nEOF\n")).toMatchObject({
      type: "change",
      title: "Wrote scripts/run.sh from the shell",
      filesModified: [`${PROJECT}/scripts/run.sh`],
    });
  });
});

describe("other calls", () => {
  it("a decision in the words before a look is what the item is about", () => {
    const content = compressed(
      { toolName: "Read", toolInput: { file_path: CART }, success: true },
      { before: "We decided to keep prices as integers. Let me look at the cart." },
    );
    expect(content).toMatchObject({ type: "decision", title: "We decided to keep prices as integers." });
    expect(content.facts).toContain("Read src/cart.ts");
  });

  it("a plan is a decision with its steps", () => {
    const plan = "# Move the cart to SQLite\n\n1. Add a table\n2. Migrate\n";
    expect(compressed({ toolName: "ExitPlanMode", toolInput: { plan }, success: true })).toMatchObject({
      type: "decision",
      title: "Plan: Move the cart to SQLite",
      facts: ["Add a table", "Migrate"],
    });
  });

  it("a page that was fetched is research", () => {
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

  it("the patches of Codex name their files", () => {
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

describe("any call", () => {
  it("is told without what was injected into the words, without code blocks and control characters", () => {
    const content = compressed(edit, {
      before:
        "One \u001b[31mred\u001b[0m word.\u202e<system-reminder>never</system-reminder>\n```ts\ncode();\n```\nNow two.<hookline-context>never</hookline-context>",
    });
    expect(content.narrative).toBe("One red word.\nNow two.");
    expect(JSON.stringify(content)).not.toContain("never");
  });

  it("that is only a preview says what the preview has", () => {
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

  it("with texts of a megabyte is bounded, and its ends are looked at", () => {
    const huge = "x".repeat(1_000_000);
    const content = command(
      "make all",
      { output: `${huge}\nerror: no rule to make target 'all'`, exitCode: 2 },
      { before: huge },
    );
    expect(content.title).toBe("make all failed (exit 2): error: no rule to make target 'all'");
    expect(content.narrative?.length).toBe(600);
  });

  it("becomes a valid item whatever its payload is", () => {
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
    const words = fc.option(text);
    fc.assert(
      fc.property(
        payload,
        words,
        words,
        words,
        fc.option(fc.constantFrom("/", PROJECT, "relative", "")),
        (told, before, after, prompt, projectPath) => {
          const event = { ...callEvent(told), cwd: projectPath };
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
          for (const one of [...all, ...content.concepts]) {
            expect(one).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
            expect(one.isWellFormed()).toBe(true);
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
  .map((words) => words.join(" "));
