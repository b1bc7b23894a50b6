import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { REQUESTS } from "./requests.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
afterAll(() => scratch.close());

describe("the table of requests", () => {
  it("has more than three hundred and fifty", () => {
    expect(REQUESTS.flatMap((group) => group.requests).length).toBeGreaterThan(350);
  });

  for (const group of REQUESTS) {
    it(group.title, () => {
      const wrong = group.requests.flatMap((request) =>
        group.modes.flatMap((mode) => {
          const { tool_name, tool_input } = scratch.fill(request);
          const verdict = decide(
            EMPTY_POLICY,
            { toolName: tool_name, toolInput: tool_input, mode, cwd: scratch.ws },
            scratch.world,
          );
          const isRight = Object.entries(group.expect).every(
            ([key, value]) => verdict[key as keyof typeof group.expect] === value,
          );
          return isRight ? [] : [{ mode, ...request, ...verdict }];
        }),
      );
      expect(wrong).toEqual([]);
    });
  }
});
