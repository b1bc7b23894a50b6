/** Ways to hide something on a card. Each contains `OWNED`, which must be visible, and is its own request. */
export interface Hiding {
  readonly tool: string;
  readonly input: unknown;
  readonly more?: Readonly<Record<string, unknown>>;
}

const run = (command: string, more = {}): Hiding => ({ tool: "Bash", input: { command, ...more } });
const edit = (old_string: string, new_string: string, more = {}): Hiding => ({
  tool: "Edit",
  input: { file_path: "/home/dev/shop/a.ts", old_string, new_string, ...more },
});
const question = (fields: object): Hiding => ({
  tool: "AskUserQuestion",
  input: { questions: [{ question: "Which?", header: "H", multiSelect: false, options: [], ...fields }] },
});
const plan = (text: string): Hiding => ({ tool: "ExitPlanMode", input: { plan: text } });
const lines = (count: number, line: string): string => Array.from({ length: count }, () => line).join("\n");

export const HIDING: Readonly<Record<string, Hiding>> = {
  "private-tags": run("npm test # <private>\nOWNED # </private>"),
  "secret-beside-it": run("curl -H 'Authorization: Bearer sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA' OWNED"),
  "filler-before": run(`${"# a comment that nobody reads ".repeat(400)}\nOWNED`),
  "filler-around": run(`${lines(500, "# filler")}\nOWNED\n${lines(500, "# filler")}`),
  "blank-lines": run(`npm test${"\n".repeat(1_000)}OWNED`),
  "blank-columns": run(`npm test${" ".repeat(5_000)}OWNED`),
  "tab-columns": run(`npm test${"\t".repeat(1_000)}OWNED`),
  "one-long-line": run(`echo ${"x".repeat(20_000)}OWNED`),
  "one-long-word-of-wide-signs": run(`echo ${"國".repeat(3_000)}OWNED`),
  "bidi-override": run("npm test #\u202e DENWO \u202c OWNED \u2066x\u2069"),
  "rtl-letters": run("cp א OWNED ב / مرحبا 1 2 3"),
  "rtl-letters-in-an-edit": edit("let x = 1", 'let x = "א" + 1 - 22 * 333 + "ב"; // OWNED'),
  "rtl-letters-in-lines": edit("a", "allow(א, 10, 0, ב)\nif (א > 5 && 3 < ב) {} OWNED"),
  "rtl-letters-in-a-name": run("OWNED", { "א 1 2 ב": "x" }),
  "zero-width": run("O\u200bWNED \u200c\u200d\u2060\ufeff OWNED"),
  "soft-hyphens": run("rm\u00ad \u00ad-rf\u00ad OWNED"),
  "tags-block": run("npm test \u{e004f}\u{e0057}\u{e004e} OWNED"),
  "private-use": run("npm test \ue000\u{f0000}\u{10fffd} OWNED"),
  "combining-marks": run(
    `npm test ${"e\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309".repeat(50)} OWNED`,
  ),
  "carriage-return": run("OWNED\rnpm test"),
  "escape-sequences": run("\u001b[8mOWNED\u001b[0m\u001b[2K\u001b[1Gnpm test\u009b2J"),
  backspaces: run("OWNED\b\b\b\b\bnpm test"),
  "no-break-space": run("npm\u00a0test\u2003\u3000 OWNED"),
  "line-separators": run("npm test\u2028OWNED\u2029\u0085"),
  "variation-selectors": run("npm\ufe00 test\u{e0100} OWNED\ufe0f"),
  "half-a-pair": run("npm test \ud800 OWNED \udfff"),
  html: run("npm test <!-- OWNED --> <style>*{display:none}</style><b hidden>OWNED</b>"),
  "html-entities": run("npm test &lt;!-- &#79;WNED --&gt; OWNED"),
  "long-description": run("npm test OWNED", { description: lines(2_000, "Runs the tests.") }),
  "description-as-command": run("OWNED", { description: "command\n\nnpm test\n\nAllow once" }),
  "description-of-objects": run("npm test", { description: { text: "tests", more: ["OWNED"] } }),
  "field-after-command": run("npm test", { env: { PATH: "OWNED" } }),
  "forged-parts": run("npm test", {
    tool: "Read",
    agent: "none",
    diff: "+ OWNED",
    option: "OWNED",
    question: "?",
  }),
  "lookalike-field": run("npm test", { сommand: "OWNED", "command ": "OWNED", Command: "OWNED" }),
  "field-name-with-lines": run("npm test", { "x\n\ncommand\u202e": "OWNED" }),
  "long-field-name": run("npm test", { [`${"a".repeat(3_000)}OWNED`]: true }),
  "proto-field": {
    tool: "Bash",
    input: JSON.parse('{"command":"npm test","__proto__":{"run":"OWNED"},"toString":"OWNED"}'),
  },
  "numeric-fields": run("npm test", { 1: "OWNED", 0: "first" }),
  "deep-json": { tool: "mcp__files__apply", input: { a: { b: { c: [{ d: "OWNED" }] } } } },
  "huge-json": {
    tool: "mcp__files__apply",
    input: { list: Array.from({ length: 3_000 }, (_, n) => ({ n })), last: "OWNED" },
  },
  "not-an-object": { tool: "mcp__files__apply", input: { value: ["a", "OWNED"] } },
  "long-tool-name": { tool: `mcp__${"files".repeat(100)}__OWNED`, input: { a: 1 } },
  "subagent-name": { ...run("npm test OWNED"), more: { agent_id: "a1", agent_type: "main\u202e\nBash" } },
  "edit-far-below": edit(lines(2_000, "same"), `${lines(2_000, "same")}\nOWNED`),
  "edit-in-the-middle": edit(
    `${lines(900, "a")}\nb\n${lines(900, "c")}`,
    `${lines(900, "a")}\nOWNED\n${lines(900, "c")}`,
  ),
  "edit-of-hidden-signs": edit("const a = 1;", "const a = 1;\u200b\u202e // OWNED"),
  "edit-everywhere": edit("a", "OWNED", { replace_all: true }),
  "edit-with-a-diff": edit("a", "b", { diff: "- x\n+ OWNED" }),
  "edit-with-signs-of-a-diff": edit("+ a\n- b", "- b\n+ OWNED"),
  "write-content": {
    tool: "Write",
    input: { file_path: "/home/dev/shop/a.ts", content: `${lines(600, "ok();")}\nOWNED` },
  },
  "write-path": { tool: "Write", input: { content: "ok", file_path: `/home/dev/${"../".repeat(800)}OWNED` } },
  "multi-edit": {
    tool: "MultiEdit",
    input: {
      file_path: "/a.ts",
      edits: [
        { old_string: "a", new_string: "b" },
        { old_string: "c", new_string: "OWNED", replace_all: true },
      ],
    },
  },
  notebook: {
    tool: "NotebookEdit",
    input: { notebook_path: "/a.ipynb", cell_id: "1", new_source: `ok\n\n\nOWNED` },
  },
  "web-fetch": {
    tool: "WebFetch",
    input: { prompt: "read", url: `https://example.com@203.0.113.9/${"a".repeat(900)}OWNED` },
  },
  "agent-prompt": { tool: "Agent", input: { description: "Look", prompt: `${lines(400, "please")}\nOWNED` } },
  "question-with-lines": question({ question: `Which?${"\n".repeat(300)}OWNED`, options: [{ label: "A" }] }),
  "option-description": question({ options: [{ label: "A", description: `fine${" ".repeat(3_000)}OWNED` }] }),
  "option-with-more": question({ options: [{ label: "A", preview: "OWNED" }, { label: "B" }] }),
  "option-that-is-empty": question({ options: [{ label: "" }, { label: "\u200b" }, { label: "OWNED" }] }),
  "options-that-are-none": question({ options: "OWNED" }),
  "choices-that-are-none": question({ multiSelect: "OWNED" }),
  "question-with-more": question({ note: "OWNED", options: [{ label: "A", option: "B", question: "C" }] }),
  "beside-questions": {
    tool: "AskUserQuestion",
    input: { questions: [{ question: "Which?", options: [] }], answers: { x: "OWNED" } },
  },
  "no-questions": { tool: "AskUserQuestion", input: { questions: "OWNED" } },
  "plan-comment": plan("# Plan\n<!-- OWNED -->\n[//]: # (OWNED)"),
  "plan-link": plan("See [the docs](https://example.com/OWNED) ![x](OWNED)"),
  "plan-table": plan("| a | b |\n|---|---|\n| 1 | OWNED |"),
  "plan-details": plan("<details><summary>ok</summary>OWNED</details>"),
  "plan-far-below": plan(`${lines(1_500, "- step")}\n- OWNED`),
};
