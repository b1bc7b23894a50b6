import { describe, expect, it } from "vitest";
import { editRules, type RuleFields } from "./edit-rules.ts";
import { readRules } from "./rules-file.ts";

const FILE = `{
    "tools": [
        { "id": "first",   "match": "Bash(git push*)", "then": "ask", "reason": "Ask first." },
        {
            "match": "Bash(rm*)",
            "then": "deny",
            "modes": ["default"]
        },
        {"match": "Read", "then": "allow", "project": "/srv/**"}
    ],
    "protect": [ "*.lock", "migrations/**" ]
}
`;

const rule = (fields: Partial<RuleFields> = {}): RuleFields => ({
  ...{ match: "WebFetch", reason: null, project: null },
  // biome-ignore lint/suspicious/noThenProperty: the word that a person writes
  then: "ask",
  ...fields,
});

// biome-ignore lint/suspicious/noThenProperty: the word that a person writes
const allowed = (fields: Partial<RuleFields>): RuleFields => rule({ ...fields, then: "allow" });

function matches(text: string | null): string[] {
  const reading = readRules(text ?? "", "user");
  if (reading.type === "invalid") throw new Error(reading.problems[0]!.message);
  return reading.rules.tools.map(({ match }) => match);
}

describe("editRules", () => {
  it("adds a rule at the end, in the file's own style, and leaves every other byte", () => {
    const next = editRules(FILE, { type: "add", rule: rule({ reason: 'Say "why".' }) })!;
    expect(matches(next)).toEqual(["Bash(git push*)", "Bash(rm*)", "Read", "WebFetch"]);
    const added = `,\n        {\n            "match": "WebFetch",\n            "then": "ask",\n            "reason": "Say \\"why\\"."\n        }`;
    expect(next).toContain(added);
    expect(next.replace(added, "")).toBe(FILE);
  });

  it("begins a file where there is none, or nothing in it", () => {
    for (const text of ["", " \n", "{}\n", '{ "tools": [] }'])
      expect(matches(editRules(text, { type: "add", rule: rule() }))).toEqual(["WebFetch"]);
  });

  it("replaces only what differs, and keeps keys that no form shows", () => {
    const next = editRules(FILE, {
      type: "replace",
      index: 1,
      rule: rule({ match: "Bash(rm*)", reason: "No." }),
    })!;
    expect(next).toBe(
      FILE.replace('"then": "deny"', '"then": "ask"').replace(
        '"modes": ["default"]',
        '"modes": ["default"],\n            "reason": "No."',
      ),
    );
  });

  it("cuts a reason and a project that were emptied", () => {
    const first = editRules(FILE, { type: "replace", index: 0, rule: rule({ match: "Bash(git push*)" }) });
    expect(first).toBe(FILE.replace(', "reason": "Ask first."', ""));
    const last = editRules(FILE, {
      type: "replace",
      index: 2,
      rule: allowed({ match: "Read" }),
    });
    expect(last).toBe(FILE.replace(', "project": "/srv/**"', ""));
    const leading = '{"tools":[{"reason":"x","project":"/a","match":"Read","then":"allow","id":"a"}]}';
    expect(editRules(leading, { type: "replace", index: 0, rule: allowed({ match: "Read" }) })).toBe(
      '{"tools":[{"match":"Read","then":"allow","id":"a"}]}',
    );
  });

  it("adds and removes a member of one entry at once", () => {
    const next = editRules(FILE, {
      type: "replace",
      index: 2,
      rule: allowed({ match: "Read", reason: "Fine." }),
    })!;
    expect(next).toBe(FILE.replace('"project": "/srv/**"', '"reason":"Fine."'));
  });

  it("moves a rule up and down without touching what lies between", () => {
    const down = editRules(FILE, { type: "move", index: 0, to: 2 })!;
    expect(matches(down)).toEqual(["Bash(rm*)", "Read", "Bash(git push*)"]);
    expect(editRules(down, { type: "move", index: 2, to: 0 })).toBe(FILE);
  });

  it("removes a rule of any list", () => {
    expect(matches(editRules(FILE, { type: "remove", list: "tools", index: 1 }))).toEqual([
      "Bash(git push*)",
      "Read",
    ]);
    expect(editRules(FILE, { type: "remove", list: "protect", index: 0 })).toBe(
      FILE.replace('"*.lock", ', ""),
    );
  });

  it("refuses a position where no rule is", () => {
    expect(editRules(FILE, { type: "replace", index: 3, rule: rule() })).toBeNull();
    expect(editRules(FILE, { type: "move", index: 0, to: 3 })).toBeNull();
    expect(editRules(FILE, { type: "remove", list: "prompts", index: 0 })).toBeNull();
    expect(editRules("", { type: "remove", list: "tools", index: 0 })).toBeNull();
  });
});
