import { expect, it } from "vitest";
import { createTranslator } from "./translate.ts";

const translate = createTranslator([
  ["Ended.", "끝."],
  ["Running {_tool}: {text}", "{_tool} 실행: {text}"],
  ["a tool", "도구"],
  ["{who} would change {path}.", "{who}: {path} 변경."],
  ["{who} would change {path}, which a rule protects.", "{who}: 보호된 {path} 변경."],
]);

it("copies the slots into the translation", () => {
  expect(translate("Ended.")).toBe("끝.");
  expect(translate("Running Bash: npm test")).toBe("Bash 실행: npm test");
  expect(translate("Running a tool: x")).toBe("도구 실행: x");
});

it("prefers the template with the most literal text", () => {
  expect(translate("Edit would change a.ts, which a rule protects.")).toBe("Edit: 보호된 a.ts 변경.");
});

it("leaves other text alone", () => {
  for (const text of ["", "Ended", "Ended. Again.", "Running : ", "x would change .", "x".repeat(5_000)])
    expect(translate(text)).toBe(text);
});

it("never interprets copied content", () => {
  const hostile = "{_tool} {text} $& $1 <img src=x onerror=alert(1)>";
  expect(translate(`Running Bash: ${hostile}`)).toBe(`Bash 실행: ${hostile}`);
  expect(translate("Running Bash: Ended.")).toBe("Bash 실행: Ended.");
});

it("takes linear time on hostile text", () => {
  const text = `${" would change ".repeat(280)}x`;
  const startedAt = performance.now();
  for (let n = 0; n < 200; n++) translate(`${text}${n}`);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
