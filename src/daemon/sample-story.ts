/**
 * A session as Claude Code would report it, for users who have none yet: hook payloads in their original
 * format, and transcript lines. `at` is in seconds from the start.
 */
export type SampleStep =
  | { readonly at: number; readonly hook: Readonly<Record<string, unknown>> }
  | { readonly at: number; readonly line: Readonly<Record<string, unknown>> };

export const SAMPLE_PROJECT = "/sample/acme-shop";
export const SAMPLE_SECONDS = 252;

const CART = `${SAMPLE_PROJECT}/src/cart.ts`;
const TEST = `${SAMPLE_PROJECT}/src/cart.test.ts`;
const MODEL = "claude-opus-4-5";

export function sampleStory(): SampleStep[] {
  return [
    hook(0, "SessionStart", { source: "startup", model: MODEL }),
    hook(2, "UserPromptSubmit", {
      prompt_id: "sample-1",
      prompt: "The cart shows the wrong total when an item is removed. Find out why and fix it.",
    }),
    line(9, { type: "ai-title", aiTitle: "Sample: fix the cart's total" }),
    message(9, "m1", "I will look at how the total is kept.", { output: 62, cached: 14_200 }),
    ...call(10, "t1", "Grep", { pattern: "total", path: "src", output_mode: "content" }, 0.4, {
      mode: "content",
      numLines: 3,
      content:
        "src/cart.ts:1:export let total = 0;\nsrc/cart.ts:4:  total += item.price;\nsrc/cart.ts:9:  items.delete(id);",
    }),
    ...call(13, "t2", "Read", { file_path: CART }, 0.2, {
      type: "text",
      file: { filePath: CART, content: CART_BEFORE, numLines: 12, startLine: 1, totalLines: 12 },
    }),
    message(21, "m2", "`remove` takes the item out and leaves the total as it was. A test first.", {
      output: 140,
      cached: 15_900,
    }),
    ...call(24, "t3", "Write", { file_path: TEST, content: CART_TEST }, 0.3, {
      type: "create",
      filePath: TEST,
      content: CART_TEST,
      structuredPatch: [],
    }),
    ...failedCall(30, "t4", "Bash", { command: "npm test", description: "Run the tests" }, 3.8, NPM_FAILS),
    message(40, "m3", "It fails as expected. Now the fix.", { output: 48, cached: 17_300 }),
    ...call(
      43,
      "t5",
      "Edit",
      { file_path: CART, old_string: OLD, new_string: NEW, replace_all: false },
      0.3,
      {
        filePath: CART,
        oldString: OLD,
        newString: NEW,
        structuredPatch: [
          {
            oldStart: 8,
            oldLines: 3,
            newStart: 8,
            newLines: 4,
            lines: [
              " export function remove(id: string) {",
              "+  total -= items.get(id)?.price ?? 0;",
              "   items.delete(id);",
              " }",
            ],
          },
        ],
      },
    ),
    ...call(49, "t6", "Bash", { command: "npm test", description: "Run the tests" }, 3.6, {
      stdout: "  2 passing (31ms)",
      stderr: "",
      interrupted: false,
    }),
    message(
      61,
      "m4",
      "The total is right again: `remove` now takes the item's price off. Two tests cover it.",
      {
        output: 96,
        cached: 18_800,
      },
    ),
    hook(62, "Stop", {
      prompt_id: "sample-1",
      last_assistant_message:
        "The total is right again: `remove` now takes the item's price off. Two tests cover it.",
    }),
    hook(170, "UserPromptSubmit", { prompt_id: "sample-2", prompt: "Good. Commit it." }),
    message(174, "m5", "I will commit both files.", { output: 40, cached: 19_400 }),
    hook(176, "PermissionRequest", {
      prompt_id: "sample-2",
      tool_name: "Bash",
      tool_input: COMMIT,
    }),
    ...call(176, "t7", "Bash", COMMIT, 38, {
      stdout: "[main 4f1c2ab] Take the price off when an item is removed\n 2 files changed, 15 insertions(+)",
      stderr: "",
      interrupted: false,
    }),
    message(221, "m6", "Committed as 4f1c2ab.", { output: 21, cached: 19_900 }),
    hook(222, "Stop", { prompt_id: "sample-2", last_assistant_message: "Committed as 4f1c2ab." }),
    hook(SAMPLE_SECONDS, "SessionEnd", { reason: "prompt_input_exit" }),
  ];
}

function hook(at: number, name: string, fields: Readonly<Record<string, unknown>>): SampleStep {
  return { at, hook: { hook_event_name: name, cwd: SAMPLE_PROJECT, permission_mode: "default", ...fields } };
}

function line(at: number, fields: Readonly<Record<string, unknown>>): SampleStep {
  return { at, line: fields };
}

function message(
  at: number,
  id: string,
  text: string,
  tokens: { readonly output: number; readonly cached: number },
): SampleStep {
  return line(at, {
    type: "assistant",
    uuid: id,
    cwd: SAMPLE_PROJECT,
    gitBranch: "main",
    requestId: id,
    message: {
      id,
      role: "assistant",
      model: MODEL,
      stop_reason: "end_turn",
      content: [{ type: "text", text }],
      usage: {
        input_tokens: 12,
        output_tokens: tokens.output,
        cache_read_input_tokens: tokens.cached,
        cache_creation_input_tokens: 900,
      },
    },
  });
}

type Input = Readonly<Record<string, unknown>>;

function call(
  at: number,
  id: string,
  tool: string,
  input: Input,
  seconds: number,
  response: Input,
): SampleStep[] {
  const callFields = { prompt_id: promptAt(at), tool_name: tool, tool_input: input, tool_use_id: id };
  return [
    hook(at, "PreToolUse", callFields),
    hook(at + seconds, "PostToolUse", {
      ...callFields,
      tool_response: response,
      duration_ms: seconds * 1_000,
    }),
  ];
}

function failedCall(
  at: number,
  id: string,
  tool: string,
  input: Input,
  seconds: number,
  error: string,
): SampleStep[] {
  const callFields = { prompt_id: promptAt(at), tool_name: tool, tool_input: input, tool_use_id: id };
  return [
    hook(at, "PreToolUse", callFields),
    hook(at + seconds, "PostToolUseFailure", { ...callFields, error, duration_ms: seconds * 1_000 }),
  ];
}

function promptAt(at: number): string {
  return at < 100 ? "sample-1" : "sample-2";
}

const COMMIT = {
  command: 'git add src && git commit -m "Take the price off when an item is removed"',
  description: "Commit the fix",
};

const OLD = "export function remove(id: string) {\n  items.delete(id);";
const NEW =
  "export function remove(id: string) {\n  total -= items.get(id)?.price ?? 0;\n  items.delete(id);";

const CART_BEFORE = `export let total = 0;
const items = new Map<string, { price: number }>();
export function add(id: string, item: { price: number }) {
  total += item.price;
  items.set(id, item);
}

export function remove(id: string) {
  items.delete(id);
}
`;

const CART_TEST = `it("adds the price of an item", () => {
  add("a", { price: 3 });
  expect(total).toBe(3);
});

it("takes it off when the item is removed", () => {
  remove("a");
  expect(total).toBe(0);
});
`;

const NPM_FAILS = `Exit code 1
  1 passing, 1 failing

  takes it off when the item is removed
  AssertionError: expected 3 to be 0`;
