import { describe, expect, it } from "vitest";
import { NO_RULES, readRules } from "./rules-file.ts";

const VALID_FILE = `{
  "tools": [
    { "match": "Bash(npm test*)", "then": "allow" },
    { "id": "no-push", "match": "Bash(git push*)", "then": "deny", "reason": "A person pushes.", "modes": ["auto"] },
    { "match": "Bash", "then": "rewrite", "replace": [{ "field": "command", "find": "^npm i\\\\b", "with": "npm ci" }] }
  ],
  "protect": ["migrations/**", { "path": "*.lock", "project": "/srv/*" }],
  "prompts": [{ "find": "prod(uction)? password", "then": "block", "reason": "Not here." }],
  "reactions": [
    { "on": "Stop", "when": { "answer": "done" }, "do": { "type": "block", "reason": "Are you?" } }
  ]
}
`;

describe("a valid rules file", () => {
  const reading = readRules(VALID_FILE, "user");
  const rules = reading.type === "rules" ? reading.rules : NO_RULES;

  it("gives each rule an id: its source, then its own id or its list and index", () => {
    expect(rules.tools.map(({ id }) => id)).toEqual(["user/tools/1", "user/no-push", "user/tools/3"]);
    expect(rules.prompts.map(({ id }) => id)).toEqual(["user/prompts/1"]);
    expect(rules.reactions.map(({ id }) => id)).toEqual(["user/reactions/1"]);
  });

  it("fills missing fields with null and actions with their defaults", () => {
    expect(rules.tools[0]).toMatchObject({
      source: "user",
      reason: null,
      project: null,
      modes: null,
      set: null,
    });
    expect(rules.tools[2]?.replace).toEqual([{ field: "command", find: "^npm i\\b", with: "npm ci" }]);
    expect(rules.protect).toEqual([
      { glob: "migrations/**", project: null, recipe: null },
      { glob: "*.lock", project: "/srv/*", recipe: null },
    ]);
    expect(rules.reactions[0]).toMatchObject({
      match: null,
      do: { type: "block", most: 1 },
      timeoutSeconds: 30,
    });
  });

  it.each(["", "  \n", "\ufeff", "{}"])("has no rules in %j", (text) => {
    expect(readRules(text, "user")).toEqual({ type: "rules", rules: NO_RULES });
  });
});

