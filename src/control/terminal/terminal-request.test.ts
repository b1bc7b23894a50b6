import { describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { showRequest } from "../../shown/show-request.ts";
import { createAllowances } from "./allowances.ts";
import { readTerminalRequest, type TerminalRequest, toTerminalCard } from "./terminal-request.ts";

const requestWith = (tool_input: unknown): TerminalRequest | null =>
  readTerminalRequest(
    claude.answers.read({
      hook_event_name: "PermissionRequest",
      session_id: "s",
      tool_name: "mcp__x__y",
      tool_input,
    }),
  );
const stamp = { id: "r", projectPath: null, reason: null, rule: null, sinceMs: 0, untilMs: 1 };

describe("a request of a terminal", () => {
  it.each([
    [["rm", "-r", "x"], '[\n  "rm",\n  "-r",\n  "x"\n]'],
    ["rm -r x", "rm -r x"],
    [42, "42"],
    [false, "false"],
  ])("shows an input that is not an object: %j", (input, text) => {
    const parts = showRequest(toTerminalCard(requestWith(input)!, stamp));
    expect(parts.map(({ name, text: partText }) => [name, partText])).toEqual([
      ["tool", "mcp__x__y"],
      ["input", text],
    ]);
  });

  it("is left to the terminal if its input is nested too deeply", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(requestWith(nested(400))).not.toBeNull();
    expect(requestWith(nested(100_000))).toBeNull();
  });

  it("is allowed again for exactly its input", () => {
    const allowances = createAllowances();
    const inputs = ['["a"]', '"a"', '{"a":1}', '{"a":1,"__proto__":{"b":1}}', '{"a":1,"__proto__":{"b":2}}'];
    for (const [index, input] of inputs.entries()) {
      expect(allowances.has(requestWith(JSON.parse(input))!), input).toBe(false);
      allowances.allow(requestWith(JSON.parse(inputs[index]!))!);
      expect(allowances.has(requestWith(JSON.parse(input))!), input).toBe(true);
    }
  });
});
