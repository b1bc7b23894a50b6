import { expect, it } from "vitest";
import { hitOutcome } from "./hit-outcome.ts";

it.each([
  [true, "Ran npm test", null],
  [null, "User refused: what to do?", null],
  [false, "npm test failed: 1 of 2", "failed"],
  [false, "User refused: git push --force (use canary)", "denied"],
  [false, "Not allowed: rm -rf ~/", "denied"],
  [false, "Interrupted: npm run dev", "interrupted"],
] as const)("gives a hit with success %s and title “%s” the outcome %s", (success, title, outcome) => {
  expect(hitOutcome({ success, title })).toBe(outcome);
});