/** The kind of mistake, the text, and the first problem as line, column and message. */
const MISTAKES: readonly (readonly [string, string, number, number, RegExp])[] = [
  ["a trailing comma", '{\n  "tools": [],\n}', 3, 1, /not valid JSON: a property name was expected/],
  ["a truncated file", '{ "tools": [', 1, 13, /not valid JSON.*the end of the file/],
  ["a comment", "{\n  // mine\n}", 2, 3, /not valid JSON/],
  ["no object", "[]", 1, 1, /expected object/],
  ["an unknown key", '{\n  "tool": []\n}', 2, 3, /^tool: there is no such key/],
  ["a duplicate key", '{\n "tools": [],\n "tools": []\n}', 3, 2, /"tools" is there twice/],
  [
    "a rule without match",
    '{\n "tools": [\n  { "then": "deny" }\n ]\n}',
    3,
    3,
    /^tools\[0\]\.match: expected string/,
  ],
  [
    "an unknown verdict",
    '{"tools":[\n{"match":"Bash",\n"then":"block"}]}',
    3,
    1,
    /^tools\[0\]\.then: .*"allow"/,
  ],
  [
    "an unknown key of a rule",
    '{"tools":[{"match":"Bash","then":"deny",\n"why":"x"}]}',
    2,
    1,
    /tools\[0\]\.why: there is no/,
  ],
  [
    "an unknown mode",
    '{"tools":[{"match":"Bash","then":"deny","modes":["default",\n"yolo"]}]}',
    2,
    1,
    /modes\[1\]/,
  ],
  [
    "a rewrite that changes nothing",
    '{"tools":[\n{"match":"Bash",\n"then":"rewrite"}]}',
    3,
    1,
    /"set" or "replace"/,
  ],
  [
    "a change without rewrite",
    '{"tools":[{"match":"Bash","then":"deny",\n"set":{}}]}',
    2,
    1,
    /"then": "rewrite"/,
  ],
  ["a matcher with an open bracket", '{"tools":[{\n"match":"Bash(npm","then":"deny"}]}', 2, 1, /bracket/],
  [
    "a matcher with empty brackets",
    '{"tools":[{\n"match":"Bash()","then":"deny"}]}',
    2,
    1,
    /between the brackets/,
  ],
  [
    "a matcher without a name",
    '{"tools":[{\n"match":"Edit||Write","then":"deny"}]}',
    2,
    1,
    /name is missing/,
  ],
  [
    "a matcher that is a sentence",
    '{"tools":[{\n"match":"all tools","then":"deny"}]}',
    2,
    1,
    /not a tool's name/,
  ],
  [
    "a broken pattern of a tool",
    '{"tools":[{\n"match":"mcp__.**","then":"deny"}]}',
    2,
    1,
    /not a tool's name/,
  ],
  [
    "a broken regular expression",
    '{"prompts":[{\n"find":"(a","then":"block"}]}',
    2,
    1,
    /not a regular expression/,
  ],
  [
    "a regular expression that can take forever",
    '{"prompts":[{\n"find":"(a+)+$","then":"block"}]}',
    2,
    1,
    /take for ever/,
  ],
  [
    "a regular expression that is too long",
    `{"prompts":[{\n"find":"${"a".repeat(501)}","then":"block"}]}`,
    2,
    1,
    /more than 500/,
  ],
  [
    "a broken regular expression in a replacement",
    '{"tools":[{"match":"Bash","then":"rewrite","replace":[{"field":"command",\n"find":"[","with":""}]}]}',
    2,
    1,
    /replace\[0\]\.find: not a regular/,
  ],
  [
    "a broken regular expression in a condition",
    '{"reactions":[{"on":"Stop","when":{\n"answer":"*"},"do":{"type":"speak","text":"x"}}]}',
    2,
    1,
    /when\.answer: not a regular/,
  ],
  ["context without a text", '{"prompts":[{"find":"x",\n"then":"context"}]}', 2, 1, /"with" must hold/],
  [
    "a duplicate id",
    '{"tools":[{"id":"a","match":"*","then":"ask"}],"prompts":[\n{"id":"a","find":"x","then":"block"}]}',
    2,
    2,
    /"a" is the id of tools\[0\] too/,
  ],
  ["an id with a slash", '{"tools":[{\n"id":"user/1","match":"*","then":"ask"}]}', 2, 1, /an id has letters/],
  ["a relative project", '{"tools":[{"match":"*","then":"ask",\n"project":"site"}]}', 2, 1, /begins with \//],
  ["a glob that is a number", '{"protect":["a",\n7]}', 2, 1, /^protect\[1\]: a glob of files/],
  [
    "an unknown event",
    '{"reactions":[{\n"on":"Stopp","do":{"type":"speak","text":"x"}}]}',
    2,
    1,
    /reactions\[0\]\.on/,
  ],
  ["an unknown action", '{"reactions":[{"on":"Stop","do":{\n"type":"shout","text":"x"}}]}', 2, 1, /do\.type/],
  [
    "an action without its text",
    '{"reactions":[{"on":"Stop",\n"do":{"type":"speak"}}]}',
    2,
    1,
    /do\.text: expected string/,
  ],
  [
    "a block at an event that cannot be blocked",
    '{"reactions":[{"on":"SessionEnd",\n"do":{"type":"block","reason":"x"}}]}',
    2,
    1,
    /possible at Stop, SubagentStop, not at SessionEnd/,
  ],
  [
    "a denial after the fact",
    '{"reactions":[{"on":"PostToolUse",\n"do":{"type":"deny","reason":"x"}}]}',
    2,
    1,
    /possible at PreToolUse/,
  ],
  [
    "variables in a running session",
    '{"reactions":[{"on":"Stop",\n"do":{"type":"env","set":{}}}]}',
    2,
    1,
    /possible at SessionStart/,
  ],
  [
    "an answer that cannot arrive",
    '{"reactions":[{"on":"Stop",\n"do":{"type":"command","command":"x","answer":"context"}}]}',
    2,
    1,
    /"answer": "context" is possible/,
  ],
  [
    "a bad variable",
    '{"reactions":[{"on":"SessionStart","do":{"type":"env","set":{\n"A B":"x"}}}]}',
    2,
    1,
    /not the name of a variable/,
  ],
  [
    "a matcher where there is no tool",
    '{"reactions":[{"on":"Stop",\n"match":"Bash","do":{"type":"speak","text":"x"}}]}',
    2,
    1,
    /not about a tool/,
  ],
  [
    "a bad matcher in a condition",
    '{"reactions":[{"on":"Stop","when":{"ran":{"tools":["Bash",\n"a b"]}},"do":{"type":"speak","text":"x"}}]}',
    2,
    1,
    /tools\[1\]/,
  ],
  [
    "a prompt at the end",
    '{"reactions":[{"on":"Stop","when":{\n"prompt":"x"},"do":{"type":"speak","text":"x"}}]}',
    2,
    1,
    /has no prompt/,
  ],
  [
    "a timeout past 10 minutes",
    '{"reactions":[{"on":"Stop",\n"timeoutSeconds":601,"do":{"type":"speak","text":"x"}}]}',
    2,
    1,
    /timeoutSeconds/,
  ],
  [
    "a webhook without an HTTP address",
    '{"reactions":[{"on":"Stop","do":{"type":"webhook",\n"url":"file:///etc/passwd"}}]}',
    2,
    1,
    /do\.url/,
  ],
];

describe("a rules file with a mistake", () => {
  it.each(MISTAKES)("reports line and column of %s", (_what, text, line, column, message) => {
    const reading = readRules(text, "user");
    expect(reading.type).toBe("invalid");
    const [first] = reading.type === "invalid" ? reading.problems : [];
    expect(first).toMatchObject({ line, column });
    expect(first?.message).toMatch(message);
  });

  it("reports all of them in file order and returns no rules", () => {
    const text =
      '{\n"prompts":[{"find":"(","then":"block"}],\n"tools":[{"match":"*","then":"ask"},\n{"match":"","then":"no"}]\n}';
    const reading = readRules(text, "user");
    expect(reading).not.toHaveProperty("rules");
    expect(reading.type === "invalid" && reading.problems.map(({ line }) => line)).toEqual([2, 4, 4]);
  });

  it("rejects rules about other projects in a project's file", () => {
    const text =
      '{"protect":["a",\n{"path":"b","project":"/x"}],\n"tools":[{"match":"*","then":"ask","project":"/x"}]}';
    const reading = readRules(text, "project");
    expect(reading.type === "invalid" && reading.problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(readRules(text, "user").type).toBe("rules");
  });
});
