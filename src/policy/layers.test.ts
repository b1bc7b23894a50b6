import { describe, expect, it } from "vitest";
import { joinLayers, NO_LAYERS, waitingHooks } from "./layers.ts";
import type { RuleSource } from "./rule.ts";
import { type Rules, readRules } from "./rules-file.ts";

function read(text: string, source: RuleSource = "user"): Rules {
  const reading = readRules(text, source);
  if (reading.type === "invalid") throw new Error(JSON.stringify(reading.problems));
  return reading.rules;
}

describe("layers of rules", () => {
  const user = read(`{
    "tools": [{ "id": "a", "match": "Bash", "then": "ask" }, { "id": "b", "match": "Bash", "then": "deny", "project": "/srv/**" }],
    "protect": ["*.lock", { "path": "db/**", "project": "/srv/shop" }]
  }`);
  const project = {
    root: "/srv/shop",
    rules: read(
      '{ "tools": [{ "id": "c", "match": "Edit", "then": "allow" }], "protect": ["deploy/*"] }',
      "project",
    ),
  };
  const session = read('{ "tools": [{ "match": "Write", "then": "allow" }] }', "session").tools;
  const layers = { user, project, session };

  it("are joined for their project, nearest first", () => {
    const { policy } = joinLayers(layers, "/srv/shop");
    expect(policy.rules.map(({ id }) => id)).toEqual(["session/tools/1", "project/c", "user/a", "user/b"]);
    expect(policy.protect).toEqual(["deploy/*", "*.lock", "db/**"]);
  });

  it("leave out a project's rules in any other project", () => {
    for (const elsewhere of ["/srv/shop-2", "/srv/shop/vendor/lib", "/srv"]) {
      const ids = joinLayers(layers, elsewhere).policy.rules.map(({ id }) => id);
      expect(ids).not.toContain("project/c");
    }
    expect(joinLayers(layers, null).policy.rules.map(({ id }) => id)).toEqual(["session/tools/1", "user/a"]);
    expect(joinLayers(NO_LAYERS, "/srv/shop").policy).toEqual({ rules: [], protect: [] });
  });
});

describe("events that need an answer", () => {
  const events = (reactions: string, prompts = "[]") =>
    waitingHooks(read(`{ "reactions": ${reactions}, "prompts": ${prompts} }`));

  it("are none for reactions that run in the background", () => {
    expect(
      events(`[
        { "on": "Stop", "do": { "type": "command", "command": "true" } },
        { "on": "PostToolUse", "do": { "type": "webhook", "url": "https://example.org/" } },
        { "on": "SessionEnd", "do": { "type": "builtin", "name": "session_metrics" } },
        { "on": "needs_person", "do": { "type": "notify", "text": "x" } }
      ]`),
    ).toEqual([]);
  });

  it("name only the tools of their rules", () => {
    expect(
      events(`[
        { "on": "PreToolUse", "match": "Bash(git commit*)", "do": { "type": "deny", "reason": "x" } },
        { "on": "PreToolUse", "match": "Edit(a|b)|mcp__x__.*|mcp__y__*|Bash", "do": { "type": "context", "text": "x" }, "timeoutSeconds": 4.5 },
        { "on": "PostToolUse", "match": "Edit", "do": { "type": "context", "text": "x" } },
        { "on": "PostToolUse", "match": "*", "do": { "type": "context", "text": "x" } },
        { "on": "SessionStart", "when": { "source": "startup" }, "do": { "type": "env", "set": { "A": "b" } } }
      ]`),
    ).toEqual([
      { event: "PreToolUse", matcher: "Bash|Edit|mcp__x__.*|mcp__y__.*", seconds: 35 },
      { event: "PostToolUse", seconds: 60 },
      { event: "SessionStart", matcher: "startup", seconds: 30 },
    ]);
  });

  it("include UserPromptSubmit when there are prompt rules", () => {
    expect(events("[]", '[{ "find": "x", "then": "block" }]')).toEqual([
      { event: "UserPromptSubmit", seconds: 5 },
    ]);
  });

  it("never wait longer than ten minutes", () => {
    const block = `{ "on": "Stop", "do": { "type": "block", "reason": "x" }, "timeoutSeconds": 400 }`;
    expect(events(`[${block}, ${block}]`)).toEqual([{ event: "Stop", seconds: 600 }]);
  });
});
