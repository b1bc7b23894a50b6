import { expect, it } from "vitest";
import { namesSession } from "./names-session.ts";

it.each([
  ["Retry a payment without charging twice", true],
  ["장바구니 총액이 틀립니다", true],
  ["yes, go on", false],
  ["계속해 주세요", false],
  ["/compact keep the plan and the open questions", false],
  ["!npm test -- --reporter=dot src/pay", false],
  ["(private)", false],
])("“%s” names its session: %s", (prompt, isName) => {
  expect(namesSession(prompt)).toBe(isName);
});
